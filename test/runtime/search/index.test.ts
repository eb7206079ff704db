/** The tool index: what a request finds, in which order, and that nothing in tools or requests can upset it. */
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import type { Tool } from "../../../runtime/core/contracts.ts";
import { createToolIndex } from "../../../runtime/search/index.ts";
import { ROOT } from "../../support/cli.ts";

const TOOLS: Tool[] = [
  { server: "forge", name: "create_pull_request", description: "Open a request to merge a branch" },
  { server: "forge", name: "list_issues", description: "List the issues of a repository" },
  { server: "cluster", name: "list_nodes", description: "Nodes of the Kubernetes cluster" },
  { server: "weather", name: "forecast", description: "Temperature and rain for the coming days" },
  {
    server: "airqualityforecast",
    name: "airqualityforecast",
    description: "What is in the air, and its quality today",
  },
  { server: "mail", name: "sendMessage", description: "Send a mail", inputSchema: { properties: { recipient: {} } } },
  { server: "files", name: "读取文件", description: "读取本地文件的内容" },
  { server: "odd", name: "__proto__", description: "constructor" },
];

function found(query: string, limit?: number): string[] {
  return createToolIndex(TOOLS)
    .search(query, limit === undefined ? {} : { limit })
    .map(({ tool }) => tool.name);
}

test("a request finds tools by name, description, server and property, the rarer word first", () => {
  assert.equal(found("issues")[0], "list_issues");
  assert.equal(found("temperature")[0], "forecast");
  assert.equal(found("mail")[0], "sendMessage");
  assert.deepEqual(found("the recipient"), ["sendMessage"]);
  assert.equal(found("list the nodes")[0], "list_nodes");
});

test("inflections, synonyms, abbreviations, compounds and slips of the pen are met", () => {
  assert.equal(found("listing an issue")[0], "list_issues");
  assert.equal(found("weather of tomorrow")[0], "forecast");
  assert.equal(found("open a PR")[0], "create_pull_request");
  assert.equal(found("merge request")[0], "create_pull_request");
  assert.equal(found("k8s")[0], "list_nodes");
  assert.equal(found("how is the air quality")[0], "airqualityforecast");
  assert.equal(found("pullrequest")[0], "create_pull_request");
  assert.equal(found("temprature")[0], "forecast");
  assert.equal(found("文件内容")[0], "读取文件");
});

test("a hit says which words of the request it has, and its score", () => {
  const [hit] = createToolIndex(TOOLS).search("List all Issues, please");
  assert.equal(hit?.tool.name, "list_issues");
  assert.deepEqual(hit?.matched, ["list", "issues"]);
  assert.ok((hit?.score ?? 0) > 0);
});

test("limits: eight by default, as many as asked for, none of what does not match", () => {
  const many = Array.from({ length: 20 }, (_, at): Tool => ({ server: "s", name: `read_${at}` }));
  const index = createToolIndex(many);
  assert.equal(index.size, 20);
  assert.equal(index.search("read").length, 8);
  assert.equal(index.search("read", { limit: 20 }).length, 20);
  assert.deepEqual(index.search("read", { limit: 0 }), []);
  assert.deepEqual(index.search("read", { limit: -1 }), []);
  assert.deepEqual(index.search("zebra"), []);
  assert.deepEqual(index.search(""), []);
  assert.deepEqual(createToolIndex([]).search("read"), []);
  // Equals come in the order given.
  assert.deepEqual(
    index.search("read", { limit: 3 }).map(({ tool }) => tool.name),
    ["read_0", "read_1", "read_2"],
  );
});

test("names such as __proto__ and constructor are words like any other", () => {
  assert.deepEqual(found("proto"), ["__proto__"]);
  assert.deepEqual(found("constructor"), ["__proto__"]);
  assert.deepEqual(found("hasOwnProperty"), []);
  const properties = JSON.parse('{"__proto__":{},"constructor":{}}');
  assert.equal(createToolIndex([{ server: "s", name: "t", inputSchema: { properties } }]).search("proto").length, 1);
});

test("searches do not change one another, and the order of other tools changes no score", () => {
  const index = createToolIndex(TOOLS);
  const first = index.search("list the issues of a cluster");
  index.search("mail");
  assert.deepEqual(index.search("list the issues of a cluster"), first);
  const reversed = createToolIndex([...TOOLS].reverse()).search("list the issues of a cluster");
  const scores = (hits: typeof first) => hits.map(({ tool, score }) => `${tool.name} ${score}`).sort();
  assert.deepEqual(scores(reversed), scores(first));
});

test("whatever the tools and the request are, it ends, never throws and gives each tool once, best first", () => {
  const text = fc.string({ unit: "binary", maxLength: 40 });
  const tool = fc.record({ server: text, name: text, description: fc.option(text, { nil: undefined }) });
  fc.assert(
    fc.property(fc.array(tool, { maxLength: 20 }), text, fc.integer({ min: 0, max: 30 }), (tools, query, limit) => {
      const hits = createToolIndex(tools as Tool[]).search(query, { limit });
      assert.ok(hits.length <= limit);
      assert.equal(new Set(hits.map((hit) => hit.tool)).size, hits.length);
      hits.forEach((hit, at) => {
        assert.ok(hit.score > 0 && hit.score <= (hits[at - 1]?.score ?? Number.POSITIVE_INFINITY));
      });
    }),
    { numRuns: 300 },
  );
});

test("a request of a megabyte and a description of ten are read in bounds", () => {
  const long = "list every issue ".repeat(60_000);
  assert.equal(found(long)[0], "list_issues");
  assert.equal(found("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".repeat(20_000)).length, 0);
  const huge = { server: "s", name: "huge", description: "word ".repeat(2_000_000) };
  assert.equal(createToolIndex([huge]).search("word").length, 1);
});

test("the synonyms are the table in Markdown: an edited row changes the ranking, a bad one names its line", async () => {
  const copy = join(ROOT, ".cache", `synonyms-test-${process.pid}`);
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const load = async (name: string, edit: (text: string) => string) => {
    const folder = join(copy, name);
    mkdirSync(folder, { recursive: true });
    for (const part of ["core", "search"]) cpSync(join(ROOT, "runtime", part), join(folder, part), { recursive: true });
    const file = join(folder, "search/synonyms.md");
    writeFileSync(file, edit(readFileSync(file, "utf8")));
    return import(pathToFileURL(join(folder, `search/index.${extension}`)).href);
  };
  try {
    const edited = await load("edited", (text) => text.replace("| weather,", "| zephyr, weather,"));
    assert.equal(edited.createToolIndex(TOOLS).search("zephyr")[0]?.tool.name, "forecast");
    const bad = load("bad", (text) => text.replace("| weather,", "| a lone wolf howls at night,"));
    await assert.rejects(bad, { code: "bad-row", column: 3 });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});
