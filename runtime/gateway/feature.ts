/**
 * What a session offers is put together from features: each brings tools, prompts, resources, completions, or some of them.
 * A request goes to the first feature that knows what it names.
 */
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type {
  CallToolRequest,
  CallToolResult,
  CompleteRequest,
  CompleteResult,
  GetPromptRequest,
  GetPromptResult,
  LoggingLevel,
  LoggingMessageNotification,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  ServerNotification,
  ServerRequest,
  Tool,
} from "@modelcontextprotocol/sdk/types.js";

/**
 * What comes with one request of the client: its signal, its progress token, and ways to notify and ask the client that
 * belong to this request, so that they reach the client on its stream where the transport has several.
 */
export type RequestExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** A session as its features see it. */
export interface SessionContext {
  /** Unique in the gateway; no transport's session id. */
  readonly id: string;
  /** The SDK's server of this session, for what has no way of its own here. */
  readonly server: Server;
  /** The level that the client set; `debug` until it sets one. */
  readonly level: LoggingLevel;
  /** Aborts when the session ends. */
  readonly signal: AbortSignal;
  /** Sends a log message, where it is at or above the client's level. Never throws. */
  log(message: LoggingMessageNotification["params"], extra?: RequestExtra): Promise<void>;
  /** Tells the client that a list has changed; with `extra`, as part of that request. Never throws. */
  changed(list: "tools" | "prompts" | "resources", extra?: RequestExtra): Promise<void>;
  /** Tells the client that a resource has changed, where it subscribed to it. Never throws. */
  updated(uri: string): Promise<void>;
}

/** One part of what a session offers. What does not know a name or an address gives `undefined`, and the next is asked. */
export interface Feature {
  tools?: {
    list(): Tool[] | Promise<Tool[]>;
    call(params: CallToolRequest["params"], extra: RequestExtra): Promise<CallToolResult> | undefined;
  };
  prompts?: {
    list(): Prompt[] | Promise<Prompt[]>;
    get(params: GetPromptRequest["params"], extra: RequestExtra): Promise<GetPromptResult> | undefined;
  };
  resources?: {
    list(): Resource[] | Promise<Resource[]>;
    templates?(): ResourceTemplate[];
    read(uri: string, extra: RequestExtra): Promise<ReadResourceResult | undefined> | undefined;
  };
  complete?(params: CompleteRequest["params"], extra: RequestExtra): Promise<CompleteResult> | undefined;
  /** Told of the level that the client sets. */
  setLevel?(level: LoggingLevel): void;
  /** Ends what the feature holds. Must not throw. */
  close?(): void | Promise<void>;
}

/** Makes a feature for one session. It is called before the session has a client. */
export type FeatureFactory = (session: SessionContext) => Feature;
