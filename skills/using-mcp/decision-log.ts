/** One record a choice. Arguments appear by shape only. */
import type { Access, Decision, LogRecord } from "../../runtime/core/contracts.ts";

/** How much of an argument's shape is kept. */
const MAX_DEPTH = 6;
const MAX_KEYS = 50;

/**
 * The shape of a value: keys and types, lengths of texts and lists, never a value. Keys that are no plain names could be
 * values in disguise and are counted instead.
 */
export function shapeOf(value: unknown, depth = 0): unknown {
  if (value === null) return "null";
  if (typeof value === "string") return `string(${value.length})`;
  if (typeof value !== "object") return typeof value;
  if (depth >= MAX_DEPTH) return "…";
  if (Array.isArray(value))
    return value.length === 0 ? "array(0)" : { [`array(${value.length})`]: shapeOf(value[0], depth + 1) };
  const entries = Object.entries(value);
  const plain = entries.filter(([key]) => /^[A-Za-z_][\w-]{0,39}$/.test(key)).slice(0, MAX_KEYS);
  const shape = Object.fromEntries(plain.map(([key, child]) => [key, shapeOf(child, depth + 1)]));
  return plain.length === entries.length ? shape : { ...shape, "…": `${entries.length - plain.length} more` };
}

/** A record for the log; what is not known is `null`. `now` is milliseconds since 1970. */
export function logRecord(
  choice: {
    via: LogRecord["via"];
    decision: Decision;
    reason: string;
    capability?: string | undefined;
    server?: string | undefined;
    tool?: string | undefined;
    access?: Access | undefined;
    args?: unknown;
  },
  now: number,
): LogRecord {
  const { via, decision, reason, capability, server, tool, access } = choice;
  return {
    time: new Date(now).toISOString(),
    capability: capability ?? null,
    via,
    server: server ?? null,
    tool: tool ?? null,
    access: access ?? null,
    decision,
    reason,
    ...(choice.args === undefined ? {} : { argumentsShape: shapeOf(choice.args) }),
  };
}
