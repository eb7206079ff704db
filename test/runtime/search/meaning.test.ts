/**
 * Searching by meaning. The embedder is a stand-in that counts topics, since a real one is a package of 28 MB that the tests
 * have no need of; `examples/search-by-meaning.ts` runs with a real one.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tool } from "../../../runtime/core/contracts.ts";
import { createToolIndex, type Embed } from "../../../runtime/search/index.ts";

const TOOLS: Tool[] = [
  { server: "w", name: "get_forecast", description: "Rain and wind" },
  { server: "b", name: "list_transactions", description: "Paid and received" },
  { server: "m", name: "find_route", description: "The way to a place" },
];

/** One number for each topic: how many of its words a text has. */
const TOPICS = [/rain|umbrella|forecast/gi, /paid|money|transactions/gi, /route|way/gi];
const embed: Embed = async (texts) => texts.map((text) => TOPICS.map((topic) => text.match(topic)?.length ?? 0));

const names = (hits: { tool: Tool }[]) => hits.map(({ tool }) => tool.name);

test("with vectors, a request finds what it means although no word is the same", async () => {
  const index = createToolIndex(TOOLS, { embed });
  assert.equal(index.meaning().state, "pending");
  await index.ready;
  assert.equal(index.meaning().state, "ready");
  assert.deepEqual(names(index.search("umbrella")), []);
  const hits = await index.searchByMeaning("umbrella", { limit: 2 });
  assert.equal(hits[0]?.tool.name, "get_forecast");
  assert.equal(hits.length, 2);
  assert.deepEqual(hits[0]?.matched, []);
});

test("scores are fused: a tool that has the words and the meaning comes before one that has either", async () => {
  const index = createToolIndex([...TOOLS, { server: "x", name: "umbrella_shop", description: "money for umbrella" }], {
    embed,
  });
  await index.ready;
  const [first] = await index.searchByMeaning("umbrella");
  assert.equal(first?.tool.name, "umbrella_shop");
  assert.deepEqual(first?.matched, ["umbrella"]);
});

test("before its vectors are there, and without an embedder, the index answers by words", async () => {
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  const index = createToolIndex(TOOLS, { embed: (texts) => held.then(() => embed(texts)) });
  assert.deepEqual(names(await index.searchByMeaning("rain")), ["get_forecast"]);
  release();
  await index.ready;
  assert.equal((await index.searchByMeaning("rain")).length, 3);

  const plain = createToolIndex(TOOLS);
  await plain.ready;
  assert.equal(plain.meaning().state, "none");
  assert.deepEqual(await plain.searchByMeaning("rain"), plain.search("rain"));
});

test("an embedder that fails or gives nonsense costs the meaning, not the search, and says so", async () => {
  const bad: Record<string, Embed> = {
    throws: async () => {
      throw new Error("no model");
    },
    few: async () => [[1]],
    ragged: async (texts) => texts.map((_, at) => Array(at + 1).fill(1)),
    "no numbers": async (texts) => texts.map(() => [Number.NaN]),
    "no vectors": (async () => "vectors") as unknown as Embed,
  };
  for (const [what, broken] of Object.entries(bad)) {
    const index = createToolIndex(TOOLS, { embed: broken });
    await index.ready;
    assert.equal(index.meaning().state, "failed", what);
    assert.match(index.meaning().problem?.code ?? "", /^(?:embed-failed|bad-vectors)$/, what);
    assert.deepEqual(names(await index.searchByMeaning("rain")), ["get_forecast"], what);
  }
});

test("a request whose vector fails is answered by words, and the next is whole again", async () => {
  let fail = false;
  const index = createToolIndex(TOOLS, {
    embed: (texts) => (fail ? Promise.reject(new Error("gone")) : embed(texts)),
  });
  await index.ready;
  fail = true;
  assert.deepEqual(names(await index.searchByMeaning("rain")), ["get_forecast"]);
  assert.equal(index.meaning().problem?.code, "embed-failed");
  fail = false;
  assert.equal((await index.searchByMeaning("rain")).length, 3);
  assert.equal(index.meaning().problem, undefined);
});

test("an index of nothing has nothing to embed", async () => {
  const index = createToolIndex([], { embed });
  await index.ready;
  assert.deepEqual(await index.searchByMeaning("rain"), []);
});
