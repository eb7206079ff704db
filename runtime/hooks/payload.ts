/**
 * What hosts hand to a hook on stdin, and how they want to be answered.
 *
 * Claude Code: code.claude.com/docs/en/hooks (snake_case fields, `hookSpecificOutput`). Copilot CLI and cloud agent:
 * docs.github.com/en/copilot/reference/hooks-reference (camelCase fields, the answer's fields at the top). Copilot also reads
 * `.claude/settings.json`: there the fields are in snake_case, with a timestamp that Claude Code does not send.
 */
import { PackError } from "../core/errors.ts";

export type Dialect = "claude" | "copilot" | "both";

export interface HookPayload {
  dialect: Dialect;
  /** The project, or the session's working directory where the host does not say. */
  folder: string;
  tool: string | undefined;
  args: unknown;
  prompt: string | undefined;
}

/** Reads the payload; throws `bad-payload` for what is no JSON object. */
export function readPayload(text: string, projectFolder: string | undefined): HookPayload {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw new PackError("bad-payload", "what the host sent is not JSON", { cause });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new PackError("bad-payload", "what the host sent is not a JSON object");
  }
  const field = (name: string): unknown =>
    Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
  const text_ = (name: string): string | undefined => {
    const found = field(name);
    return typeof found === "string" ? found : undefined;
  };
  const camel = field("toolName") !== undefined || field("sessionId") !== undefined;
  const dialect: Dialect = camel ? "copilot" : field("timestamp") !== undefined ? "both" : "claude";
  return {
    dialect,
    folder: projectFolder || text_("cwd") || ".",
    tool: text_("tool_name") ?? text_("toolName"),
    args: argumentsOf(field("tool_input") ?? field("toolArgs")),
    prompt: text_("prompt"),
  };
}

/** Copilot hands arguments over as JSON text in some versions. Text that is none stays text, and is looked through as such. */
function argumentsOf(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return { text: value };
  }
}

/** An answer in the host's own form. `fields` are those of the event, such as `permissionDecision`. */
export function formatAnswer(dialect: Dialect, event: string, fields: Record<string, string>): object {
  const nested = { hookSpecificOutput: { hookEventName: event, ...fields } };
  if (dialect === "claude") return nested;
  return dialect === "copilot" ? fields : { ...nested, ...fields };
}
