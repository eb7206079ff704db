/**
 * Ranking by words: BM25 over weighted fields, where a request's word also counts by its synonyms, by the parts of a
 * compound, and, where no tool has it, by what one slip of the pen makes of it.
 */
import type { Tool } from "../core/contracts.ts";
import { partsOf } from "./compounds.ts";
import { createPostings } from "./postings.ts";
import { isSlip } from "./slips.ts";
import { LONGEST_TERM, SYNONYMS } from "./synonyms.ts";
import { stem, wordsOf } from "./words.ts";

/** What a request found, by the tools' places in the list; valid until the next request. */
export interface Found {
  /** Tools with a score, in no particular order. */
  tools: number[];
  /** By tool; 0 where nothing was found. */
  scores: Float64Array;
  /** The request's words that some tool has, in its order, each with these tools. */
  words: { word: string; tools: number[] }[];
}

export interface WordIndex {
  /** Gives what a request finds to `use`, and what that gives back. */
  find<Result>(request: string, use: (found: Found) => Result): Result;
}

/** How much a word counts by the field it stands in. */
const WEIGHTS = { name: 3, title: 2, server: 1, description: 1, properties: 0.5 };
/** How much a part of a compound counts beside the whole. */
const PART = 0.7;
/** How much a synonym counts beside the word itself, and a word that only a slip separates. */
const SYNONYM = 0.45;
const SLIP = 0.4;
/** A synonym that more than this share of the tools have tells none of them from the others. */
const COMMON = 0.2;
/** BM25's saturation of repeated words, and how far a long text counts less. */
const SATURATION = 1.8;
const LENGTH_PENALTY = 0.5;

/** Words of a request beyond these are not read. */
const MAX_WORDS = 4000;
/** Words of a request that no tool has, beyond these, are not looked at for slips: each costs a walk over all words. */
const MAX_SLIPS = 32;

export function createWordIndex(tools: readonly Tool[]): WordIndex {
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
    return [...meanings];
  };
  const slipsOf = (word: string): [id: number, share: number][] => {
    const own = stem(word);
    const near =
      own.length < 5 ? [] : [...lexicon.stems].filter(([known]) => known[0] === own[0] && isSlip(known, own));
    return near.map(([, id]) => [id, SLIP]);
  };

  const scores = new Float64Array(tools.length);
  const weighed = new Float32Array(tools.length);
  return {
    find(request, use) {
      const words = wordsOf(request, MAX_WORDS);
      const found: Found = { tools: [], scores, words: [] };
      const seen = new Set<string>();
      let slips = 0;
      words.forEach((word, at) => {
        if (seen.has(stem(word))) return;
        seen.add(stem(word));
        const having: number[] = [];
        let meanings = meaningsOf(word, words.slice(at + 1, at + LONGEST_TERM));
        if (meanings.length === 0 && slips++ < MAX_SLIPS) meanings = slipsOf(word);
        for (const [id, share] of meanings) {
          for (let entry = starts[id] as number; entry < (starts[id + 1] as number); entry++) {
            const owner = owners[entry] as number;
            if (weighed[owner] === 0) having.push(owner);
            weighed[owner] = (weighed[owner] as number) + share * (weights[entry] as number);
          }
        }
        if (having.length === 0) return;
        const rarity = rarityOf(having.length, tools.length);
        for (const owner of having) {
          const weight = weighed[owner] as number;
          weighed[owner] = 0;
          if (scores[owner] === 0) found.tools.push(owner);
          scores[owner] =
            (scores[owner] as number) + (rarity * weight * (SATURATION + 1)) / (weight + (penalties[owner] as number));
        }
        found.words.push({ word, tools: having });
      });
      try {
        return use(found);
      } finally {
        for (const owner of found.tools) scores[owner] = 0;
      }
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
