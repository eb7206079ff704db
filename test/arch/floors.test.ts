/**
 * The floors of the house: what each part may import. A module may import from floors below it, and from its own folder.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { test } from "node:test";
import { ROOT } from "../support/cli.ts";

/** From the ground up. A folder of skills/ is a room of its own: no skill imports another. */
const FLOORS: RegExp[][] = [
  [/^runtime\/core\//],
  [/^runtime\/search\//, /^skills\//],
  [/^runtime\/inventory\//, /^runtime\/run\//, /^runtime\/install\//],
  [/^runtime\/(?:flow|query|report|handler-reference|pack|skill-script)\.[jt]s$/, /^runtime\/hooks\//],
  [/^runtime\/gateway\//],
  [/^runtime\/cli\//],
];

const files = ["skills", "runtime"].flatMap((top) =>
  readdirSync(join(ROOT, top), { recursive: true })
    .map((file) => join(top, String(file)).split(sep).join("/"))
    .filter((file) => /\.[jt]s$/.test(file)),
);

function floorOf(file: string): number {
  return FLOORS.findIndex((rooms) => rooms.some((room) => room.test(file)));
}

/** Relative imports of a file, static and dynamic, `import type` included, as paths from the repository. */
function importsOf(file: string): string[] {
  const source = readFileSync(join(ROOT, file), "utf8");
  return [...source.matchAll(/(?:from\s+|import\(\s*|import\s+)"(\.[^"]+)"/g)].map((match) =>
    relative(ROOT, resolve(ROOT, dirname(file), match[1] ?? ""))
      .split(sep)
      .join("/"),
  );
}

test("every module stands on a floor", () => {
  assert.deepEqual(
    files.filter((file) => floorOf(file) === -1),
    [],
  );
});

test("no module imports upward", () => {
  const upward = files.flatMap((file) =>
    importsOf(file)
      .filter((target) => floorOf(target) > floorOf(file))
      .map((target) => `${file} → ${target}`),
  );
  assert.deepEqual(upward, []);
});

test("no skill imports another skill", () => {
  const room = (file: string) => /^skills\/[^/]+\//.exec(file)?.[0];
  const crossing = files.flatMap((file) =>
    importsOf(file)
      .filter((target) => room(file) !== undefined && room(target) !== undefined && room(target) !== room(file))
      .map((target) => `${file} → ${target}`),
  );
  assert.deepEqual(crossing, []);
});

test("imports run in no circle", () => {
  const state = new Map<string, "open" | "done">();
  const circles: string[] = [];
  const visit = (file: string, path: string[]) => {
    if (state.get(file) === "open") circles.push([...path.slice(path.indexOf(file)), file].join(" → "));
    if (state.has(file)) return;
    state.set(file, "open");
    for (const target of importsOf(file)) if (files.includes(target)) visit(target, [...path, file]);
    state.set(file, "done");
  };
  for (const file of files) visit(file, []);
  assert.deepEqual(circles, []);
});

test("skills do no I/O and the MCP SDK is imported in two places only", () => {
  const importing = (pattern: RegExp) => files.filter((file) => pattern.test(readFileSync(join(ROOT, file), "utf8")));
  assert.deepEqual(
    importing(/from "node:(?:fs|http|https|net|child_process|process)/).filter((file) => file.startsWith("skills/")),
    [],
  );
  assert.deepEqual(
    importing(/["']@modelcontextprotocol\/sdk/).filter((file) => !/^runtime\/(inventory|gateway)\//.test(file)),
    [],
  );
});

test("a skill's folder holds no test and no file that installers drop", () => {
  const dropped = readdirSync(join(ROOT, "skills"), { recursive: true })
    .map(String)
    .filter((file) => /(^|[/\\])_|\.test\./.test(file));
  assert.deepEqual(dropped, []);
});
