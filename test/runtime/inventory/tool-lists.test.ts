import assert from "node:assert/strict";
import { test } from "node:test";
import { allowsTool, withinToolLists } from "../../../runtime/inventory/tool-lists.ts";

test("allow lists let through what they name, deny lists win, and a star ends a prefix", () => {
  for (const [lists, expected] of [
    [{}, ["get_a", "get_b", "put"]],
    [{ allowTools: ["get_a", "put"] }, ["get_a", "put"]],
    [{ allowTools: ["get_*"] }, ["get_a", "get_b"]],
    [{ allowTools: [] }, []],
    [{ denyTools: ["get_*"] }, ["put"]],
    [{ denyTools: ["*"] }, []],
    [{ allowTools: ["get_*"], denyTools: ["get_b"] }, ["get_a"]],
    [{ allowTools: ["GET_A", "get"] }, []],
  ] as const) {
    const names = ["get_a", "get_b", "put"].filter((name) =>
      allowsTool(
        {
          ...lists,
          allowTools: "allowTools" in lists ? [...lists.allowTools] : undefined,
          denyTools: "denyTools" in lists ? [...lists.denyTools] : undefined,
        },
        name,
      ),
    );
    assert.deepEqual(names, expected);
  }
});

test("a server keeps only its allowed tools", () => {
  const tools = ["a", "b"].map((name) => ({ server: "s", name }));
  const server = { name: "s", state: "ready" as const, tools, flags: [], origins: [] };
  assert.deepEqual(withinToolLists(server, { denyTools: ["a"] }).tools, [tools[1]]);
  assert.equal(withinToolLists(server, {}), server);
});
