/**
 * The tool index: ranks tools for a request, by words alone or by words and meaning. By words it is deterministic,
 * synchronous and does no I/O; meaning comes from an embedder that the caller plugs in.
 */
import type { Tool } from "../core/contracts.ts";
import { createMeaning, type Embed, fuse, type MeaningState } from "./meaning.ts";
import { topOf } from "./top.ts";
import { createWordIndex, type Found } from "./word-index.ts";

export type { Embed, MeaningState };

export interface Hit {
  tool: Tool;
  /** Higher is better; comparable within one search only. */
  score: number;
  /** The request's words that the tool has, itself or by a synonym, as typed but in lower case, in the request's order. */
  matched: string[];
}

export interface SearchOptions {
  /** The most hits; default 8. */
  limit?: number;
}

export interface IndexOptions {
  /** Gives a vector for each text, all of one length, such as a sentence-embedding model does. */
  embed?: Embed;
}

export interface ToolIndex {
  size: number;
  /** By words: the best first, ties in the order given. */
  search(query: string, options?: SearchOptions): Hit[];
  /**
   * By words and meaning. Where there are no vectors, none yet, or the embedder fails, it is {@link search}; never rejects.
   * A tool that has none of the words may be among the hits.
   */
  searchByMeaning(query: string, options?: SearchOptions): Promise<Hit[]>;
  /** Whether the tools' vectors are there, and what went wrong where they will not be. */
  meaning(): MeaningState;
  /** Resolves when the tools' vectors are there or have failed; at once without an embedder. Never rejects. */
  ready: Promise<void>;
}

export function createToolIndex(tools: readonly Tool[], { embed }: IndexOptions = {}): ToolIndex {
  const words = createWordIndex(tools);
  const meaning = createMeaning(tools, embed);
  const hitsOf = (places: number[], scores: ArrayLike<number>, found: Found): Hit[] => {
    const matched = new Map(places.map((place): [number, string[]] => [place, []]));
    for (const { word, tools: having } of found.words) for (const place of having) matched.get(place)?.push(word);
    return places.map((place) => ({
      tool: tools[place] as Tool,
      score: scores[place] as number,
      matched: matched.get(place) as string[],
    }));
  };
  const search = (query: string, { limit = 8 }: SearchOptions = {}) =>
    words.find(query, (found) => hitsOf(topOf(found.tools, found.scores, Math.floor(limit)), found.scores, found));
  return {
    size: tools.length,
    search,
    async searchByMeaning(query, options = {}) {
      const similarities = await meaning.similarities(query);
      if (similarities === null) return search(query, options);
      return words.find(query, (found) => {
        const scores = fuse(found.scores, similarities);
        return hitsOf(topOf([...tools.keys()], scores, Math.floor(options.limit ?? 8)), scores, found);
      });
    },
    meaning: meaning.state,
    ready: meaning.ready,
  };
}
