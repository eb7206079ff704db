/** A gateway with real servers behind it, and clients of the official SDK before it. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { type ClientCapabilities, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Inventory, LogRecord } from "../../runtime/core/contracts.ts";
import { createGateway, type Gateway, type GatewayOptions } from "../../runtime/gateway/gateway.ts";
import { listServers } from "../../runtime/inventory/connect.ts";
import type { ServerConfig } from "../../runtime/inventory/server-config.ts";
import { ROOT, SERVER_RUNTIME } from "./cli.ts";

/** A server that is started as a program. */
export function stdioServer(name: string, args: string[], env: Record<string, string> = {}): ServerConfig {
  const target = { transport: "stdio" as const, command: SERVER_RUNTIME, args, env, cwd: ROOT };
  return { name, state: "enabled", target, transport: "stdio", origins: [] };
}

const npm = (name: string) => `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`;

export const everything = stdioServer("everything", [npm("everything")]);

export function memoryServer(file: string): ServerConfig {
  return stdioServer("memory", [npm("memory")], { MEMORY_FILE_PATH: file });
}

export function filesystemServer(folder: string): ServerConfig {
  return stdioServer("filesystem", [npm("filesystem"), folder]);
}

/** A server that misbehaves in the way its mode names. */
export function faultServer(mode: string, name = "fault", ...extra: string[]): ServerConfig {
  return stdioServer(name, ["test/faults/stdio-server.mjs", mode, ...extra]);
}

/** What the servers list, asked once. */
export async function inventoryOf(servers: ServerConfig[]): Promise<Inventory> {
  return { servers: await listServers(servers), problems: [] };
}

export interface TestGateway {
  gateway: Gateway;
  /** Every decision so far. */
  decisions: LogRecord[];
  connect(capabilities?: ClientCapabilities, prepare?: (client: Client) => void): Promise<Client>;
}

export function testGateway(options: Omit<GatewayOptions, "version">): TestGateway {
  const decisions: LogRecord[] = [];
  const gateway = createGateway({ version: "1", log: (record) => void decisions.push(record), ...options });
  return {
    gateway,
    decisions,
    async connect(capabilities = {}, prepare = () => {}) {
      const [near, far] = InMemoryTransport.createLinkedPair();
      const client = new Client({ name: "test", version: "1" }, { capabilities });
      prepare(client);
      await Promise.all([gateway.openSession().server.connect(far), client.connect(near)]);
      return client;
    },
  };
}

/** A client's side that answers every question with this, and keeps what it was asked. */
export function answering(answer: unknown, asked: string[] = []): (client: Client) => void {
  return (client) =>
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      asked.push(params.message);
      const given = typeof answer === "function" ? await answer(params) : answer;
      return given as never;
    });
}

/** The text of a result. */
export function textOf(result: unknown): string {
  const { content } = result as { content: { type: string; text?: string }[] };
  return content.map(({ text }) => text ?? "").join("\n");
}

export async function toolNames(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

/** The secret that the scripted server is given. */
export const MARK = "c0ffee-secret-mark";

/** A server that does on demand what the public ones do not; `notes` is the file in which it says what it did. */
export function scriptedServer(notes = "", name = "scripted"): ServerConfig {
  return stdioServer(name, ["test/support/scripted-server.mjs"], { MARK, NOTES: notes });
}
