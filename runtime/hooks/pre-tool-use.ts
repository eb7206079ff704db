/** Before a call: reads pass and are logged, writes ask, what cannot be taken back always asks. */
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { logRecord } from "../../skills/using-mcp/decision-log.ts";
import type { GateResult, Tool } from "../core/contracts.ts";
import { inertJson } from "../core/json-text.ts";
import { qualifiedName, splitQualifiedName, type ToolName } from "../core/tool.ts";
import { type Place, pathOf } from "../inventory/host-files.ts";
import { readPermissions } from "../inventory/permissions.ts";
import { hostName, knownServers, listedTools } from "./known-tools.ts";
import type { HookPayload } from "./payload.ts";

export interface HookOptions {
  mode?: string | undefined;
  log?: string | undefined;
  place: Place;
  now: number;
}

/** The decision, or `null` for a tool that is no MCP tool and is left to the host. */
export async function preToolUse(payload: HookPayload, options: HookOptions): Promise<GateResult | null> {
  const { place, now } = options;
  if (payload.tool === undefined) throw new TypeError("the host named no tool");
  if (payload.dialect === "claude" && !payload.tool.startsWith("mcp__")) return null;
  const [lists, { gate }] = await Promise.all([knownServers(place), import("../../skills/using-mcp/judgements.ts")]);
  const call = mcpCall(payload.tool, Object.keys(lists));
  if (call === null) return null;
  const [project, user] = await Promise.all([readPermissions(payload.folder), readPermissions(place.home)]);
  const permissions = {
    allow: [...project.allow, ...user.allow],
    ask: [...project.ask, ...user.ask],
    deny: [...project.deny, ...user.deny],
  };
  const known = definitionOf(call, lists, place, now);
  const tool = { ...known, name: qualifiedName(call.server, call.tool) };
  const result = gate({ tool, args: payload.args, mode: options.mode, permissions });
  const access = result.reason === "it only reads" ? "read" : undefined;
  const record = logRecord({ via: "mcp", ...call, access, args: payload.args, ...result }, now);
  const log = options.log ?? logFile(place);
  mkdirSync(dirname(log), { recursive: true, mode: 0o700 });
  appendFileSync(log, `${inertJson(record)}\n`, { mode: 0o600 });
  return result;
}

/** Copilot names a tool `<server>-<tool>`, which only a known server tells apart from its own tools. */
function mcpCall(tool: string, servers: readonly string[]): ToolName | null {
  if (tool.startsWith("mcp__")) {
    const parsed = splitQualifiedName(tool);
    if (parsed === null) throw new TypeError("the tool's name cannot be read");
    return parsed;
  }
  const longestFirst = servers.map(hostName).sort((left, right) => right.length - left.length);
  const server = longestFirst.find((name) => tool.startsWith(`${name}-`) && tool.length > name.length + 1);
  return server === undefined ? null : { server, tool: tool.slice(server.length + 1) };
}

function definitionOf(
  { server, tool }: ToolName,
  lists: Record<string, string>,
  place: Place,
  now: number,
): Tool | undefined {
  for (const [name, key] of Object.entries(lists)) {
    if (name !== server && hostName(name) !== server) continue;
    const known = listedTools(name, key, place, now)?.find(
      (listed) => listed.name === tool || hostName(listed.name) === tool,
    );
    if (known !== undefined) {
      const { server: _, ...definition } = known;
      return definition as Tool;
    }
  }
  return undefined;
}

/** `$MCP_SKILLS_LOG`, or `decisions.jsonl` in the user's state folder. */
function logFile({ env, home, platform }: Place): string {
  if (env.MCP_SKILLS_LOG) return env.MCP_SKILLS_LOG;
  const { isAbsolute, join } = pathOf(platform);
  const set = env.XDG_STATE_HOME;
  const state = set !== undefined && isAbsolute(set) ? set : join(home, ".local", "state");
  return join(state, "mcp-skills", "decisions.jsonl");
}
