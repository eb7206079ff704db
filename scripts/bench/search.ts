/**
 * How well and how fast tools are found, beside MiniSearch (defaults, and tuned) in the same run.
 *
 *   bun run bench:search                                     sets beside the checkout, where there are any
 *   bun run bench:search -- --sets DIR                       all of a folder: x.tools.jsonl with its x.*.jsonl requests
 *   bun run bench:search -- --tools FILE --queries FILE
 *   … --meaning                                              also with a sentence-embedding model (minutes)
 *   … --speed                                                indexing, asking and memory, instead of quality
 *   … --tokens                                               the estimate of tokens beside a real tokenizer's count
 *
 * A tool is a line `{ server, name, description?, props? }`, a request `{ query, relevant: [tool names] }`. R@k is the share
 * of the relevant tools among the first k, averaged over the requests.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { qualityTable } from "./search/quality.ts";
import { findSets, readSet } from "./search/sets.ts";
import { speedTable } from "./search/speed.ts";
import { tokensTable } from "./search/tokens.ts";
import { tableOf } from "./table.ts";

const { values } = parseArgs({
  options: {
    sets: { type: "string" },
    tools: { type: "string" },
    queries: { type: "string" },
    meaning: { type: "boolean", default: false },
    speed: { type: "boolean", default: false },
    tokens: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

const beside = fileURLToPath(new URL("../../../shared/retrieval", import.meta.url));
const rows = values.speed ? await speedTable() : await ofSets();
if (values.json) console.log(JSON.stringify(rows, null, 2));
else console.log(tableOf(rows));

async function ofSets(): Promise<Record<string, string>[]> {
  const { tools, queries, sets = beside } = values;
  const found = tools !== undefined && queries !== undefined ? [readSet(tools, [queries])] : findSets(sets);
  if (found.length === 0) {
    console.error(
      `No sets ${existsSync(sets) ? `(x.tools.jsonl and x.*.jsonl) in ${join(sets)}` : "beside this checkout"}: give --tools FILE --queries FILE`,
    );
    process.exit(2);
  }
  return values.tokens ? tokensTable(found) : qualityTable(found, { meaning: values.meaning });
}
