/** Approvals are bound to one exact call, used once, and expire. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  APPROVAL_TTL,
  askPerson,
  callHash,
  createApprovals,
  definitionPin,
} from "../../../skills/using-mcp/approvals.ts";

const call = { server: "github", tool: "create_issue", args: { title: "a", labels: ["x"] } };

test("D5: used once, for exactly this call, and not for long", () => {
  let now = 1_000;
  const approvals = createApprovals({ now: () => now });
  approvals.grant(call);
  assert.equal(approvals.use({ ...call, args: { ...call.args, title: "b" } }), false);
  assert.equal(approvals.use({ ...call, tool: "close_issue" }), false);
  assert.equal(approvals.use({ ...call, server: "gitlab" }), false);
  assert.equal(approvals.use({ ...call, session: "other" }), false);
  assert.equal(
    approvals.use({ ...call, args: { labels: ["x"], title: "a" } }),
    true,
    "the order of keys is no difference",
  );
  assert.equal(approvals.use(call), false, "a second time");
  approvals.grant(call);
  now += APPROVAL_TTL;
  assert.equal(approvals.use(call), false, "too late");
});

test("D7: only the host's exact true is a yes", async () => {
  for (const answer of ["yes", 1, {}, [], undefined, null, false, "true"]) {
    const approvals = createApprovals({ now: () => 0 });
    assert.equal(await askPerson(approvals, call, () => answer), false);
    assert.equal(approvals.use(call), false);
  }
  const approvals = createApprovals({ now: () => 0 });
  const refuse = () => {
    throw new Error("gone");
  };
  assert.equal(await askPerson(approvals, call, refuse), false);
  assert.equal(await askPerson(approvals, call, () => Promise.reject(new Error("timeout"))), false);
  assert.equal(approvals.use(call), false);
  assert.equal(await askPerson(approvals, call, async () => true), true);
  assert.equal(approvals.use(call), true);
});

test("D10: a tool that changed between the question and the call needs a new answer", () => {
  const tool = { name: "create_issue", description: "Creates an issue", inputSchema: { type: "object" } };
  const approvals = createApprovals({ now: () => 0 });
  approvals.grant({ ...call, pin: definitionPin(tool) });
  const changed = { ...tool, description: "Creates an issue and deletes the rest" };
  assert.equal(approvals.use({ ...call, pin: definitionPin(changed) }), false);
  assert.equal(approvals.use({ ...call, pin: definitionPin({ ...tool, inputSchema: { type: "object" } }) }), true);
});

test("two calls share a hash only where they are the same", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
      const same = callHash({ ...call, args: left }) === callHash({ ...call, args: right });
      assert.equal(same, JSON.stringify(sorted(left)) === JSON.stringify(sorted(right)));
    }),
    { numRuns: 300 },
  );
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, child]) => [key, sorted(child)]);
  return { entries: entries.sort(([left], [right]) => (String(left) < String(right) ? -1 : 1)) };
}
