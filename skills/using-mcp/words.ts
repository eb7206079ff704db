/** Names and texts as words: the one place where a tool's name is taken apart. Only ASCII letters are folded. */

/** The longest name that is looked at (MCP specification 2025-11-25, "Tool Names"). */
const MAX_NAME = 128;

/** Visible ASCII and nothing else, 1 to 128 characters: what any other name says cannot be relied on. */
export function isPlainName(name: string): boolean {
  return name.length <= MAX_NAME && /^[\x21-\x7e]+$/.test(name);
}

/**
 * The lower-case words of a name, split at case changes, digits and everything that is no letter:
 * `getHTTPStatus_v2` → `get`, `http`, `status`, `v`.
 */
export function splitWords(name: string): string[] {
  // Most keywords are one word, and thousands of them are taken at a start.
  if (/^[a-z]+$/.test(name)) return [name];
  const parts = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  return parts.map((part) => part.toLowerCase());
}

/**
 * The words of a tool's name without those that only repeat the server's: where it begins as the server's name does, and
 * a server's name of several words wherever it stands; and without a `tool` at its end. A tool that is called like its
 * server keeps its words.
 */
export function ownWords(tool: string, server: string): string[] {
  const words = splitWords(tool);
  const repeated = splitWords(server);
  let lead = 0;
  while (lead < words.length && words[lead] === repeated[lead]) lead++;
  const rest = words.slice(lead);
  const at = rest.findIndex((_, from) => repeated.every((word, offset) => rest[from + offset] === word));
  if (repeated.length > 1 && at !== -1) rest.splice(at, repeated.length);
  if (rest.at(-1) === "tool") rest.pop();
  return rest.length === 0 ? words : rest;
}
