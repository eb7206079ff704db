/** What the gateway itself brings to a session: its own tools and the loaded ones, selections, skills and reports. */
import type { LoggingLevel, ServerRequest } from "@modelcontextprotocol/sdk/types.js";
import { RootsListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod/mini";
import type { LogRecord, Mode, Permissions } from "../core/contracts.ts";
import { splitQualifiedName } from "../core/tool.ts";
import { clientTool } from "./client-tool.ts";
import type { DownstreamPool } from "./downstream-pool.ts";
import type { PoolUser } from "./downstream-slot.ts";
import type { Feature, FeatureFactory, RequestExtra, SessionContext } from "./feature.ts";
import { gatedCall } from "./gate-call.ts";
import type { Clock, Limits } from "./limits.ts";
import { readLinked } from "./linked-resources.ts";
import { createLinks } from "./links.ts";
import { callOwnTool, OWN_TOOL_COUNT, ownTools } from "./own-tools.ts";
import { completeArgument, getPrompt, PROMPTS } from "./prompts.ts";
import { CATALOGUE, listResources, REPORT, readResource, type SkillSource } from "./resources.ts";
import { createSessionLog } from "./session-log.ts";
import type { SessionState } from "./session-state.ts";
import { createSessionTools } from "./session-tools.ts";
import type { Shelf } from "./shelf.ts";

/** What all sessions share. */
export interface CoreOptions {
  shelf: Shelf;
  pool: DownstreamPool;
  /** How many tools a client sees at most, the gateway's own included. */
  max: number;
  pinned: readonly string[];
  mode: Mode | undefined;
  permissions: Permissions | undefined;
  limits: Limits;
  clock: Clock;
  log(record: LogRecord): void;
  skills: SkillSource;
}

/** An answer of any shape: the SDK's side that asked holds it against its own schema. */
const AnyAnswer = z.looseObject({});

export function coreFeature(options: CoreOptions): FeatureFactory {
  return (context) => {
    let level: LoggingLevel | undefined;
    const session = sessionState(options, context, () => level);
    const { pool, skills } = options;
    context.server.setNotificationHandler(RootsListChangedNotificationSchema, () => pool.rootsChanged(session.user));
    return {
      tools: {
        async list() {
          return [...ownTools(), ...(await session.tools.shown()).map(clientTool)];
        },
        call({ name, arguments: args = {} }, extra) {
          return callOwnTool(name, args, session, extra) ?? callLoaded(name, args, session, extra);
        },
      },
      prompts: {
        list: () => [...PROMPTS],
        get: (params, extra) => getPrompt(params, session, extra),
      },
      resources: {
        list: () => listResources(skills),
        async read(uri, extra) {
          return (await readResource(uri, session, skills)) ?? readLinked(uri, session, extra);
        },
      },
      complete: (params) =>
        params.ref.type === "ref/prompt" && PROMPTS.some(({ name }) => "name" in params.ref && name === params.ref.name)
          ? completeArgument(params, session)
          : undefined,
      setLevel(wanted) {
        level = wanted;
        pool.setLevel(session.user, wanted);
      },
      async close() {
        session.tools.close();
        await pool.leave(session.user);
      },
    } satisfies Feature;
  };
}

/**
 * A tool that the client sees, or saw: one that made room since is called all the same, since the gate decides what runs and
 * the list only what is worth a model's attention.
 */
function callLoaded(name: string, args: Record<string, unknown>, session: SessionState, extra: RequestExtra) {
  if (!name.startsWith("mcp__")) return undefined;
  return (async () => {
    const { book } = await session.tools.now();
    const tool = book.named(name);
    const split = tool === undefined ? splitQualifiedName(name) : { server: tool.server, tool: tool.name };
    const call = { server: split?.server ?? name, tool: split?.tool ?? name, args, promised: true };
    return gatedCall(session, call, extra);
  })();
}

function sessionState(options: CoreOptions, context: SessionContext, level: PoolUser["level"]): SessionState {
  const { shelf, pool, max, pinned, mode, permissions, limits, clock, log } = options;
  const capabilities = () => context.server.getClientCapabilities() ?? {};
  const user: PoolUser = {
    id: context.id,
    capabilities,
    level,
    ask(request: ServerRequest, signal: AbortSignal, extra?: RequestExtra) {
      const limit = { timeout: limits.askMs, signal };
      return extra === undefined
        ? context.server.request(request, AnyAnswer, limit)
        : extra.sendRequest(request, AnyAnswer, limit);
    },
    log: (message, extra) => void context.log(message, extra),
    listed: (server, tools) => session.tools.listed(server, tools),
    elicitationCompleted(elicitationId) {
      const notification = { method: "notifications/elicitation/complete", params: { elicitationId } } as const;
      void context.server.notification(notification).catch(() => {});
    },
  };
  const session: SessionState = {
    context,
    tools: createSessionTools({
      shelf,
      permissions,
      room: Math.max(0, max - OWN_TOOL_COUNT),
      pinned,
      onShown: () => void context.changed("tools"),
      onChange: () => void context.updated(CATALOGUE),
    }),
    log: createSessionLog(() => void context.updated(REPORT)),
    links: createLinks(),
    pool,
    user,
    mode,
    permissions,
    limits,
    clock,
    capabilities,
    decided: log,
  };
  return session;
}
