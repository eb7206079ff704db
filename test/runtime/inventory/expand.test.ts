/** Variables in configuration values: the grammar, notation by notation, and that nothing hostile slows it down. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type ExpandScope, expand, type Missing } from "../../../runtime/inventory/expand.ts";

const ENV = { SET: "value", EMPTY: "", TRICK: "${SET} $SET %SET% {env:SET}" };

function scope(overrides: Partial<ExpandScope> = {}): ExpandScope {
  return { env: ENV, workspaceFolder: "/work/app", userHome: "/home/me", platform: "linux", ...overrides };
}

function run(text: string, overrides: Partial<ExpandScope> = {}) {
  const missing: Missing = { env: new Set(), inputs: new Set() };
  return { text: expand(text, scope(overrides), missing), env: [...missing.env], inputs: [...missing.inputs] };
}

const ALL: ExpandScope["notations"] = ["dollar", "percent", "curly"];

for (const [text, expected] of [
  ["plain", "plain"],
  ["a ${SET} b ${env:SET}", "a value b value"],
  ["${EMPTY}", ""],
  ["${SET:-d} ${EMPTY:-d} ${UNSET:-d} ${UNSET:-}", "value d d "],
  ["${env:UNSET:-d}", "d"],
  ["${UNSET:-${SET}}", "value"],
  ["${UNSET:-${ALSO:-${SET}-x}}", "value-x"],
  ['${UNSET:-{"a":1}}', '{"a":1}'],
  ["${UNSET:-a:-b}", "a:-b"],
  ["$${SET} $$SET", "${SET} $$SET"],
  ["${workspaceFolder}/x ${workspaceRoot} ${workspaceFolderBasename}", "/work/app/x /work/app app"],
  ["${userHome}${/}x${pathSeparator}", "/home/me/x/"],
  ["${TRICK}", ENV.TRICK],
  ["${a b} ${} ${1A} ${SET", "${a b} ${} ${1A} ${SET"],
  ["${#SET} ${SET//a/b}", "${#SET} ${SET//a/b}"],
  ["$SET %SET% {env:SET} {file:x}", "$SET %SET% {env:SET} {file:x}"],
] as const) {
  test(`${text} becomes ${expected}`, () => {
    assert.deepEqual(run(text), { text: expected, env: [], inputs: [] });
  });
}

test("what is missing is named, and only that", () => {
  assert.deepEqual(run("${A}${env:B}${SET}${A}").env, ["A", "B"]);
  assert.deepEqual(run("${UNSET:-${GONE}}").env, ["GONE"]);
  assert.deepEqual(run("${SET:-${GONE}}").env, []);
  assert.deepEqual(run("${input:key} ${{ secrets.X }} ${{inputs.Y}} ${command:ext.do}").inputs, [
    "key",
    "secrets.X",
    "inputs.Y",
    "command:ext.do",
  ]);
});

test("some notations are only some hosts'", () => {
  assert.equal(run("$SET ${SET} $env:SET", { notations: ["dollar"] }).text, "value value value");
  assert.deepEqual(run("$GONE", { notations: ["dollar"] }).env, ["GONE"]);
  assert.equal(run("%SET%", { notations: ["percent"] }).text, "%SET%");
  assert.equal(run("%SET% 100%", { notations: ["percent"], platform: "win32" }).text, "value 100%");
  assert.equal(run("{env:SET}", { notations: ["curly"] }).text, "value");
  assert.equal(
    run("{file:k}", { notations: ["curly"], readFile: (path) => (path === "k" ? " kept\n" : null) }).text,
    "kept",
  );
  assert.deepEqual(run("{file:gone}", { notations: ["curly"] }).inputs, ["the file gone"]);
  assert.equal(run("Bearer ${file:~/k}", { notations: ["file"], readFile: () => "kept\n" }).text, "Bearer kept");
  assert.deepEqual(run("${file:gone}", { notations: ["file"] }).inputs, ["the file gone"]);
  assert.equal(run("${SET} ${input:x}", { notations: ["none"] }).text, "${SET} ${input:x}");
  assert.equal(run("${/}", { platform: "win32" }).text, "\\");
});

test("text without a dollar, a percent sign or a brace stays as it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      fc.pre(!/[$%{]/.test(text));
      assert.deepEqual(run(text, { notations: ALL }), { text, env: [], inputs: [] });
    }),
  );
});

test("a set variable is taken literally whatever it holds; an unset one gives its default", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1 }), (value) => {
      assert.equal(run("<${V}|${V:-d}>", { env: { V: value }, notations: ALL }).text, `<${value}|${value}>`);
    }),
  );
});

test("any text ends, and never throws", () => {
  const pieces = fc.constantFrom(
    "${",
    "}",
    "{",
    "$",
    "$$",
    "%",
    ":-",
    "env:",
    "input:",
    "{env:",
    "{file:",
    "A",
    "${{",
    " ",
    "é",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      run(parts.join(""), { notations: ALL, platform: "win32", readFile: () => "x" });
    }),
    { numRuns: 300 },
  );
});

test("half a million characters of any one piece are no work", () => {
  for (const piece of ["${", "${A:-", "{env:", "%A", "$", "${A:-}", "$${", "{", "}", "${{", "${A}"]) {
    run(piece.repeat(500_000 / piece.length), { notations: ALL, platform: "win32" });
  }
});
