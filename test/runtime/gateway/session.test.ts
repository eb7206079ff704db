/** A session answers out of its features, whatever they are, and ends with its client. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import {
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { FeatureFactory } from "../../../runtime/gateway/feature.ts";
import { openSession } from "../../../runtime/gateway/session.ts";

const events: string[] = [];

const greeter: FeatureFactory = (session) => ({
  tools: {
    list: () => [{ name: "greet", inputSchema: { type: "object" } }],
    call(params, extra) {
      if (params.name !== "greet") return undefined;
      return (async () => {
        await session.log({ level: "debug", data: "too quiet" }, extra);
        await session.log({ level: "error", data: "loud" }, extra);
        await session.changed("tools", extra);
        await session.updated("note://1");
        await session.updated("note://2");
        return { content: [{ type: "text" as const, text: "hello" }] };
      })();
    },
  },
  resources: {
    list: () => [{ uri: "note://1", name: "one" }],
    templates: () => [{ uriTemplate: "note://{id}", name: "a note" }],
    read: async (uri) => (uri === "note://1" ? { contents: [{ uri, text: "first" }] } : undefined),
  },
  close: () => {
    events.push("greeter closed");
  },
});

const asker: FeatureFactory = () => ({
  tools: { list: () => [{ name: "ask", inputSchema: { type: "object" } }], call: () => undefined },
  prompts: {
    list: () => [{ name: "hi", arguments: [{ name: "who" }] }],
    get({ name, arguments: { who = "" } = {} }) {
      if (name !== "hi") return undefined;
      return Promise.resolve({ messages: [{ role: "user" as const, content: { type: "text" as const, text: who } }] });
    },
  },
  complete: ({ argument }) => Promise.resolve({ completion: { values: [`${argument.value}!`] } }),
});

async function connect(features: FeatureFactory[]) {
  const session = openSession({ version: "1", features });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1" });
  await Promise.all([session.server.connect(far), client.connect(near)]);
  return { client, session };
}

test("features are asked in order, and what none knows is an error of its kind", async () => {
  const { client, session } = await connect([greeter, asker]);
  const seen: string[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void seen.push(String(params.data)));
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void seen.push("tools changed"));
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void seen.push(params.uri));

  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ["greet", "ask"],
  );
  await client.setLoggingLevel("warning");
  await client.subscribeResource({ uri: "note://2" });
  assert.deepEqual((await client.callTool({ name: "greet" })).content, [{ type: "text", text: "hello" }]);
  assert.deepEqual(seen, ["loud", "tools changed", "note://2"]);
  await client.unsubscribeResource({ uri: "note://2" });

  assert.equal((await client.readResource({ uri: "note://1" })).contents.length, 1);
  assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 1);
  const { messages } = await client.getPrompt({ name: "hi", arguments: { who: "you" } });
  assert.deepEqual(messages[0]?.content, { type: "text", text: "you" });
  const { completion } = await client.complete({
    ref: { type: "ref/prompt", name: "hi" },
    argument: { name: "who", value: "y" },
  });
  assert.deepEqual(completion.values, ["y!"]);

  await assert.rejects(client.callTool({ name: "no\u0007such" }), {
    code: -32602,
    message: /no tool "no\\u\{7\}such"/,
  });
  await assert.rejects(client.getPrompt({ name: "none" }), { code: -32602 });
  await assert.rejects(client.readResource({ uri: "note://3" }), { code: -32002 });
  await client.close();
  await session.closed;
  assert.deepEqual(events, ["greeter closed"]);
});

test("a session offers no more than its features bring", async () => {
  const { client, session } = await connect([]);
  assert.deepEqual(client.getServerCapabilities(), { logging: {} });
  await session.close();
});

test("whoever ends a session, and however often, its features are closed once", async () => {
  let closed = 0;
  const counter: FeatureFactory = () => ({ close: () => void closed++ });
  const first = await connect([counter]);
  await Promise.all([first.session.close(), first.session.close()]);
  assert.equal(closed, 1);
  const second = await connect([counter]);
  await second.client.close();
  await second.session.closed;
  await second.session.close();
  assert.equal(closed, 2);
});
