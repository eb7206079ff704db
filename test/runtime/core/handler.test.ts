/** A handler is one definition: checked input, checked output, both schemas. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { PackError } from "../../../runtime/core/errors.ts";
import {
  defineHandler,
  HandlerRegistry,
  handlerSchemas,
  isHandler,
  runHandler,
} from "../../../runtime/core/handler.ts";

const double = defineHandler({
  name: "double_it",
  description: "Doubles a number",
  input: z.object({ value: z.number(), label: z.string().default("twice") }),
  output: z.object({ value: z.number(), label: z.string() }),
  annotations: { readOnlyHint: true },
  run: ({ value, label }) => ({ value: value * 2, label }),
});

test("input is checked and filled with defaults, output is checked", async () => {
  assert.deepEqual(await runHandler(double, { value: 4 }), { value: 8, label: "twice" });
});

test("input that does not fit names every wrong field", async () => {
  await assert.rejects(runHandler(double, { value: "4", label: 5 }), {
    name: "PackError",
    code: "invalid-input",
    message: /value: .*; label: /,
  });
  await assert.rejects(runHandler(double, null), { code: "invalid-input" });
});

test("a handler that breaks its own contract is told as such", async () => {
  const broken = defineHandler({ ...double, name: "broken", run: () => ({ value: Number.NaN, label: "" }) });
  await assert.rejects(runHandler(broken, { value: 1 }), { code: "invalid-output" });
});

test("whatever a handler throws arrives as a PackError; one that is a PackError stays what it is", async () => {
  const thrown = (value: unknown) => {
    const run = () => {
      throw value;
    };
    return runHandler(defineHandler({ ...double, name: "throws", run }), { value: 1 });
  };
  for (const value of [new TypeError("x is not a function\u001b[2J"), "text", null, undefined, { code: 1 }]) {
    await assert.rejects(thrown(value), (error: unknown) => {
      assert.ok(error instanceof PackError);
      assert.equal(error.code, "handler-failed");
      assert.doesNotMatch(error.message, /\p{C}/u);
      return true;
    });
  }
  await assert.rejects(thrown(new PackError("too-deep", "It nests too deep")), { code: "too-deep" });
});

test("input that cannot be walked does not fit; what an error says of it is short and can be shown", async () => {
  const any = defineHandler({
    ...double,
    name: "any",
    input: z.object({ value: z.json() }),
    run: () => ({ value: 1, label: "" }),
  });
  let deep: unknown = 0;
  for (let level = 0; level < 50_000; level++) deep = [deep];
  await assert.rejects(runHandler(any, { value: deep }), { code: "invalid-input" });
  const throwing = Object.defineProperty({}, "value", {
    enumerable: true,
    get: () => {
      throw new Error("read");
    },
  });
  await assert.rejects(runHandler(any, throwing), { code: "invalid-input" });

  const strict = defineHandler({
    ...double,
    name: "strict",
    input: z.object({ value: z.array(z.strictObject({})) }),
    run: () => ({ value: 1, label: "" }),
  });
  const hostile = Array.from({ length: 500 }, (_, at) => ({ [`\u001b[2J\u202e${at}`]: 1 }));
  await assert.rejects(runHandler(strict, { value: hostile }), (error: unknown) => {
    assert.ok(error instanceof PackError);
    assert.match(error.message, /and 480 more$/);
    assert.doesNotMatch(error.message, /\p{C}/u);
    return true;
  });
});

test("both JSON Schemas are objects; a field with a default is optional in the input only", () => {
  const { inputSchema, outputSchema } = handlerSchemas(double) as {
    inputSchema: { required: string[]; type: string };
    outputSchema: { required: string[] };
  };
  assert.equal(inputSchema.type, "object");
  assert.deepEqual(inputSchema.required, ["value"]);
  assert.deepEqual(outputSchema.required, ["value", "label"]);
});

test("only what defineHandler returned is a handler", () => {
  assert.ok(isHandler(double));
  for (const value of [null, undefined, 1, "x", {}, { name: "double_it" }, () => {}])
    assert.equal(isHandler(value), false);
});

test("a name that no MCP tool or command can carry is refused", () => {
  for (const name of ["", "Double", "1st", "a-b", "a b", "x".repeat(65)]) {
    assert.throws(() => defineHandler({ ...double, name }), { name: "PackError", code: "bad-handler-name" });
  }
});

test("a registry keeps the order and refuses a second handler of the same name", () => {
  const registry = new HandlerRegistry();
  registry.add(double);
  assert.throws(() => registry.add(double), { name: "PackError", code: "duplicate-handler" });
  assert.equal(registry.get("double_it"), double);
  assert.equal(registry.get("__proto__"), undefined);
  assert.deepEqual(registry.all(), [double]);
});
