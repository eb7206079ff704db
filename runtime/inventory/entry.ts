/** One entry of a host's configuration file, whatever the host, as a `ServerConfig`. */
import type { Origin } from "../core/contracts.ts";
import { printable } from "../core/errors.ts";
import { isObject } from "./config-format.ts";
import { type ExpandScope, expand, type Missing } from "./expand.ts";
import type { EntryRules } from "./hosts/host.ts";
import type { ServerConfig } from "./server-config.ts";
import { readTarget, type TargetReader, transportOf } from "./target.ts";

export interface EntryPlace {
  origin: Origin;
  rules: EntryRules;
  scope: ExpandScope;
  readEnvFile: TargetReader["readEnvFile"];
  /** Whether the file switches the entry off somewhere else than in the entry. */
  switchedOff?: boolean;
}

/** Never throws: an entry that cannot be used is a server of the state `invalid`, with the reason. */
export function readEntry(name: string, raw: unknown, place: EntryPlace): ServerConfig {
  const config: ServerConfig = { name, state: "enabled", origins: [place.origin] };
  if (!isObject(raw)) return invalid(config, "The entry is not an object");
  if (name === "") return invalid(config, "The entry has no name");
  const found = transportOf(raw, place.rules);
  const known: ServerConfig = typeof found === "string" ? config : { ...config, transport: found.transport };
  if (place.switchedOff || isOn(raw.disabled) || isOff(raw.enabled)) {
    return { ...known, state: "disabled", reason: { kind: "config", message: "Switched off in its configuration" } };
  }
  if (typeof found === "string")
    return place.rules.ownKeys === undefined ? invalid(config, found) : hosted(config, raw, place.rules.ownKeys, found);
  const missing: Missing = { env: new Set(), inputs: new Set() };
  const { rules, readEnvFile } = place;
  const scope = { ...place.scope, notations: rules.notations };
  const expanded = (text: string) => expand(text, scope, missing);
  const target = readTarget(raw, found.transport, { rules, env: scope.env, missing, expanded, readEnvFile });
  if (typeof target === "string") return invalid(known, target);
  const reason = reasonOf(missing);
  if (reason !== undefined) return { ...known, state: reason.kind, reason };
  return { ...known, target, ...limits(raw, rules) };
}

function invalid(config: ServerConfig, message: string): ServerConfig {
  return { ...config, state: "invalid", reason: { kind: "config", message, fix: "Mend the entry in its file" } };
}

/** An entry with settings only belongs to an extension of its host, which alone knows the command. */
function hosted(config: ServerConfig, raw: object, ownKeys: readonly string[], why: string): ServerConfig {
  if (!Object.keys(raw).every((key) => ownKeys.includes(key))) return invalid(config, why);
  const message = "An extension of its host starts it, and no other program knows how";
  return { ...config, state: "needs-input", reason: { kind: "needs-input", message, fix: "Use it in its host" } };
}

/** A switch in an unexpected spelling (`"true"`, 1) still counts: what the user switched off is never started. */
function isOn(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === "string" && /^(true|yes|on|1)$/i.test(value));
}

function isOff(value: unknown): boolean {
  return value === false || value === 0 || (typeof value === "string" && /^(false|no|off|0)$/i.test(value));
}

function reasonOf(missing: Missing) {
  if (missing.inputs.size > 0) {
    const names = [...missing.inputs].map((id) => printable(id, 60)).join(", ");
    const message = `It needs what only its host can give: ${names}`;
    const fix = "Use it in its host, or take the value from an environment variable";
    return { kind: "needs-input", message, fix } as const;
  }
  if (missing.env.size === 0) return undefined;
  const names = [...missing.env].map((name) => printable(name, 60)).join(", ");
  const verb = missing.env.size === 1 ? "variable is" : "variables are";
  const fix = `Set ${names}, or write a default as \${NAME:-default}`;
  return { kind: "needs-env", message: `The environment ${verb} not set: ${names}`, fix } as const;
}

const ALLOW_KEYS = ["includeTools", "enabled_tools", "available_tools", "allowedTools", "tools"];
const DENY_KEYS = ["excludeTools", "disabled_tools", "disabledTools", "blockedTools"];

function limits(entry: Record<string, unknown>, rules: EntryRules): Partial<ServerConfig> {
  const timeoutMs = timeoutOf(entry, rules);
  // Goose writes an empty list for "all"; elsewhere an empty list is none.
  const lists = ALLOW_KEYS.map((key) =>
    key === "available_tools" && isEmpty(entry[key]) ? undefined : texts(entry[key]),
  );
  const listed = lists.filter((list) => list !== undefined);
  const allowTools = listed.length === 0 || listed.flat().includes("*") ? undefined : listed.flat();
  const denyTools = DENY_KEYS.flatMap((key) => texts(entry[key]) ?? []);
  return {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(allowTools === undefined ? {} : { allowTools }),
    ...(denyTools.length === 0 ? {} : { denyTools }),
  };
}

function timeoutOf(entry: Record<string, unknown>, rules: EntryRules): number | undefined {
  const candidates: [unknown, number][] = [
    [entry.startup_timeout_ms, 1],
    [entry.startup_timeout_sec, 1000],
    [entry.timeout, rules.timeoutUnit === "s" ? 1000 : 1],
  ];
  for (const [value, factor] of candidates) {
    if (typeof value === "number" && value > 0 && Number.isFinite(value)) return Math.ceil(value * factor);
  }
  return undefined;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function texts(value: unknown): string[] | undefined {
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : undefined;
}
