/** `agi_mcp_discover`: an intent in, the tools that fit it loaded into the session. */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
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

const NOTHING = "Nothing more fits this intent; try other words, or find_tools";
const NO_ROOM = "The list has no room for more; call_tool calls what fits by name";

export async function discoverTools(
  args: Record<string, unknown>,
  session: SessionState,
  extra: RequestExtra,
): Promise<CallToolResult> {
  const intent = textArgument(args, "intent");
  const { book, loaded } = await session.tools.now();
  session.log.intent(intent);
  const before = JSON.stringify(loaded.list());
  // As many as there is room for, pinned ones first: each part of the intent then has its tool among them.
  const fitting = book.load(intent, { max: loaded.room, hot: loaded.pinned() });
  const matched = new Map(fitting.tools.map((tool, at) => [tool, fitting.chosen[at]?.matched ?? []]));
  const { loaded: shownNow } = loaded.load(fitting.tools);
  const chosen = shownNow.filter((tool) => (matched.get(tool) ?? []).length > 0);
  const shown = loaded.list();
  if (JSON.stringify(shown) !== before) await session.context.changed("tools", extra);

  const deferred = book.tools.length - shown.length;
  const isShown = new Set(shown);
  const found = book.index().search(intent, { limit: SEARCHED });
  const next = found.map(({ tool }) => tool).filter((tool) => !isShown.has(tool));
  const [all, count] = await Promise.all([book.tokens(), tokenCounter()]);
  const now = count([...shown]);
  return dataResult({
    loaded: chosen.map((tool) => ({ ...toolSummary(book, tool), matched: matched.get(tool) })),
    ...(chosen.length === 0 && { note: next.length === 0 ? NOTHING : NO_ROOM }),
    also_loaded: shown.filter((tool) => !chosen.includes(tool)).map(({ server, name }) => stableName(server, name)),
    deferred: {
      count: deferred,
      next: next.slice(0, MAX_DEFERRED).map(({ server, name }) => stableName(server, name)),
      how: "call_tool calls any of them; find_tools searches all",
    },
    tokens: { all_tools: all, loaded_tools: now, saved: Math.max(0, all - now) },
  });
}
