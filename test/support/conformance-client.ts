/**
 * What the conformance suite starts as the client under test, with the address as its last argument and the scenario's name in
 * the environment: a connection of the inventory that calls what the scenario wants called.
 */
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { connectServer } from "../../runtime/inventory/connect.ts";
import type { ClientSide } from "../../runtime/inventory/open.ts";

const CALLS: Record<string, [tool: string, args: Record<string, unknown>] | undefined> = {
  tools_call: ["add_numbers", { a: 5, b: 3 }],
  "elicitation-sep1034-client-defaults": ["test_client_elicitation_defaults", {}],
  "sse-retry": ["test_reconnection", {}],
};

/** A person who accepts what a form is filled with already. */
const side: ClientSide = {
  capabilities: { elicitation: { form: { applyDefaults: true } } },
  prepare(client) {
    client.setRequestHandler(ElicitRequestSchema, async () => ({ action: "accept", content: {} }));
  },
};

const target = { transport: "http" as const, url: process.argv.at(-1) ?? "", headers: {} };
const config = { name: "suite", state: "enabled" as const, target, transport: target.transport, origins: [] };
const connection = await connectServer(config, { timeoutMs: 10_000, side });
try {
  const call = CALLS[process.env.MCP_CONFORMANCE_SCENARIO ?? ""];
  if (call !== undefined) await connection.callTool(...call);
} finally {
  await connection.close();
}
