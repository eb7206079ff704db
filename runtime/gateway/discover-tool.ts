/** `agi_mcp_discover`: an intent in, the tools that fit it loaded into the session. */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { loadTools } from "../../skills/agi-mcp-discover/agi-mcp-discover.ts";
import { tokenCounter } from "../inventory/tokens.ts";
import type { RequestExtra } from "./feature.ts";
import { dataResult, textArgument } from "./own-arguments.ts";
import type { SessionState } from "./session-state.ts";
import { stableName } from "./stable-name.ts";
import { toolSummary } from "./tool-summary.ts";

/** How many deferred tools are named: the best of the rest; the others are counted. */
const MAX_DEFERRED = 10;

/** How far the search looks for tools that still have no place. */
const SEARCHED = 40;

export async function discoverTools(
  args: Record<string, unknown>,
  session: SessionState,
  extra: RequestExtra,
): Promise<CallToolResult> {
  const intent = textArgument(args, "intent");
  const { book, loaded } = await session.tools.now();
  session.log.intent(intent);
  const before = JSON.stringify(loaded.list());
  const { loaded: chosen, left } = loaded.load(loadTools(book.usable, intent).tools);
  const shown = loaded.list();
  if (JSON.stringify(shown) !== before) await session.context.changed("tools", extra);

  const deferred = book.tools.length - shown.length;
  const isShown = new Set(shown);
  const found = book.index().search(intent, { limit: SEARCHED });
  const next = [...left, ...found.map(({ tool }) => tool)].filter((tool) => !isShown.has(tool));
  const [all, count] = await Promise.all([book.tokens(), tokenCounter()]);
  const now = count([...shown]);
  return dataResult({
    loaded: chosen.map((tool) => toolSummary(book, tool)),
    ...(chosen.length === 0 && { note: "Nothing fits this intent; try other words, or find_tools" }),
    also_loaded: shown.filter((tool) => !chosen.includes(tool)).map(({ server, name }) => stableName(server, name)),
    deferred: {
      count: deferred,
      next: [...new Set(next)].slice(0, MAX_DEFERRED).map(({ server, name }) => stableName(server, name)),
      how: "call_tool calls any of them; find_tools searches all",
    },
    tokens: { all_tools: all, loaded_tools: now, saved: Math.max(0, all - now) },
  });
}
