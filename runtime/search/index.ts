/**
 * The tool index: ranks tools for a request by BM25 over weighted fields, where a request's word also counts by its
 * synonyms. Deterministic, synchronous, no I/O.
 */
import type { Tool } from "../core/contracts.ts";
import { partsOf } from "./compounds.ts";
import { createPostings } from "./postings.ts";
import { isSlip } from "./slips.ts";
import { LONGEST_TERM, SYNONYMS } from "./synonyms.ts";
import { topOf } from "./top.ts";
import { stem, wordsOf } from "./words.ts";

export interface Hit {
  tool: Tool;
  /** Higher is better; comparable within one search only. */
  score: number;
  /** The request's words that the tool has, itself or by a synonym, as typed but in lower case, in the request's order. */
  matched: string[];
}

export interface ToolIndex {
  size: number;
  /** The best first, ties in the order given; at most `limit` (default 8). */
  search(query: string, options?: { limit?: number }): Hit[];
}

/** How much a word counts by the field it stands in. */
const WEIGHTS = { name: 3, title: 2, server: 1, description: 1, properties: 0.5 };
/** How much a part of a compound counts beside the whole. */
const PART = 0.7;
/** How much a synonym counts beside the word itself, and a word that only a slip separates. */
const SYNONYM = 0.45;
const SLIP = 0.6;
/** A synonym that more than this share of the tools have tells none of them from the others. */
const COMMON = 0.2;
/** BM25's saturation of repeated words, and how far a long text counts less. */
const SATURATION = 1.8;
const LENGTH_PENALTY = 0.5;

/** Words of a request beyond these are not read. */
const MAX_WORDS = 4000;

