/**
 * The permission rules that a project's host files hold: `permissions.allow`, `ask` and `deny` of `.claude/settings.json`
 * and `.claude/settings.local.json`. The lists are joined; which one counts is the gate's business.
 */
import { join } from "node:path";
import type { ParseError } from "jsonc-parser";
import { PackError } from "../core/errors.ts";
import { readText } from "./read-text.ts";

/** Rules as the files hold them, in the order of the files. */
export type HostRules = Record<"allow" | "ask" | "deny", string[]>;

const FILES = [".claude/settings.json", ".claude/settings.local.json"];

/**
 * Reads the rules of a project's folder; a file that is not there has none. Throws a `PackError` `bad-settings` with file,
 * line and column where one cannot be read: a denial may stand in it, so nothing may be decided without it.
 */
export async function readPermissions(folder: string): Promise<HostRules> {
  const all: HostRules = { allow: [], ask: [], deny: [] };
  for (const name of FILES) {
    const file = join(folder, name);
    const text = readRules(file);
    if (text === null) continue;
    const rules = rulesIn(await settingsIn(text, file), file);
    for (const list of ["allow", "ask", "deny"] as const) all[list].push(...rules[list]);
  }
  return all;
}

function readRules(file: string): string | null {
  try {
    return readText(file);
  } catch (cause) {
    throw new PackError("bad-settings", `The host's permission rules are not known. ${(cause as Error).message}`, {
      file,
      fix: "Check the file and its permissions: a rule that denies may stand in it",
      cause,
    });
  }
}

/** Plain JSON by the platform's parser; comments and trailing commas by one that a hook should not have to load. */
async function settingsIn(text: string, file: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    // Told with its place below, where it is no JSON with comments either.
  }
  const { parse, printParseErrorCode } = await import("jsonc-parser");
  const errors: ParseError[] = [];
  const settings: unknown = parse(text, errors, {
    allowTrailingComma: true,
    allowEmptyContent: true,
  });
  const first = errors[0];
  if (first !== undefined) {
    const before = text.slice(0, first.offset).split("\n");
    throw new PackError(
      "bad-settings",
      `The host's permission rules are not valid JSON (${printParseErrorCode(first.error)})`,
      {
        file,
        line: before.length,
        column: (before.at(-1) ?? "").length + 1,
        fix: "Mend the JSON: a rule that denies may stand in it",
      },
    );
  }
  return settings;
}

function rulesIn(settings: unknown, file: string): HostRules {
  const permissions = own(settings, "permissions");
  const list = (name: "allow" | "ask" | "deny"): string[] => {
    const rules = own(permissions, name);
    if (rules === undefined || rules === null) return [];
    if (Array.isArray(rules) && rules.every((rule) => typeof rule === "string")) return rules;
    throw new PackError("bad-settings", `permissions.${name} is not a list of texts`, {
      file,
      fix: `Write "${name}": ["mcp__server__tool", …]`,
    });
  };
  return { allow: list("allow"), ask: list("ask"), deny: list("deny") };
}

function own(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}
