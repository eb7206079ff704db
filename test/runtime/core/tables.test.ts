/** Live tables: Markdown in, data out, and a bad row is an error with file, line, column and fix. */
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { PackError } from "../../../runtime/core/errors.ts";
import { listCell, loadSkillTables, parsedCopy, readTables, tableRows } from "../../../runtime/core/tables.ts";
import { ROOT } from "../../support/cli.ts";

const folder = mkdtempSync(join(tmpdir(), "mcp-skills-tables-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const Row = z.object({ word: z.string().min(1, "is empty"), count: z.string().regex(/^\d+$/, "must be a number") });
const FILE = "/x/SKILL.md";

const read = (markdown: string, firstLine?: number) => readTables(markdown, FILE, firstLine);

test("a table is found by its heading, its columns by their names in any case", async () => {
  const tables = await read("# A\n\n## Words\n\n| Word | Count |\n|---|---|\n| `get` | 1 |\n| **put** it | 22 |\n");
  assert.deepEqual(tableRows(tables, "Words", Row), [
    { word: "get", count: "1" },
    { word: "put it", count: "22" },
  ]);
});

test("an escaped bar belongs to its cell, also inside a code span", async () => {
  const tables = await read("## Words\n\n| word | count |\n|---|---|\n| a \\| b | 1 |\n| `c \\| d` | 2 |\n");
  assert.deepEqual(
    tableRows(tables, "Words", Row).map(({ word }) => word),
    ["a | b", "c | d"],
  );
});

test("a bad cell is named with file, line, column and fix", async () => {
  const tables = await read("## Words\n\n| word | count |\n|---|---|\n| a | 1 |\n| b | many |\n", 10);
  assert.throws(
    () => tableRows(tables, "Words", Row),
    (error: unknown) => {
      assert.ok(error instanceof PackError);
      const { code, file, line, column, fix } = error;
      assert.deepEqual({ code, file, line, column }, { code: "bad-row", file: FILE, line: 15, column: 7 });
      assert.match(error.message, /"many" as count: must be a number/);
      assert.match(fix ?? "", /column "count"/);
      return true;
    },
  );
});

test("an empty or missing cell is judged like any other", async () => {
  const tables = await read("## Words\n\n| word | count |\n|---|---|\n|  | 1 |\n");
  assert.throws(() => tableRows(tables, "Words", Row), { code: "bad-row", line: 5 });
  const short = await read("## Words\n\n| word | count |\n|---|---|\n| a |\n");
  assert.throws(() => tableRows(short, "Words", Row), { code: "bad-row", line: 5 });
});

test("a bar that nobody escaped is told with its place, not taken for the next column", async () => {
  const tables = await read("## Words\n\n| word | count |\n|---|---|\n| a | 1 |\n| b | c | 2 |\n", 3);
  assert.throws(() => tableRows(tables, "Words", Row), { code: "bad-row", line: 8, column: 9, fix: /\\\|/ });
});

test("two columns of one name are told", async () => {
  const tables = await read("## Words\n\n| word | Word | count |\n|---|---|---|\n| a | b | 1 |\n");
  assert.throws(() => tableRows(tables, "Words", Row), { code: "bad-table", line: 3, message: /two columns "word"/ });
});

test("columns that nobody asked for are notes for people", async () => {
  const tables = await read("## Words\n\n| word | why | count |\n|---|---|---|\n| a | because | 1 |\n");
  assert.deepEqual(tableRows(tables, "Words", Row), [{ word: "a", count: "1" }]);
});

test("a missing table and a missing column are told with what to add", async () => {
  const tables = await read("## Words\n\n| word |\n|---|\n| a |\n");
  assert.throws(() => tableRows(tables, "Other", Row), { code: "no-table", fix: /word, count/ });
  assert.throws(() => tableRows(tables, "Words", Row), { code: "bad-table", line: 3 });
});

test("a table inside a fence or a quotation is no table", async () => {
  const tables = await read(
    "## Words\n\n```\n| word | count |\n|---|---|\n| a | 1 |\n```\n\n> | word | count |\n> |---|---|\n> | b | 2 |\n",
  );
  assert.throws(() => tableRows(tables, "Words", Row), { code: "no-table" });
});

test("words such as __proto__ are cells like any other", async () => {
  const tables = await read("## Words\n\n| word | count |\n|---|---|\n| __proto__ | 1 |\n| constructor | 2 |\n");
  assert.deepEqual(
    tableRows(tables, "Words", Row).map(({ word }) => word),
    ["proto", "constructor"],
  );
});

test("a list cell gives its words", () => {
  assert.deepEqual(listCell(" a, b c ,, d "), ["a", "b c", "d"]);
  assert.deepEqual(listCell(""), []);
});

function skillWith(name: string, count: string): string {
  const directory = join(folder, name);
  mkdirSync(directory, { recursive: true });
  const text = `---\nname: ${name}\ndescription: d\n---\n\n## Words\n\n| word | count |\n|---|---|\n| a | ${count} |\n`;
  writeFileSync(join(directory, "SKILL.md"), text);
  const copy = (data: unknown) =>
    writeFileSync(join(directory, "tables.cache"), parsedCopy({ data, source: Buffer.from(text) }));
  copy([{ word: "from the copy", count: "0" }]);
  return pathToFileURL(join(directory, `${name}.ts`)).href;
}

const load = (url: string) => loadSkillTables(url, (tables) => tableRows(tables, "Words", Row));

test("a parsed copy counts exactly as long as it was made of the text of this SKILL.md", async () => {
  const url = skillWith("copied", "1");
  assert.deepEqual(await load(url), [{ word: "from the copy", count: "0" }]);
  const file = join(folder, "copied/SKILL.md");
  writeFileSync(
    file,
    `---\nname: copied\ndescription: d\n---\n\n## Words\n\n| word | count |\n|---|---|\n| edited | 7 |\n`,
  );
  assert.deepEqual(await load(url), [{ word: "edited", count: "7" }]);
  writeFileSync(join(folder, "copied/tables.cache"), "{ damaged");
  assert.deepEqual(await load(url), [{ word: "edited", count: "7" }]);
});

test("a bad row in a skill's own table names the line of the SKILL.md", async () => {
  const url = skillWith("wrong", "x");
  rmSync(join(folder, "wrong/tables.cache"));
  await assert.rejects(load(url), { code: "bad-row", line: 10, column: 7 });
});

test("the module's copy in scripts/ reads the SKILL.md of the folder above", async () => {
  const url = skillWith("built", "3");
  rmSync(join(folder, "built/tables.cache"));
  const built = url.replace("built/built.ts", "built/scripts/built.mjs");
  assert.deepEqual(await load(built), [{ word: "a", count: "3" }]);
});

test("the pack's own tables are what its modules work with: an edited row changes the behaviour", async () => {
  const copy = join(ROOT, ".cache", `tables-test-${process.pid}`);
  try {
    cpSync(join(ROOT, "runtime"), join(copy, "runtime"), { recursive: true });
    cpSync(join(ROOT, "skills/agi-mcp-discover"), join(copy, "skills/agi-mcp-discover"), { recursive: true });
    rmSync(join(copy, "skills/agi-mcp-discover/tables.cache"), { force: true });
    const { readFileSync } = await import("node:fs");
    const file = join(copy, "skills/agi-mcp-discover/SKILL.md");
    writeFileSync(file, readFileSync(file, "utf8").replace("basin, geology", "volcano, basin, geology"));
    const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
    const url = pathToFileURL(join(copy, `skills/agi-mcp-discover/agi-mcp-discover.${extension}`)).href;
    const { classifyIntent } = await import(url);
    assert.equal(classifyIntent("the volcano erupts"), "geoscience");
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});

test("a SKILL.md that is no UTF-8 is told with its line, not read with holes", async () => {
  const directory = join(folder, "latin");
  mkdirSync(directory);
  writeFileSync(
    join(directory, "SKILL.md"),
    Buffer.from("---\nname: latin\ndescription: Gr\u00f6\u00dfe\n---\n", "latin1"),
  );
  await assert.rejects(load(pathToFileURL(join(directory, "latin.ts")).href), { code: "bad-encoding", line: 3 });
});
