/** `find_tools`: a search over every tool, with why each matched. */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { dataResult, textArgument } from "./own-arguments.ts";
import type { SessionState } from "./session-state.ts";
import { toolSummary } from "./tool-summary.ts";

const MAX_RESULTS = 20;

export async function findTools(args: Record<string, unknown>, session: SessionState): Promise<CallToolResult> {
  const query = textArgument(args, "query");
  const wanted = typeof args.limit === "number" && args.limit >= 1 ? Math.floor(args.limit) : 8;
  const { book, loaded } = await session.tools.now();
  const shown = new Set(loaded.list());
  const hits = book.index().search(query, { limit: Math.min(MAX_RESULTS, wanted) });
  return dataResult({
    found: hits.map(({ tool, matched, score }) => ({
      ...toolSummary(book, tool),
      matched,
      score: Math.round(score * 100) / 100,
      loaded: shown.has(tool),
    })),
    searched: book.tools.length,
    ...(hits.length === 0 && { note: "No tool matches; try other words, or capability_map" }),
  });
}
