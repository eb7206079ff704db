/** Ranking for a request with several parts: each part has its best tool among the first few, not eight tools of one part. */
import type { Tool } from "../../runtime/core/contracts.ts";
import { clausesOf } from "../../runtime/search/clauses.ts";
import type { Hit, ToolIndex } from "../../runtime/search/index.ts";

/** How far down each ranking is read. */
const DEPTH = 100;

/**
 * The best tools for a request, at most `limit`, best first; those in `without` have their place already. A tool counts by
 * its score for the whole request and by its best score for one clause, each as a share of the highest; the best of each
 * clause keeps a place, as far as there is room. A request of one clause is an ordinary search.
 */
export function searchParts(
  index: ToolIndex,
  request: string,
  limit: number,
  without: ReadonlySet<Tool> = new Set(),
): Hit[] {
  const clauses = clausesOf(request);
  const whole = index.search(request, { limit: Math.max(DEPTH, limit + without.size) });
  if (clauses.length < 2) return whole.filter(({ tool }) => !without.has(tool)).slice(0, limit);
  const hits = new Map<Tool, Hit>(shares(whole).map((hit): [Tool, Hit] => [hit.tool, hit]));
  const inClauses = new Map<Tool, Hit>();
  const leading = new Set<Tool>();
  for (const clause of clauses) {
    const found = shares(index.search(clause, { limit: DEPTH }));
    if (found[0] !== undefined) leading.add(found[0].tool);
    for (const hit of found) {
      if (hit.score > (inClauses.get(hit.tool)?.score ?? 0)) inClauses.set(hit.tool, hit);
    }
  }
  for (const [tool, hit] of inClauses) {
    const known = hits.get(tool);
    hits.set(tool, known === undefined ? hit : { ...known, score: known.score + hit.score });
  }
  const ranked = [...hits.values()]
    .filter(({ tool }) => !without.has(tool))
    .sort((left, right) => right.score - left.score);
  const kept = ranked.filter(({ tool }) => leading.has(tool)).slice(0, limit);
  const rest = ranked.filter(({ tool }) => !leading.has(tool)).slice(0, limit - kept.length);
  return [...kept, ...rest].sort((left, right) => right.score - left.score);
}

/** Scores as shares of the highest, so that a long clause weighs no more than a short one. */
function shares(hits: Hit[]): Hit[] {
  const highest = hits[0]?.score ?? 1;
  return hits.map((hit) => ({ ...hit, score: hit.score / highest }));
}
