/** One client's session: an MCP server that answers out of its features. */
import { randomUUID } from "node:crypto";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  type LoggingLevel,
  LoggingLevelSchema,
  McpError,
  ReadResourceRequestSchema,
  type ServerNotification,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { printable } from "../core/errors.ts";
import type { Feature, FeatureFactory, RequestExtra, SessionContext } from "./feature.ts";

export interface GatewaySession {
  /** Unique in the gateway. */
  readonly id: string;
  /** Ready to be connected to a transport. When its transport closes, the session ends. */
  readonly server: Server;
  /** Resolves when the session has ended. */
  readonly closed: Promise<void>;
  /** Ends the session and all that is its own; again is no error. */
  close(): Promise<void>;
}

export interface SessionOptions {
  version: string;
  /** For the model, in a few lines. */
  instructions?: string | undefined;
  features: readonly FeatureFactory[];
}

/** From the least urgent to the most (MCP specification 2025-11-25, "Logging"). */
const LEVELS: readonly LoggingLevel[] = LoggingLevelSchema.options;

/** What a client may subscribe to at most: enough for any host, and a bound for one that never stops. */
const MAX_SUBSCRIPTIONS = 1000;

export function openSession({ version, instructions, features: factories }: SessionOptions): GatewaySession {
  const server = new Server(
    { name: "mcp-skill-pack", version },
    {
      capabilities: { logging: {} },
      debouncedNotificationMethods: ["notifications/tools/list_changed"],
      ...(instructions !== undefined && { instructions }),
    },
  );
  const ended = new AbortController();
  const subscribed = new Set<string>();
  let level: LoggingLevel = "debug";
  let initialized = false;
  server.oninitialized = () => {
    initialized = true;
  };
  // What a client sends that is no message, or a notification that it no longer takes, costs nothing but itself.
  server.onerror = () => {};

  async function notify(notification: ServerNotification, extra?: RequestExtra): Promise<void> {
    if (!initialized || ended.signal.aborted) return;
    await (extra === undefined ? server.notification(notification) : extra.sendNotification(notification)).catch(
      () => {},
    );
  }

  const context: SessionContext = {
    id: randomUUID(),
    server,
    signal: ended.signal,
    get level() {
      return level;
    },
    async log(params, extra) {
      if (LEVELS.indexOf(params.level) >= LEVELS.indexOf(level)) {
        await notify({ method: "notifications/message", params }, extra);
      }
    },
    changed: (list, extra) => notify({ method: `notifications/${list}/list_changed` }, extra),
    async updated(uri) {
      if (subscribed.has(uri)) await notify({ method: "notifications/resources/updated", params: { uri } });
    },
  };
  const features = factories.map((make) => make(context));
  server.registerCapabilities(capabilitiesOf(features));
  answer(server, features);

  server.setRequestHandler(SetLevelRequestSchema, ({ params }) => {
    level = params.level;
    for (const feature of features) feature.setLevel?.(level);
    return {};
  });
  if (features.some(({ resources }) => resources !== undefined)) {
    server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
      if (subscribed.size >= MAX_SUBSCRIPTIONS) throw invalid("There are too many subscriptions in this session");
      subscribed.add(params.uri);
      return {};
    });
    server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
      subscribed.delete(params.uri);
      return {};
    });
  }

  let markClosed = () => {};
  const closed = new Promise<void>((done) => {
    markClosed = done;
  });
  let closing: Promise<void> | undefined;
  async function end(): Promise<void> {
    ended.abort();
    await server.close().catch(() => {});
    await Promise.allSettled(features.map(async (feature) => feature.close?.()));
    markClosed();
  }
  const close = () => {
    // Closing the server calls back to here, so the promise has to be there before anything is closed.
    closing ??= Promise.resolve().then(end);
    return closing;
  };
  server.onclose = () => void close();
  return { id: context.id, server, closed, close };
}

function capabilitiesOf(features: readonly Feature[]) {
  const has = (part: keyof Feature) => features.some((feature) => feature[part] !== undefined);
  return {
    ...(has("tools") && { tools: { listChanged: true } }),
    ...(has("prompts") && { prompts: { listChanged: true } }),
    ...(has("resources") && { resources: { listChanged: true, subscribe: true } }),
    ...(has("complete") && { completions: {} }),
  };
}

/** Registers a handler for each kind of request that a feature answers. */
function answer(server: Server, features: readonly Feature[]): void {
  const tools = features.flatMap((feature) => feature.tools ?? []);
  if (tools.length > 0) {
    server.setRequestHandler(ListToolsRequestSchema, async () => ({
      tools: await all(tools.map((one) => one.list())),
    }));
    server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => {
      return first(tools, (one) => one.call(params, extra)) ?? unknown("tool", params.name);
    });
  }
  const prompts = features.flatMap((feature) => feature.prompts ?? []);
  if (prompts.length > 0) {
    server.setRequestHandler(ListPromptsRequestSchema, async () => ({
      prompts: await all(prompts.map((one) => one.list())),
    }));
    server.setRequestHandler(GetPromptRequestSchema, ({ params }, extra) => {
      return first(prompts, (one) => one.get(params, extra)) ?? unknown("prompt", params.name);
    });
  }
  const resources = features.flatMap((feature) => feature.resources ?? []);
  if (resources.length > 0) {
    server.setRequestHandler(ListResourcesRequestSchema, async () => ({
      resources: await all(resources.map((one) => one.list())),
    }));
    server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
      resourceTemplates: resources.flatMap((one) => one.templates?.() ?? []),
    }));
    server.setRequestHandler(ReadResourceRequestSchema, async ({ params }, extra) => {
      for (const one of resources) {
        const found = await one.read(params.uri, extra);
        if (found !== undefined) return found;
      }
      // MCP specification 2025-11-25, "Resources", "Error Handling".
      throw new McpError(-32002, `There is no resource "${printable(params.uri)}"`);
    });
  }
  if (features.some(({ complete }) => complete !== undefined)) {
    server.setRequestHandler(CompleteRequestSchema, ({ params }, extra) => {
      return first(features, (one) => one.complete?.(params, extra)) ?? { completion: { values: [] } };
    });
  }
}

function first<Part, Answer>(parts: readonly Part[], ask: (part: Part) => Answer | undefined): Answer | undefined {
  for (const part of parts) {
    const answered = ask(part);
    if (answered !== undefined) return answered;
  }
  return undefined;
}

async function all<Item>(lists: readonly (Item[] | Promise<Item[]>)[]): Promise<Item[]> {
  return (await Promise.all(lists)).flat();
}

function invalid(message: string): McpError {
  return new McpError(ErrorCode.InvalidParams, message);
}

function unknown(kind: string, name: string): never {
  throw invalid(`There is no ${kind} "${printable(name)}"`);
}
