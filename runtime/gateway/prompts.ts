/** A person's explicit choice of a server or a tool, as MCP prompts: getting one makes the tools available. */
import {
  type CompleteRequest,
  type CompleteResult,
  ErrorCode,
  type GetPromptRequest,
  type GetPromptResult,
  McpError,
  type Prompt,
} from "@modelcontextprotocol/sdk/types.js";
import { formatInvocation } from "../../skills/composer-mcp/invocation.ts";
import { createMenu } from "../../skills/composer-mcp/menu.ts";
import { describeError } from "../core/errors.ts";
import type { RequestExtra } from "./feature.ts";
import type { SessionState } from "./session-state.ts";
import { stableName } from "./stable-name.ts";

const SERVER = { name: "server", description: "The server's name", required: true };
const TOOL = { name: "tool", description: "The tool's own name", required: true };
const TASK = { name: "task", description: "What to do with it", required: true };

export const PROMPTS: readonly Prompt[] = [
  {
    name: "use_server",
    title: "Use an MCP server",
    description: "Make the tools of one server available, and say what to do with them",
    arguments: [SERVER, TASK],
  },
  {
    name: "use_tool",
    title: "Use an MCP tool",
    description: "Make exactly one tool of a server available, and say what to do with it",
    arguments: [SERVER, TOOL, TASK],
  },
];

/** The most values of one completion (MCP specification 2025-11-25, "Completion"). */
const MAX_VALUES = 100;

export function getPrompt(
  { name, arguments: given = {} }: GetPromptRequest["params"],
  session: SessionState,
  extra: RequestExtra,
): Promise<GetPromptResult> | undefined {
  if (!PROMPTS.some((prompt) => prompt.name === name)) return undefined;
  return select(name === "use_tool", given, session, extra);
}

async function select(
  oneTool: boolean,
  given: Record<string, string>,
  session: SessionState,
  extra: RequestExtra,
): Promise<GetPromptResult> {
  const { loaded } = await session.tools.now();
  const before = JSON.stringify(loaded.list());
  const outcome = loaded.select({ text: `${tokenOf(oneTool, given)} ${given.task ?? ""}` });
  if ("code" in outcome) {
    throw new McpError(ErrorCode.InvalidParams, outcome.message, { code: outcome.code });
  }
  if (JSON.stringify(loaded.list()) !== before) await session.context.changed("tools", extra);
  const { message, tools } = outcome;
  const names = tools.loaded.map(({ server, name }) => stableName(server, name));
  const left = tools.left.map(({ server, name }) => stableName(server, name));
  const lines = [
    message.instruction,
    `In your tool list now: ${names.join(", ")}.`,
    ...(left.length > 0 ? [`For call_tool, since the list is full: ${left.join(", ")}.`] : []),
    "",
    given.task ?? "",
  ];
  return { messages: [{ role: "user", content: { type: "text", text: lines.join("\n") } }] };
}

function tokenOf(oneTool: boolean, { server = "", tool = "" }: Record<string, string>): string {
  try {
    return formatInvocation(server, oneTool ? tool : undefined);
  } catch (error) {
    throw new McpError(ErrorCode.InvalidParams, describeError(error), { code: "malformed" });
  }
}

export async function completeArgument(
  { ref, argument, context }: CompleteRequest["params"],
  session: SessionState,
): Promise<CompleteResult> {
  const none = { completion: { values: [] } };
  if (ref.type !== "ref/prompt" || !PROMPTS.some(({ name }) => name === ref.name)) return none;
  const { book, loaded } = await session.tools.now();
  const entries = loaded.catalogue().filter(({ mcpServerId, mcpToolName }) => {
    if (argument.name === "server") return mcpToolName === undefined;
    const server = context?.arguments?.server;
    return argument.name === "tool" && mcpToolName !== undefined && (server === undefined || server === mcpServerId);
  });
  const found = createMenu(entries).filter(argument.value, { limit: Number.POSITIVE_INFINITY });
  const values = found.map(({ mcpServerId, mcpToolName }) =>
    mcpToolName === undefined ? mcpServerId : (book.named(mcpToolName)?.name ?? mcpToolName),
  );
  const unique = [...new Set(values)];
  return {
    completion: {
      values: unique.slice(0, MAX_VALUES),
      total: unique.length,
      hasMore: unique.length > MAX_VALUES,
    },
  };
}
