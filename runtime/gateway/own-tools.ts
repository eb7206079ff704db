/** The four tools that every session starts with: load for an intent, search, call what is not loaded, and the map. */
import { type CallToolResult, type Tool as ClientTool, McpError } from "@modelcontextprotocol/sdk/types.js";
import { describeError } from "../core/errors.ts";
import { callDeferred } from "./call-tool.ts";
import { capabilityMap } from "./capability-map.ts";
import { discoverTools } from "./discover-tool.ts";
import type { RequestExtra } from "./feature.ts";
import { findTools } from "./find-tools.ts";
import { refusal } from "./refusal.ts";
import type { SessionState } from "./session-state.ts";

interface OwnTool extends ClientTool {
  run(args: Record<string, unknown>, session: SessionState, extra: RequestExtra): Promise<CallToolResult>;
}

const READS = { readOnlyHint: true, openWorldHint: false };

const OWN_TOOLS: readonly OwnTool[] = [
  {
    name: "agi_mcp_discover",
    title: "Load tools for an intent",
    description:
      "Say what you want to do, and the tools of the user's MCP servers that fit best are loaded: they appear in your tool list. Call it again when the task changes; the least recently used tools make room.",
    inputSchema: {
      type: "object",
      properties: { intent: { type: "string", description: "What you want to do, in the words of the task" } },
      required: ["intent"],
    },
    annotations: READS,
    run: discoverTools,
  },
  {
    name: "find_tools",
    title: "Search all tools",
    description:
      "Search every tool of every server, loaded or not. Says why each matched, what it takes and whether it writes.",
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string", description: "A few words" },
        limit: { type: "integer", minimum: 1, maximum: 20, description: "The most results; default 8" },
      },
      required: ["query"],
    },
    annotations: READS,
    run: findTools,
  },
  {
    name: "call_tool",
    title: "Call any tool",
    description:
      "Call a tool that is not in your tool list, by the name that agi_mcp_discover or find_tools gave. A tool that writes asks the user first.",
    inputSchema: {
      type: "object",
      properties: {
        name: { type: "string", description: "Such as mcp__server__tool" },
        arguments: { type: "object", description: "The tool's arguments; default {}" },
      },
      required: ["name"],
    },
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    run: callDeferred,
  },
  {
    name: "capability_map",
    title: "What is there",
    description: "Every MCP server with its state, and for each capability how many tools read and write.",
    inputSchema: {
      type: "object",
      properties: { capability: { type: "string", description: "Only this one, with its tools by name" } },
    },
    annotations: READS,
    run: capabilityMap,
  },
];

export const OWN_TOOL_COUNT = OWN_TOOLS.length;

/** The tools as a client lists them. */
export function ownTools(): ClientTool[] {
  return OWN_TOOLS.map(({ run: _run, ...tool }) => tool);
}

/** Runs one of them; `undefined` where the name is none of theirs. */
export function callOwnTool(
  name: string,
  args: Record<string, unknown>,
  session: SessionState,
  extra: RequestExtra,
): Promise<CallToolResult> | undefined {
  const tool = OWN_TOOLS.find((own) => own.name === name);
  if (tool !== undefined) session.tools.retry();
  return tool?.run(args, session, extra).catch((error: unknown) => {
    // What is meant for the client and not for the model.
    if (error instanceof McpError) throw error;
    return refusal(`${name}: ${describeError(error)}`);
  });
}
