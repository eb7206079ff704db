/** Waiting for a server no longer than a limit. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { race } from "../../../runtime/inventory/open.ts";

test("what fails after the limit has been reached is nobody's business, and ends no process", async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);
  process.on("unhandledRejection", note);
  const late = AbortSignal.abort(new Error("the limit"));
  await assert.rejects(race(Promise.reject(new Error("too late")), late), /the limit/);
  const meanwhile = new AbortController();
  const waiting = race(new Promise((_, fail) => setImmediate(() => fail(new Error("too late")))), meanwhile.signal);
  meanwhile.abort(new Error("the limit"));
  await assert.rejects(waiting, /the limit/);
  await new Promise((done) => setImmediate(() => setImmediate(done)));
  process.off("unhandledRejection", note);
  assert.deepEqual(unhandled, []);
});

test("it gives what the promise gives, or its failure, and leaves no listener", async () => {
  const { signal } = new AbortController();
  assert.equal(await race(Promise.resolve(7), signal), 7);
  await assert.rejects(race(Promise.reject(new Error("no")), signal), /no/);
});
