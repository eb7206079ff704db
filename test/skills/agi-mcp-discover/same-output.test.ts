/**
 * Same input, same output, byte for byte, on every runtime: the outputs stand in a file that each of them compares with.
 * `WRITE_OUTPUTS=1 bun test test/skills/agi-mcp-discover/same-output.test.ts` writes it anew.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createToolIndex } from "../../../runtime/search/index.ts";
import { classifyIntent, createLoader, discover } from "../../../skills/agi-mcp-discover/agi-mcp-discover.ts";
import { ROOT } from "../../support/cli.ts";
import { inventory, server } from "../../support/inventories.ts";

const FILE = join(ROOT, "test/fixtures/loading/outputs.json");

const INTENTS = [
  "",
  "internal rate of return of the deal",
  "find the flaky test, then file an issue and tell the channel",
  "search the archive for last year's report; summarise it, and send it by mail",
  "as well",
  "Größe der Datei ändern",
  "下载文件，然后发送邮件。",
  "delte a fiel, serach the wiki",
  "open a PR for the k8s fix. Then post the link!",
  "__proto__ and constructor",
];

const VERBS = ["find", "create", "delete", "list", "send", "update"];
const THINGS = ["issue", "test", "message", "file", "pull_request", "pod", "page", "mail", "constructor"];

const INSTALLED = inventory(
  ...THINGS.map((thing, at) =>
    server(`${thing}s`, [
      ...VERBS.map((verb) => ({
        name: `${verb}_${thing}`,
        description: `${verb}s one ${thing.replace("_", " ")} of the ${THINGS[(at * 5 + 2) % THINGS.length]}s`,
        inputSchema: { type: "object", properties: { [`${thing}_id`]: {}, limit: {} } },
      })),
      { name: "__proto__" },
    ]),
  ),
);

test("routing, bundles, loading and searching give the very same bytes", () => {
  const load = createLoader(INSTALLED);
  const index = createToolIndex(INSTALLED.servers.flatMap(({ tools }) => tools));
  const outputs = INTENTS.map((intent) => {
    const domain = classifyIntent(intent);
    const { chosen, unplaced } = load(intent, { hot: ["mcp__tests__find_test", "mcp__none__x"] });
    const found = index.search(intent).map(({ tool, score, matched }) => [tool.server, tool.name, score, matched]);
    return { intent, domain, bundle: discover(domain, intent), chosen, unplaced, found };
  });
  const text = `${JSON.stringify(outputs, null, 1)}\n`;
  if (process.env.WRITE_OUTPUTS === "1") writeFileSync(FILE, text);
  assert.equal(text, readFileSync(FILE, "utf8"));
});
