/** The tool index: ranks tools for a query by BM25 over weighted fields. Deterministic, synchronous, no I/O. */
import type { Tool } from "../core/contracts.ts";
import { searchWords } from "./words.ts";

export interface Hit {
  tool: Tool;
  score: number;
  /** The query's words that were found, in the query's order. */
  matched: string[];
}

export interface ToolIndex {
  size: number;
  /** The best first, ties in the order given; at most `limit` (default 8). */
  search(query: string, options?: { limit?: number }): Hit[];
}

/** How much a word counts by the field it stands in. */
const WEIGHTS = { name: 3, title: 2, server: 1, description: 1, properties: 0.5 };

const SATURATION = 1.2;
const LENGTH_PENALTY = 0.5;

export function createToolIndex(tools: readonly Tool[]): ToolIndex {
  const postings = new Map<string, { at: number; weight: number }[]>();
  const lengths = new Float64Array(tools.length);
  tools.forEach((tool, at) => {
    const weights = weightsOf(tool);
    for (const [word, weight] of weights) {
      const list = postings.get(word);
      if (list === undefined) postings.set(word, [{ at, weight }]);
      else list.push({ at, weight });
      lengths[at] = (lengths[at] ?? 0) + weight;
    }
  });
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, tools.length);
  return {
    size: tools.length,
    search(query, { limit = 8 } = {}) {
      const scores = new Map<number, { score: number; matched: string[] }>();
      for (const word of new Set(searchWords(query))) {
        const list = postings.get(word) ?? [];
        const rarity = Math.log(1 + (tools.length - list.length + 0.5) / (list.length + 0.5));
        for (const { at, weight } of list) {
          const length = 1 - LENGTH_PENALTY + (LENGTH_PENALTY * (lengths[at] ?? 0)) / mean;
          const hit = scores.get(at) ?? { score: 0, matched: [] };
          hit.score += (rarity * weight * (SATURATION + 1)) / (weight + SATURATION * length);
          hit.matched.push(word);
          scores.set(at, hit);
        }
      }
      return [...scores]
        .sort(([left, a], [right, b]) => b.score - a.score || left - right)
        .slice(0, Math.max(0, limit))
        .map(([at, hit]) => ({ tool: tools[at] as Tool, ...hit }));
    },
  };
}

function weightsOf(tool: Tool): Map<string, number> {
  const weights = new Map<string, number>();
  const add = (text: string | undefined, weight: number) => {
    for (const word of searchWords(text ?? "")) weights.set(word, (weights.get(word) ?? 0) + weight);
  };
  add(tool.name, WEIGHTS.name);
  add(tool.title, WEIGHTS.title);
  add(tool.server, WEIGHTS.server);
  add(tool.description, WEIGHTS.description);
  const { properties } = tool.inputSchema ?? {};
  if (typeof properties === "object" && properties !== null) add(Object.keys(properties).join(" "), WEIGHTS.properties);
  return weights;
}
