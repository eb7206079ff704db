/** One running server behind the gateway: its tools as it lists them now, and calls. */
import type { LoggingLevel, Progress } from "@modelcontextprotocol/sdk/types.js";
import type { Tool } from "../core/contracts.ts";
import { connectServer } from "../inventory/connect.ts";
import { redact } from "../inventory/failure.ts";
import { secretsOf } from "../inventory/open.ts";
import type { ServerConfig } from "../inventory/server-config.ts";
import { allowsTool } from "../inventory/tool-lists.ts";
import type { Limits } from "./limits.ts";
import { clientSideFor, type Hearer } from "./server-requests.ts";

export interface DownstreamCall {
  signal: AbortSignal;
  onProgress?: ((progress: Progress) => void) | undefined;
}

export interface Downstream {
  /** What the server listed last; waits where it is being listed anew. */
  tools(): Promise<readonly Tool[]>;
  /** The result as it came. Throws a `ServerFailure`. */
  call(tool: string, args: Record<string, unknown>, call: DownstreamCall): Promise<Record<string, unknown>>;
  /** A resource as it came. Throws a `ServerFailure`. */
  read(uri: string, signal: AbortSignal): Promise<Record<string, unknown>>;
  /** Asks for log messages from this level on, where the server has any. */
  setLevel(level: LoggingLevel): void;
  /** Tells the server that the client's roots have changed. */
  rootsChanged(): void;
  close(): Promise<void>;
}

export interface DownstreamOptions {
  hearer: Hearer;
  limits: Limits;
  /** Ends the start. */
  signal: AbortSignal;
  /** Told of every list, the first one included. */
  onListed(tools: Tool[]): void;
}

/** Starts a server, or opens a session with it, and lists its tools. Throws a `ServerFailure`, with nothing left running. */
export async function startDownstream(config: ServerConfig, options: DownstreamOptions): Promise<Downstream> {
  const { hearer, limits, signal, onListed } = options;
  const timeoutMs = (limits.ownConnectMs ? config.timeoutMs : undefined) ?? limits.connectMs;
  let refresh = () => {};
  // What changes before the first list is in it.
  const side = clientSideFor(config.name, { ...hearer, toolsChanged: () => refresh() });
  const connection = await connectServer(config, { timeoutMs, signal, side });
  const { client } = connection;
  const secrets = config.target === undefined ? [] : secretsOf(config.target);
  let tools: Tool[] = [];
  const take = (list: Tool[]) => {
    tools = list.filter(({ name }) => allowsTool(config, name));
    onListed(tools);
  };
  take(connection.server.tools);

  let refreshing: Promise<void> | undefined;
  let again = false;
  refresh = () => {
    // A storm of notices costs the list that is being taken and one more.
    if (refreshing !== undefined) {
      again = true;
      return;
    }
    refreshing = connection
      .listTools({ timeoutMs })
      // A list that cannot be had leaves the last good one.
      .then(take, () => {})
      .finally(() => {
        refreshing = undefined;
        if (!again) return;
        again = false;
        refresh();
      });
  };

  return {
    async tools() {
      await refreshing;
      await refreshing;
      return tools;
    },
    async call(tool, args, call) {
      const result = await connection.callTool(tool, args, { ...call, timeoutMs: limits.callMs });
      return result.isError === true ? withoutSecrets(result, secrets) : result;
    },
    read: (uri, readSignal) => connection.readResource(uri, { signal: readSignal, timeoutMs: limits.callMs }),
    setLevel(level) {
      if (client.getServerCapabilities()?.logging !== undefined) void client.setLoggingLevel(level).catch(() => {});
    },
    rootsChanged() {
      void client.sendRootsListChanged().catch(() => {});
    },
    close: () => connection.close(),
  };
}

/** An error's texts without what the server's configuration keeps secret: servers print their environment when they fail. */
function withoutSecrets(result: Record<string, unknown>, secrets: readonly string[]): Record<string, unknown> {
  if (!Array.isArray(result.content)) return result;
  const content = result.content.map((block: unknown) => {
    const { text } = (block ?? {}) as { text?: unknown };
    return typeof text === "string" ? { ...(block as object), text: redact(text, secrets) } : block;
  });
  return { ...result, content };
}
