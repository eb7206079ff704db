/** Indexing, asking and memory at three sizes, ours and MiniSearch by turns, over made-up tools of the field's words. */

import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import type { Tool } from "../../../runtime/core/contracts.ts";
import { readTables } from "../../../runtime/core/tables.ts";
import { readSynonyms } from "../../../runtime/search/synonym-table.ts";
import { quantile } from "../quantile.ts";
import { RIVALS } from "./rivals.ts";

const SIZES = [1_000, 10_000, 100_000];
const ROUNDS = 3;

export async function speedTable(): Promise<Record<string, string>[]> {
  const random = seeded(7);
  const words = await vocabulary(random);
  /** Few words are common and most are rare, as in any text. */
  const word = () => words[Math.floor(words.length * random() ** 2.5)] as string;
  const some = (count: number) => Array.from({ length: count }, word);
  const queries = Array.from({ length: 200 }, () => some(4 + Math.floor(random() * 8)).join(" "));
  const rows: Record<string, string>[] = [];
  for (const size of SIZES) {
    const tools = Array.from(
      { length: size },
      (_, at): Tool => ({
        server: `server-${at % Math.ceil(size / 20)}`,
        name: some(3).join("_"),
        description: some(12 + Math.floor(random() * 30)).join(" "),
        inputSchema: { type: "object", properties: Object.fromEntries(some(3).map((name) => [name, {}])) },
      }),
    );
    const asked = queries.slice(0, size > 10_000 ? 60 : 200);
    const figures = new Map<string, { build: number[]; query: number[]; bytes: number[] }>();
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of ["this index", "MiniSearch, defaults"] as const) {
        const { build = [], query = [], bytes = [] } = figures.get(name) ?? {};
        const before = memory();
        const start = performance.now();
        const rank = RIVALS[name](tools);
        build.push(performance.now() - start);
        bytes.push((memory() - before) / size);
        for (const text of asked) {
          const from = performance.now();
          rank(text, 8);
          query.push(performance.now() - from);
        }
        figures.set(name, { build, query, bytes });
      }
    }
    const other = figures.get("MiniSearch, defaults");
    for (const [name, { build, query, bytes }] of figures) {
      const ratio = (of: "build" | "query") => (quantile(figures.get(name)?.[of]) / quantile(other?.[of])).toFixed(2);
      rows.push({
        tools: size.toLocaleString("en"),
        ranker: name,
        "index ms": quantile(build).toFixed(0),
        "× MiniSearch": ratio("build"),
        "query p50 ms": quantile(query).toFixed(3),
        "× MiniSearch ": ratio("query"),
        "bytes a tool": quantile(bytes).toFixed(0),
      });
    }
  }
  return rows;
}

/** The words of the synonym table, and ten made-up ones for each: real listings have a long tail of names of their own. */
async function vocabulary(random: () => number): Promise<string[]> {
  const file = new URL("../../../runtime/search/synonyms.md", import.meta.url);
  const rows = readSynonyms(await readTables(readFileSync(file, "utf8"), "synonyms.md"));
  const terms = rows.map(([term]) => term);
  const known = [...new Set(terms.flatMap((term) => term.split(" ")))];
  const syllables = known.map((term) => term.slice(0, 3)).filter((syllable) => syllable.length === 3);
  const pick = () => syllables[Math.floor(random() * syllables.length)] as string;
  return [...known, ...known.flatMap(() => Array.from({ length: 10 }, () => pick() + pick() + pick()))];
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

function memory(): number {
  Bun.gc(true);
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
