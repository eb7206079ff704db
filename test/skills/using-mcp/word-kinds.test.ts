/** A word is of the same kind whether it is among the first that are asked for, which are searched, or comes later. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { compileAccess, ROLES, workOutAccess } from "../../../skills/using-mcp/access-words.ts";

const words = workOutAccess({
  words: ROLES.map((role) => ({ role, words: [`${role}x`, `${role}y`, "shared"] })),
  phrases: [],
  carriers: [],
  suspicious: [],
});

test("searched or looked up, known or not, a word is of one kind", () => {
  const asked = [...Object.values(words.roles), ...Object.values(words.verbs)].flatMap((list) => list.split(" "));
  asked.push("", " ", "readx ready", "readx readxs", "constructor", "__proto__", "x", "readxwritex");
  const many = compileAccess(words);
  for (let at = 0; at < 200; at++) for (const map of [many.roles, many.verbs]) map.get("nothing");
  for (const word of asked) {
    const few = compileAccess(words);
    assert.deepEqual([few.roles.get(word), few.verbs.get(word)], [many.roles.get(word), many.verbs.get(word)], word);
  }
  assert.equal(many.roles.get("shared"), "write");
  assert.equal(many.verbs.get("writexes"), "write");
  assert.equal(many.roles.get("readx readxs"), undefined);
});
