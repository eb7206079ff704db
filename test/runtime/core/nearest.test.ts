import assert from "node:assert/strict";
import { test } from "node:test";
import { nearest } from "../../../runtime/core/nearest.ts";

const KNOWN = ["discover", "doctor", "serve", "servers"];

test("the word with the fewest edits, or one that was begun", () => {
  assert.equal(nearest("discver", KNOWN), "discover");
  assert.equal(nearest("docotr", KNOWN), "doctor");
  assert.equal(nearest("dis", KNOWN), "discover");
  assert.equal(nearest("serve", KNOWN), "serve");
});

test("nothing where nothing is near, within the limit that is given", () => {
  assert.equal(nearest("install", KNOWN), undefined);
  assert.equal(nearest("docotr", KNOWN, 1), undefined);
  assert.equal(nearest("x".repeat(1_000_000), KNOWN), undefined);
});
