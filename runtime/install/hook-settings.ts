/**
 * The pack's hooks in a host's settings: merged with what is there, comments and order kept, and removed without a trace.
 * An entry is ours by its command, which runs the installed `using-mcp/scripts/hook.mjs`.
 */
import { applyEdits, type FormattingOptions, type JSONPath, modify, type ParseError, parse } from "jsonc-parser";
import { PackError } from "../core/errors.ts";

/** The events of Claude Code that the pack answers, with the argument of its hook script and the tools it looks at. */
export const CLAUDE_EVENTS = [
  { event: "PreToolUse", argument: "pre-tool-use", matcher: "mcp__.*" },
  { event: "UserPromptSubmit", argument: "user-prompt-submit", matcher: undefined },
  { event: "SessionStart", argument: "session-start", matcher: undefined },
] as const;

const OURS = /using-mcp[/\\]scripts[/\\]hook\.mjs/;
/** Long enough for a slow machine's cold start; a host that waits for longer has a fault to report. In seconds. */
const TIMEOUT = 10;

type Group = Record<string, unknown> & { hooks?: unknown };

/** Settings with the hooks in them, each started by `command(argument)`. Equal to `text` where they are there already. */
export function withHooks(text: string | null, command: (argument: string) => string, file: string): string {
  let now = text ?? "{}\n";
  for (const entry of CLAUDE_EVENTS) {
    const { event } = entry;
    const group = claudeHooks(entry, command);
    const groups = groupsOf(now, event, file);
    const ours = groups.filter((other) => hooksOf(other).some(isOurs));
    if (ours.length === 1 && JSON.stringify(ours[0]) === JSON.stringify(group)) continue;
    now = withoutEvent(now, event, file);
    const known = groupsOf(now, event, file);
    now =
      known.length > 0
        ? edit(now, ["hooks", event, known.length], group, true)
        : edit(now, ["hooks", event], [group], false);
  }
  return now;
}

/** One event's group as Claude Code's settings and a plugin's hook file have it. */
export function claudeHooks(
  { event, argument, matcher }: (typeof CLAUDE_EVENTS)[number],
  command: (argument: string) => string,
): Group {
  const hook: Record<string, unknown> = { type: "command", command: command(argument), timeout: TIMEOUT };
  // A hook that cannot start at all must not let the call through.
  if (event === "PreToolUse") hook.onFailure = "block";
  return { ...(matcher === undefined ? {} : { matcher }), hooks: [hook] };
}

/** Settings without the hooks, or `null` where nothing else is in them. */
export function withoutHooks(text: string, file: string): string | null {
  let now = text;
  for (const { event } of CLAUDE_EVENTS) now = withoutEvent(now, event, file);
  return now.replace(/\s/g, "") === "{}" && now !== text ? null : now;
}

export function hasHooks(text: string, file: string): boolean {
  return CLAUDE_EVENTS.some(({ event }) => groupsOf(text, event, file).some((group) => hooksOf(group).some(isOurs)));
}

/** The hook file of Copilot CLI and its cloud agent, which is ours alone. Neither takes anything from a prompt's hook. */
export function copilotHooks(command: (argument: string) => string): string {
  const entry = (argument: string) => [{ type: "command", command: command(argument), timeoutSec: TIMEOUT }];
  const hooks = { preToolUse: entry("pre-tool-use"), sessionStart: entry("session-start") };
  return `${JSON.stringify({ version: 1, hooks }, null, 2)}\n`;
}

function withoutEvent(text: string, event: string, file: string): string {
  let now = text;
  const groups = groupsOf(now, event, file);
  let removed = false;
  for (let at = groups.length - 1; at >= 0; at--) {
    const hooks = hooksOf(groups[at]);
    const kept = hooks.filter((hook) => !isOurs(hook));
    if (kept.length === hooks.length) continue;
    removed = true;
    if (kept.length === 0) now = edit(now, ["hooks", event, at], undefined, false);
    else {
      for (let index = hooks.length - 1; index >= 0; index--) {
        if (isOurs(hooks[index])) now = edit(now, ["hooks", event, at, "hooks", index], undefined, false);
      }
    }
  }
  if (removed && groupsOf(now, event, file).length === 0) {
    now = edit(now, ["hooks", event], undefined, false);
    if (Object.keys((read(now, file).hooks as object | undefined) ?? {}).length === 0)
      now = edit(now, ["hooks"], undefined, false);
  }
  return now;
}

function groupsOf(text: string, event: string, file: string): Group[] {
  const hooks = read(text, file).hooks;
  if (hooks === undefined) return [];
  const groups = isObject(hooks) && (hooks[event] ?? []);
  if (!Array.isArray(groups)) throw unreadable(file, `hooks.${event} is not a list`);
  return groups;
}

function hooksOf(group: unknown): unknown[] {
  return isObject(group) && Array.isArray(group.hooks) ? group.hooks : [];
}

function isOurs(hook: unknown): boolean {
  return isObject(hook) && typeof hook.command === "string" && OURS.test(hook.command);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function read(text: string, file: string): Record<string, unknown> {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  if (errors.length > 0 || (value !== undefined && !isObject(value)))
    throw unreadable(file, "The settings are not a JSON object");
  return value === undefined ? {} : (value as Record<string, unknown>);
}

function unreadable(file: string, message: string): PackError {
  return new PackError("bad-settings", message, { file, fix: "Mend the file, then run again" });
}

function edit(text: string, path: JSONPath, value: unknown, isArrayInsertion: boolean): string {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  const formattingOptions: FormattingOptions = {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 1 : indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
  return applyEdits(text, modify(text, path, value, { isArrayInsertion, formattingOptions }));
}