export function createToolIndex(tools: readonly Tool[]): ToolIndex {
  const lexicon = createLexicon();
  const postings = createPostings(tools.length);
  // First the words that are written apart, in descriptions and in other names: they say where a compound falls apart.
  const described = tools.map(({ name, description = "" }) => {
    const parts = wordsOf(name);
    if (parts.length > 1) for (const part of parts) lexicon.learn(part);
    return wordsOf(description).map((word) => lexicon.learn(word));
  });
  const split = partsCache(lexicon.spelled);
  tools.forEach((tool, at) => {
    for (const word of described[at] as number[]) postings.add(word, WEIGHTS.description);
    const add = (text: string | undefined, weight: number) => {
      for (const word of wordsOf(text ?? "")) {
        postings.add(lexicon.stemOf(word), weight);
        for (const part of split(word)) postings.add(lexicon.stemOf(part), weight * PART);
      }
    };
    add(tool.name, WEIGHTS.name);
    add(tool.title, WEIGHTS.title);
    add(tool.server, WEIGHTS.server);
    const { properties } = tool.inputSchema ?? {};
    if (typeof properties === "object" && properties !== null) {
      for (const word of wordsOf(Object.keys(properties).join(" ")))
        postings.add(lexicon.stemOf(word), WEIGHTS.properties);
    }
    postings.next();
  });
  const { starts, tools: owners, weights, lengths } = postings.build(lexicon.stems.size);
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, tools.length) || 1;
  const penalties = lengths.map((length) => SATURATION * (1 - LENGTH_PENALTY + (LENGTH_PENALTY * length) / mean));
  const frequency = (word: number) => (starts[word + 1] as number) - (starts[word] as number);

  /** The indexed words that a request's word stands for, each with how much it counts. */
  const meaningsOf = (word: string, following: string[]): [id: number, share: number][] => {
    const own = stem(word);
    const id = lexicon.stems.get(own);
    const meanings = new Map<number, number>(id === undefined ? [] : [[id, 1]]);
    const also = (stemmed: string, share: number) => {
      const other = lexicon.stems.get(stemmed);
      if (other === undefined || meanings.has(other)) return;
      if (share === SYNONYM && tools.length >= 8 && frequency(other) > COMMON * tools.length) return;
      meanings.set(other, share);
    };
    for (const other of SYNONYMS.get(own) ?? []) also(other, SYNONYM);
    for (let term = own, at = 0; at < following.length; at++) {
      term += ` ${stem(following[at] as string)}`;
      for (const other of SYNONYMS.get(term) ?? []) also(other, SYNONYM);
    }
    if (meanings.size === 0) for (const part of split(word)) also(stem(part), PART);
    if (meanings.size === 0 && own.length >= 5) {
      for (const [known] of lexicon.stems) if (known[0] === own[0] && isSlip(known, own)) also(known, SLIP);
    }
    return [...meanings];
  };

  const scores = new Float64Array(tools.length);
  const found = new Float32Array(tools.length);
  return {
    size: tools.length,
    search(query, { limit = 8 } = {}) {
      const words = wordsOf(query, MAX_WORDS);
      const candidates: number[] = [];
      const asked: { word: string; owners: Set<number> | number[] }[] = [];
      const seen = new Set<string>();
      words.forEach((word, at) => {
        if (seen.has(stem(word))) return;
        seen.add(stem(word));
        const having: number[] = [];
        for (const [id, share] of meaningsOf(word, words.slice(at + 1, at + LONGEST_TERM))) {
          for (let entry = starts[id] as number; entry < (starts[id + 1] as number); entry++) {
            const owner = owners[entry] as number;
            if (found[owner] === 0) having.push(owner);
            found[owner] = (found[owner] as number) + share * (weights[entry] as number);
          }
        }
        const rarity = rarityOf(having.length, tools.length);
        for (const owner of having) {
          const weight = found[owner] as number;
          found[owner] = 0;
          if (scores[owner] === 0) candidates.push(owner);
          scores[owner] =
            (scores[owner] as number) + (rarity * weight * (SATURATION + 1)) / (weight + (penalties[owner] as number));
        }
        if (having.length > 0) asked.push({ word, owners: having });
      });
      const best = topOf(candidates, scores, Math.floor(limit));
      const chosen = new Set(best);
      const matched = new Map(best.map((owner): [number, string[]] => [owner, []]));
      for (const { word, owners } of asked)
        for (const owner of owners) if (chosen.has(owner)) matched.get(owner)?.push(word);
      const hits = best.map((owner) => ({
        tool: tools[owner] as Tool,
        score: scores[owner] as number,
        matched: matched.get(owner) as string[],
      }));
      for (const owner of candidates) scores[owner] = 0;
      return hits;
    },
  };
}

/** How much a word says that `having` of `all` tools have. Rounded, since runtimes differ in a logarithm's last digit. */
function rarityOf(having: number, all: number): number {
  return Math.round(Math.log(1 + (all - having + 0.5) / (having + 0.5)) * 1e6) / 1e6;
}

/** Numbers for stems, and which words somebody wrote apart. */
function createLexicon() {
  const stems = new Map<string, number>();
  const byWord = new Map<string, number>();
  const spelled = new Set<string>();
  const stemOf = (word: string): number => {
    const known = byWord.get(word);
    if (known !== undefined) return known;
    const stemmed = stem(word);
    let id = stems.get(stemmed);
    if (id === undefined) {
      id = stems.size;
      stems.set(stemmed, id);
    }
    byWord.set(word, id);
    return id;
  };
  const learn = (word: string): number => {
    const known = byWord.get(word);
    if (known !== undefined) return known;
    spelled.add(word);
    return stemOf(word);
  };
  return { stems, spelled, stemOf, learn };
}

function partsCache(known: ReadonlySet<string>): (word: string) => string[] {
  const parts = new Map<string, string[]>();
  return (word) => {
    let found = parts.get(word);
    if (found === undefined) {
      found = partsOf(word, known);
      if (parts.size < 100_000) parts.set(word, found);
    }
    return found;
  };
}
