/**
 * Pins: what a tool was when a person chose it, in a form that a host can keep without keeping schemas or descriptions. A
 * pin has one short digest for each part of the definition, so that a later difference can be named.
 */
import type { MenuPick, Tool } from "../../runtime/core/contracts.ts";
import { printable } from "../../runtime/core/errors.ts";
import { canonicalJson } from "../../runtime/core/json-text.ts";
import { nodeCrypto } from "../../runtime/core/late-modules.ts";

/** The parts of a definition that a model or a gate goes by, in the order of a pin's digests, with what a person calls them. */
const PARTS = [
  ["title", "title"],
  ["description", "description"],
  ["inputSchema", "input schema"],
  ["outputSchema", "output schema"],
  ["annotations", "annotations"],
] as const satisfies [keyof Tool, string][];

/** 96 bits of SHA-256: too many to find a second definition for. */
const DIGEST_LENGTH = 16;

/** Stands for a part that nests too deep to be read whole. */
const UNREADABLE = "?";

/** The digests of a tool's parts, joined by `.`; the name is not part of it. */
export function pinOf(tool: Tool): string {
  return PARTS.map(([part]) => digest(tool[part])).join(".");
}

function digest(value: unknown): string {
  if (value === undefined) return "-";
  try {
    return nodeCrypto().createHash("sha256").update(canonicalJson(value)).digest("base64url").slice(0, DIGEST_LENGTH);
  } catch {
    return UNREADABLE;
  }
}

/** Whether two definitions are the same in every part; one that cannot be read whole is the same as none. */
export function isSamePin(before: string, now: string): boolean {
  return before === now && !before.includes(UNREADABLE);
}

/** What differs between two pins, as a person says it: `description and input schema`; empty where nothing does. */
export function changedParts(before: string, now: string): string {
  if (isSamePin(before, now)) return "";
  const [old, current] = [before.split("."), now.split(".")];
  const names = PARTS.filter((_, at) => old[at] !== current[at] || old[at] === UNREADABLE).map(([, name]) => name);
  return names.length === 0 ? "definition" : names.join(" and ");
}

/** The most differences that one sentence names. */
const MAX_NAMED = 4;

/**
 * What happened to the tools of a pick since, as one clause for a person; empty where nothing did. `now` holds everything that
 * the entry stands for at present.
 */
export function describeChanges(before: MenuPick["pins"], now: ReadonlyMap<string, Tool>): string {
  const added = new Map([...now].filter(([name]) => !Object.hasOwn(before, name)));
  const changes: string[] = [];
  for (const [name, pin] of Object.entries(before)) {
    const tool = now.get(name);
    if (tool !== undefined) {
      const parts = changedParts(pin, pinOf(tool));
      if (parts !== "") changes.push(`${label(tool.name)} has another ${parts}`);
      continue;
    }
    const renamed = [...added].find(([, candidate]) => isSamePin(pin, pinOf(candidate)));
    if (renamed !== undefined) added.delete(renamed[0]);
    changes.push(renamed === undefined ? `${label(name)} is gone` : `${label(name)} is now ${label(renamed[1].name)}`);
  }
  for (const tool of added.values()) changes.push(`${label(tool.name)} is new`);
  const more = changes.length - MAX_NAMED;
  return [...changes.slice(0, MAX_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

function label(name: string): string {
  return printable(name, 80);
}
