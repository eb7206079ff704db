/** The session's list as a whole: names, duplicates, servers, capabilities, and what a hostile list cannot do. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { classifyMcpTools } from "../../../skills/using-mcp/using-mcp.ts";

const one = (tool: Record<string, unknown>, options = {}) => {
  const [server, entry] = [...classifyMcpTools([tool], options).servers][0] ?? [];
  return { server, ...entry?.tools[0] };
};

test("what is no list gives empty maps, and what is no tool is left out", () => {
  for (const nothing of [undefined, null, 7, "mcp__a__get", {}, new Set(), () => []]) {
    assert.deepEqual(classifyMcpTools(nothing), { servers: new Map(), byCapability: new Map() });
  }
  const { servers } = classifyMcpTools([
    null,
    3,
    "mcp__a__b",
    [],
    {},
    { name: 5 },
    { name: "Bash" },
    { name: "mcp__a__get_b" },
  ]);
  assert.deepEqual([...servers.keys()], ["a"]);
});

test("a property that throws when it is read counts as absent", () => {
  const trap = {
    name: "mcp__a__get_b",
    get description(): string {
      throw new Error("no");
    },
  };
  assert.equal(one(trap).access, "read");
  const hint = {
    get readOnlyHint(): boolean {
      throw new Error("no");
    },
  };
  assert.equal(one({ name: "mcp__a__get_b", annotations: hint }).access, "write");
});

test("options that are none are the default", () => {
  const tool = { name: "mcp__a__wiki", annotations: { readOnlyHint: true } };
  for (const options of [null, {}, { trust: 7 }, { trustedServers: 5 }, { trust: "default", trustedServers: "a" }]) {
    assert.equal(one(tool, options as never).access, "read");
  }
  assert.equal(one(tool, { trust: "strict", trustedServers: 5 } as never).access, "write");
  assert.equal(one(tool, { trust: "strict", trustedServers: new Set(["a"]) }).access, "read");
});

test("servers are read, write or mixed by their tools", () => {
  const { servers } = classifyMcpTools([
    { name: "mcp__r__get_a" },
    { name: "mcp__w__delete_a" },
    { name: "mcp__m__get_a" },
    { name: "mcp__m__delete_a" },
  ]);
  assert.deepEqual(
    [...servers].map(([name, { access }]) => [name, access]),
    [
      ["r", "read"],
      ["w", "write"],
      ["m", "mixed"],
    ],
  );
});

test("B1, B2: the first double underscore separates; a name that reads two ways is never a read", () => {
  assert.deepEqual([one({ name: "mcp__a__b__c" }).server, one({ name: "mcp__a__b__c" }).tool], ["a", "b__c"]);
  assert.equal(one({ name: "mcp__docs___search" }).access, "write");
  assert.equal(one({ name: "mcp__evil____get" }).access, "write");
});

test("B3: what is no qualified name stays none, untrimmed", () => {
  const names = [
    "mcp__",
    "mcp____x",
    "mcp__a__",
    "mcp_a_b",
    "MCP__a__b",
    " mcp__a__b",
    "mcp__a__b\n",
    "mcp__a__b\r\nmcp__evil__x",
  ];
  assert.equal(classifyMcpTools(names.map((name) => ({ name }))).servers.size, 0);
});

test("B4: servers whose names fold to one stay apart", () => {
  const names = ["mcp__my-server__get_a", "mcp__my_server__delete_a", "mcp__My-Server__get_a"];
  assert.equal(classifyMcpTools(names.map((name) => ({ name }))).servers.size, 3);
});

test("B5: one name with two definitions is no read", () => {
  const [first, second] = [
    { name: "mcp__a__get_x", description: "Gets x" },
    { name: "mcp__a__get_x", description: "Gets y" },
  ];
  assert.equal(classifyMcpTools([first, first]).servers.get("a")?.tools[0]?.access, "read");
  assert.equal(classifyMcpTools([first, { ...first }]).servers.get("a")?.tools.length, 1);
  assert.equal(classifyMcpTools([first, second]).servers.get("a")?.tools[0]?.access, "write");
});

test("A17: a tool that claims everything ranks below one that claims one thing", () => {
  const greedy = { name: "mcp__docs-free__search_docs_email_calendar_database_design" };
  const { byCapability } = classifyMcpTools([greedy, { name: "mcp__x__search_docs" }]);
  const capability = one(greedy).capability as string;
  const rivals = byCapability.get(capability) ?? [];
  assert.equal(rivals.at(-1)?.server, "docs-free");
  for (const claimed of ["email", "calendar", "database", "design"].filter((name) => name !== capability)) {
    assert.equal(byCapability.has(claimed), false);
  }
});

test("capability is judged per tool, by words and by where they stand", () => {
  const cases: [string, string, string][] = [
    ["github", "get_file_contents", "code-hosting"],
    ["github", "list_issues", "issue-tracking"],
    ["notion", "update_page", "notes"],
    ["playwright", "browser_click", "browser"],
    ["ms-365", "send-mail", "email"],
    ["ms-365", "list-calendar-events", "calendar"],
    ["ms-365", "list-drives", "storage"],
    ["postgres", "query", "database"],
    ["brave", "web_search", "search"],
    ["slack", "post_message", "messaging"],
    ["sentry", "search_events", "monitoring"],
    ["stripe", "create_refund", "payments"],
    ["mapbox", "geocode", "maps"],
    ["acme", "reticulate_splines", "other"],
  ];
  for (const [server, tool, capability] of cases) {
    assert.equal(one({ name: `mcp__${server}__${tool}` }).capability, capability, `${server}/${tool}`);
  }
});

test("the other tools of a server are a hint where a name says nothing", () => {
  const names = ["list_invoices", "create_invoice", "get_refund", "finalize"];
  const { servers } = classifyMcpTools(names.map((name) => ({ name: `mcp__acme__${name}` })));
  assert.deepEqual(
    servers.get("acme")?.tools.map(({ capability }) => capability),
    Array(4).fill("payments"),
  );
});

test("words are whole words: no capability out of the inside of one", () => {
  assert.equal(one({ name: "mcp__acme__digitalize_latest_cabinet" }).capability, "other");
});

const tool = fc.record(
  {
    name: fc
      .tuple(fc.constantFrom("a", "b", "github"), fc.constantFrom("get_issue", "delete_mail", "search", "x", "run"))
      .map(([server, name]) => `mcp__${server}__${name}`),
    description: fc.constantFrom("Gets a file", "Sends mail", "A thing"),
  },
  { requiredKeys: ["name"] },
);
const lists = fc.uniqueArray(tool, { selector: ({ name }) => name, maxLength: 12 });

const verdicts = (tools: unknown[]) =>
  [...classifyMcpTools(tools).servers]
    .flatMap(([server, entry]) =>
      entry.tools.map(({ tool: name, access, capability, evidence }) => [server, name, access, capability, evidence]),
    )
    .sort();

test("order and duplicates change no verdict", () => {
  fc.assert(
    fc.property(
      lists.chain((tools) => fc.tuple(fc.constant(tools), fc.shuffledSubarray(tools, { minLength: tools.length }))),
      ([tools, shuffled]) => {
        assert.deepEqual(verdicts(shuffled), verdicts(tools));
        assert.deepEqual(verdicts([...tools, ...structuredClone(shuffled)]), verdicts(tools));
      },
    ),
    { numRuns: 150 },
  );
});

test("50,000 tools are classified in one go", () => {
  const tools = Array.from({ length: 50_000 }, (_, at) => ({
    name: `mcp__s${at % 9}__get_item_${at}`,
    description: "Gets an item",
  }));
  const { servers } = classifyMcpTools(tools);
  assert.equal(
    [...servers.values()].reduce((sum, entry) => sum + entry.tools.length, 0),
    50_000,
  );
});
