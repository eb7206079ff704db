/** The log names who was called and why, and never holds a value. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { LogRecordSchema } from "../../../runtime/core/contracts.ts";
import { runHandler } from "../../../runtime/core/handler.ts";
import { logRecord, shapeOf } from "../../../skills/using-mcp/decision-log.ts";
import { gateCall, route } from "../../../skills/using-mcp/using-mcp.ts";

test("arguments appear by shape", () => {
  const args = {
    token: "sk-secret",
    count: 3,
    on: true,
    none: null,
    list: [{ a: "b" }],
    nested: { deep: { text: "x" } },
    "my secret key!": 1,
  };
  assert.deepEqual(shapeOf(args), {
    token: "string(9)",
    count: "number",
    on: "boolean",
    none: "null",
    list: { "array(1)": { a: "string(1)" } },
    nested: { deep: { text: "string(1)" } },
    "…": "1 more",
  });
});

test("no value gets into a record, wherever it stands", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const marked = JSON.parse(JSON.stringify({ value, key: "MARK-0123456789" }), (_, child) =>
        typeof child === "string" ? `MARK-${child}` : child,
      );
      const record = logRecord({ via: "mcp", decision: "allow", reason: "it only reads", args: marked }, 0);
      assert.ok(!JSON.stringify(record).includes("MARK"));
      LogRecordSchema.parse(record);
    }),
    { numRuns: 200 },
  );
});

test("a handler gives its caller one record a choice", async () => {
  const records: unknown[] = [];
  const context = { now: () => 0, log: (record: unknown) => records.push(record) };
  await runHandler(gateCall, { tool: { name: "mcp__a__create_x" }, args: { title: "secret" } }, context);
  await runHandler(route, { tools: [{ name: "mcp__gmail__search_emails" }], capability: "email" }, context);
  assert.deepEqual(records, [
    {
      time: "1970-01-01T00:00:00.000Z",
      capability: "other",
      via: "mcp",
      server: "a",
      tool: "create_x",
      access: "write",
      decision: "confirm",
      reason: "it writes",
      argumentsShape: { title: "string(6)" },
    },
    {
      time: "1970-01-01T00:00:00.000Z",
      capability: "email",
      via: "mcp",
      server: "gmail",
      tool: "search_emails",
      access: "read",
      decision: "allow",
      reason: "the best tool found",
    },
  ]);
});
