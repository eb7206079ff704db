/**
 * JSON that stays inert wherever it is shown: what could close a Markdown fence, open markup or hide from a reader stands
 * as `\uXXXX`, which any JSON parser reads back as it was.
 */
import { PackError } from "./errors.ts";
import { isPlainText } from "./plain-text.ts";

/** How deep a value may nest; deeper input is refused before it can exhaust a parser's stack. */
export const MAX_DEPTH = 200;

/** Keys that turn into a prototype when a careless reader copies the object. */
const UNSAFE_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

const ESCAPED = /[`~<>&\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu;

/** {@link jsonText} with {@link ESCAPED} characters as `\uXXXX`, lone surrogates included. `indent` is in spaces, default none. */
export function inertJson(value: unknown, indent = 0): string {
  const text = jsonText(value, indent);
  if (isPlainText(text) && !/[`~<>&]/.test(text)) return text;
  return text.replace(ESCAPED, (character) => {
    let escaped = "";
    for (let at = 0; at < character.length; at++) {
      escaped += `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
    }
    return escaped;
  });
}

/**
 * What `JSON.stringify(value, null, indent)` gives, with two differences: it has a stack of its own, since the platform's
 * gives up on what nests some thousand levels deep, and `-0` stays `-0`, which `JSON.parse` reads back.
 */
export function jsonText(value: unknown, indent = 0): string {
  const parts: string[] = [];
  const stack: Pending[] = [{ value: ownForm(value), before: "", after: "", depth: 0 }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    parts.push(next.before);
    const current = next.value;
    if (typeof current !== "object" || current === null) {
      parts.push(Object.is(current, -0) ? "-0" : (JSON.stringify(current) ?? "null"), next.after);
      continue;
    }
    const isList = Array.isArray(current);
    const [open, close] = isList ? ["[", "]"] : ["{", "}"];
    const line = indent > 0 ? `\n${" ".repeat(indent * (next.depth + 1))}` : "";
    const lastLine = indent > 0 ? `\n${" ".repeat(indent * next.depth)}` : "";
    const entries = isList ? current.map((child) => ["", child] as const) : Object.entries(current);
    const kept = entries
      .map(([key, child]) => [key, ownForm(child)] as const)
      .filter(([, child]) => isList || isKept(child));
    parts.push(open);
    if (kept.length === 0) {
      parts.push(close, next.after);
      continue;
    }
    for (let at = kept.length - 1; at >= 0; at--) {
      const [key, child] = kept[at] as readonly [string, unknown];
      const label = isList ? "" : `${JSON.stringify(key)}:${indent > 0 ? " " : ""}`;
      const after = at === kept.length - 1 ? `${lastLine}${close}${next.after}` : ",";
      stack.push({ value: child, before: `${line}${label}`, after, depth: next.depth + 1 });
    }
  }
  return parts.join("");
}

interface Pending {
  value: unknown;
  before: string;
  after: string;
  depth: number;
}

function ownForm(value: unknown): unknown {
  const toJson = (value as { toJSON?: unknown } | null | undefined)?.toJSON;
  return typeof toJson === "function" ? (toJson.call(value) as unknown) : value;
}

function isKept(value: unknown): boolean {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol";
}

/**
 * JSON with the keys of every object in code unit order: equal values give equal text, in time linear in their size. Throws a
 * `PackError` `too-deep` beyond {@link MAX_DEPTH}, a cycle included; what JSON cannot hold is treated as by `JSON.stringify`.
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) throw new PackError("too-deep", `The value nests more than ${MAX_DEPTH} levels deep`);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if ("toJSON" in value && typeof value.toJSON === "function") return canonicalJson(value.toJSON(), depth + 1);
  if (Array.isArray(value)) return `[${value.map((child) => canonicalJson(child, depth + 1)).join(",")}]`;
  const fields = Object.entries(value)
    .filter(([, child]) => JSON_TYPES.has(typeof child))
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, child]) => `${JSON.stringify(key)}:${canonicalJson(child, depth + 1)}`);
  return `{${fields.join(",")}}`;
}

/** What `JSON.stringify` does not leave out of an object. */
const JSON_TYPES: ReadonlySet<string> = new Set(["object", "string", "number", "boolean", "bigint"]);

/**
 * Throws a `PackError` where a value is not plain JSON that survives a round trip: deeper than {@link MAX_DEPTH}, a number
 * that is not finite, an unsafe key, or something that JSON cannot hold. It walks with a stack of its own.
 */
export function assertPlainJson(value: unknown, what: string): void {
  const stack: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const current = next.value;
    if (next.depth > MAX_DEPTH) throw new PackError("too-deep", `${what} nests more than ${MAX_DEPTH} levels deep`);
    if (current === null || typeof current === "string" || typeof current === "boolean") continue;
    if (typeof current === "number") {
      if (!Number.isFinite(current)) throw new PackError("not-json", `${what} holds a number that is not finite`);
      continue;
    }
    if (typeof current !== "object") throw new PackError("not-json", `${what} holds a ${typeof current}`);
    for (const key of Object.keys(current)) {
      if (!Array.isArray(current) && UNSAFE_KEYS.has(key)) {
        throw new PackError("unsafe-key", `${what} holds the key "${key}"`, {
          fix: "Carry such an object as JSON text",
        });
      }
      stack.push({ value: (current as Record<string, unknown>)[key], depth: next.depth + 1 });
    }
  }
}

/**
 * Parses JSON from outside: a `PackError` `not-json` where it is none, and what {@link assertPlainJson} refuses. An object
 * that holds a key twice is refused as well, since readers differ on which one counts.
 */
export function parsePlainJson(text: string, what: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new PackError("not-json", `${what} is not valid JSON`, { cause });
  }
  assertPlainJson(value, what);
  assertNoRepeatedKeys(text, what);
  return value;
}

/** One pass over text that is known to be valid JSON: keeps the keys of each open object. */
function assertNoRepeatedKeys(text: string, what: string): void {
  const open: (Set<string> | null)[] = [];
  const token = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/gsy;
  for (let at = 0; at < text.length; ) {
    token.lastIndex = at;
    const match = token.exec(text);
    if (match === null) {
      at += 1;
      continue;
    }
    at = token.lastIndex;
    const [found, colon] = match;
    if (found === "{") open.push(new Set());
    else if (found === "[") open.push(null);
    else if (found === "}" || found === "]") open.pop();
    else if (colon !== undefined) {
      const key = JSON.parse(found.slice(0, -colon.length)) as string;
      const keys = open.at(-1);
      if (keys?.has(key)) throw new PackError("repeated-key", `${what} holds the key ${JSON.stringify(key)} twice`);
      keys?.add(key);
    }
  }
}
