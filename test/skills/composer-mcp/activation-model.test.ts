/**
 * The whole life of a session in any order: servers connect, drop out and change their tools; messages are queued, taken back
 * and consumed; tool search and restoring come between. After every event the session agrees with a model that knows nothing
 * of tokens, digests or catalogues.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Inventory } from "../../../runtime/core/contracts.ts";
import { Activation, formatInvocation } from "../../../skills/composer-mcp/composer-mcp.ts";
import { failedServer, inventory, server } from "../../support/inventories.ts";

const SERVERS = ["a", "b c", "d"];
const TOOLS = ["x", "y", "z:1"];
const LIMITS = { searchResults: 2, searchTotal: 4 };

/** The version stands for everything that defines a tool. */
type Versions = Map<string, number>;

interface Selection {
  server: string;
  tool: string | undefined;
}

interface Message {
  selections: Selection[];
  /** What each selection stood for when the message was queued. */
  seen: Map<Selection, Versions>;
}

interface Model {
  /** A server that is not ready has no tools. */
  world: Map<string, Versions>;
  active: Map<string, { server: string; tool: string; version: number; by: "selection" | "search" }>;
  queue: Map<number, Message>;
  forbidden: Set<string>;
}

interface Real {
  session: Activation;
}

type Event = fc.Command<Model, Real>;

const hostName = (server: string, tool: string) => `mcp__${server}__${tool}`;

function inventoryOf({ world }: Model): Inventory {
  return inventory(
    ...SERVERS.map((id) => {
      const tools = [...(world.get(id) ?? [])];
      if (tools.length === 0) return failedServer(id, "crashed");
      return server(
        id,
        tools.map(([name, version]) => ({ name, description: `version ${version}` })),
      );
    }),
  );
}

function isAllowed(model: Model, name: string): boolean {
  return !model.forbidden.has(name);
}

function meant(model: Model, { server, tool }: Selection): Versions {
  const tools = model.world.get(server) ?? new Map();
  if (tool === undefined) return new Map(tools);
  return new Map([...tools].filter(([name]) => name === tool));
}

/** The code of the rejection, or null. */
function problem(model: Model, selections: Selection[], seen?: Map<Selection, Versions>): string | null {
  for (const selection of selections) {
    const now = meant(model, selection);
    if ((model.world.get(selection.server)?.size ?? 0) === 0) return "not-ready";
    const before = seen?.get(selection);
    if (now.size === 0) return before === undefined ? "unknown-tool" : "changed";
    if (before !== undefined && !sameVersions(before, now)) return "changed";
    if (![...now.keys()].some((tool) => isAllowed(model, hostName(selection.server, tool))))
      return "not-allowed-in-mode";
  }
  return null;
}

function sameVersions(left: Versions, right: Versions): boolean {
  return left.size === right.size && [...left].every(([tool, version]) => right.get(tool) === version);
}

function activate(model: Model, server: string, tool: string, by: "selection" | "search"): void {
  const name = hostName(server, tool);
  const version = model.world.get(server)?.get(tool) ?? -1;
  const origin = model.active.get(name)?.by === "selection" ? "selection" : by;
  model.active.set(name, { server, tool, version, by: origin });
}

function declared(model: Model): string[] {
  return [...model.active]
    .filter(([name, { server, tool, version }]) => {
      return model.world.get(server)?.get(tool) === version && isAllowed(model, name);
    })
    .map(([name]) => name);
}

function agree(model: Model, { session }: Real): void {
  const names = session.declarations().map(({ name }) => name);
  assert.deepEqual(names, declared(model));
  assert.deepEqual(session.queued, [...model.queue.keys()]);
  const absent = session.absent().map(({ mcpToolName }) => mcpToolName);
  assert.deepEqual([...absent, ...names].sort(), [...model.active.keys()].sort());
}

function event(name: string, run: (model: Model, real: Real) => void): Event {
  return {
    check: () => true,
    run(model, real) {
      run(model, real);
      agree(model, real);
    },
    toString: () => name,
  };
}

const anyServer = fc.constantFrom(...SERVERS);
const anyTool = fc.constantFrom(...TOOLS);

const connect = fc
  .tuple(anyServer, fc.array(fc.tuple(anyTool, fc.nat({ max: 1 })), { minLength: 1, maxLength: 3 }))
  .map(([id, tools]) =>
    event(`connect(${id}: ${tools.map(([tool, version]) => `${tool}@${version}`)})`, (model, { session }) => {
      model.world.set(id, new Map(tools));
      session.update(inventoryOf(model));
    }),
  );

const drop = anyServer.map((id) =>
  event(`drop(${id})`, (model, { session }) => {
    model.world.delete(id);
    session.update(inventoryOf(model));
  }),
);

