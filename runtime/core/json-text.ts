/**
 * JSON that stays inert wherever it is shown: what could close a Markdown fence, open markup or hide from a reader stands
 * as `\uXXXX`, which any JSON parser reads back as it was.
 */
import { PackError } from "./errors.ts";

/** How deep a value may nest; deeper input is refused before it can exhaust a parser's stack. */
export const MAX_DEPTH = 200;

/** Keys that turn into a prototype when a careless reader copies the object. */
const UNSAFE_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

const ESCAPED = /[`~<>&\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu;

/** `JSON.stringify` with {@link ESCAPED} characters as `\uXXXX`, lone surrogates included. `indent` is in spaces, default none. */
export function inertJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(ESCAPED, (character) => {
    let escaped = "";
    for (let at = 0; at < character.length; at++) {
      escaped += `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
    }
    return escaped;
  });
}

/**
 * JSON with the keys of every object in code unit order: equal values give equal text. What JSON cannot hold throws as in
 * `JSON.stringify`.
 */
export function canonicalJson(value: unknown): string {
  const sorted = JSON.stringify(value, (_key, child: unknown) =>
    typeof child === "object" && child !== null && !Array.isArray(child)
      ? Object.fromEntries(Object.entries(child).sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)))
      : child,
  );
  return sorted ?? "null";
}

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