const listChange = fc.tuple(anyServer, anyTool, fc.constantFrom("add", "remove", "redefine")).map(([id, tool, kind]) =>
  event(`${kind}(${id}, ${tool})`, (model, { session }) => {
    const tools = model.world.get(id);
    if (tools === undefined) return;
    if (kind === "remove") tools.delete(tool);
    else if (kind === "add" ? !tools.has(tool) : tools.has(tool)) tools.set(tool, (tools.get(tool) ?? -1) + 1);
    session.update(inventoryOf(model));
  }),
);

const mode = fc.subarray(SERVERS.flatMap((id) => TOOLS.map((tool) => hostName(id, tool)))).map((forbidden) =>
  event(`mode(forbids ${forbidden})`, (model, { session }) => {
    model.forbidden = new Set(forbidden);
    session.configure({ mode: "other", allowed: (name) => !forbidden.includes(name) });
  }),
);

const anySelection = fc.record({ server: anyServer, tool: fc.option(anyTool, { nil: undefined }) });

const queue = fc
  .uniqueArray(anySelection, { maxLength: 3, selector: ({ server, tool }) => formatInvocation(server, tool) })
  .map((selections) => {
    const text = ["do it", ...selections.map(({ server, tool }) => formatInvocation(server, tool))].join(" ");
    return event(`queue(${text})`, (model, { session }) => {
      const expected = problem(model, selections);
      const queued = session.queue({ text });
      assert.equal(queued.ok ? null : queued.code, expected);
      if (!queued.ok) return;
      const seen = new Map(selections.map((selection) => [selection, meant(model, selection)]));
      model.queue.set(queued.ticket, { selections, seen });
    });
  });

const cancel = fc.nat({ max: 3 }).map((at) =>
  event(`cancel(${at})`, (model, { session }) => {
    const ticket = [...model.queue.keys()][at] ?? 999;
    assert.equal(session.cancel(ticket), model.queue.delete(ticket));
  }),
);

const consume = fc.constant(
  event("consume", (model, { session }) => {
    const consumed: number[] = [];
    const rejected: [number, string][] = [];
    for (const [ticket, { selections, seen }] of model.queue) {
      const code = problem(model, selections, seen);
      if (code !== null) {
        rejected.push([ticket, code]);
        continue;
      }
      consumed.push(ticket);
      for (const selection of selections) {
        // The server lists its tools to us in no order; a selection activates them in code unit order.
        for (const tool of [...meant(model, selection).keys()].sort()) {
          if (isAllowed(model, hostName(selection.server, tool))) activate(model, selection.server, tool, "selection");
        }
      }
    }
    model.queue.clear();
    const sent = session.request(({ messages, declarations }) => {
      // What is sent is in step with the messages that are sent with it.
      assert.deepEqual(
        declarations.map(({ name }) => name),
        declared(model),
      );
      return messages.map(({ ticket }) => ticket);
    });
    assert.deepEqual(
      sent.rejected.map(({ ticket, code }) => [ticket, code]),
      rejected,
    );
    assert.equal(sent.sent, consumed.length > 0 || rejected.length === 0);
    if (sent.sent) assert.deepEqual(sent.answer, consumed);
  }),
);

const search = fc.array(fc.tuple(anyServer, anyTool), { maxLength: 5 }).map((pairs) =>
  event(`search(${pairs.map((pair) => pair.join("/"))})`, (model, { session }) => {
    const active = new Set<string>();
    for (const [id, tool] of pairs) {
      const name = hostName(id, tool);
      if (active.has(name) || model.world.get(id)?.get(tool) === undefined || !isAllowed(model, name)) continue;
      const bySearch = [...model.active.values()].filter(({ by }) => by === "search").length;
      const hasPlace = model.active.has(name) || bySearch < LIMITS.searchTotal;
      if (active.size >= LIMITS.searchResults || !hasPlace) continue;
      active.add(name);
      activate(model, id, tool, "search");
    }
    assert.deepEqual(session.search(pairs.map(([id, tool]) => hostName(id, tool))).active, [...active]);
  }),
);

const restore = fc.constant(
  event("restore", (model, real) => {
    const stored = JSON.parse(JSON.stringify(real.session.snapshot()));
    const { forbidden } = model;
    real.session = Activation.restore(stored, inventoryOf(model), {
      ...LIMITS,
      allowed: (name) => !forbidden.has(name),
    });
    // Messages that waited belong to the host, which queues them again.
    model.queue.clear();
  }),
);

test("in any order of events, what is active is what the model says", () => {
  const events = [connect, drop, listChange, mode, queue, queue, cancel, consume, consume, search, restore];
  fc.assert(
    fc.property(fc.commands(events, { maxCommands: 40 }), (commands) => {
      fc.modelRun(() => {
        const model: Model = {
          world: new Map([
            [
              "a",
              new Map([
                ["x", 0],
                ["y", 0],
              ]),
            ],
            ["b c", new Map([["z:1", 0]])],
          ]),
          active: new Map(),
          queue: new Map(),
          forbidden: new Set(),
        };
        return { model, real: { session: new Activation(inventoryOf(model), LIMITS) } };
      }, commands);
    }),
    { numRuns: 300 },
  );
});
