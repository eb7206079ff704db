/** What a tool's input schema says about its access: values that name a change, and properties that carry code. */
import type { AccessTables } from "./access-words.ts";
import { splitWords } from "./words.ts";

/** `statement`: only SQL or the like; `ambiguous`: a property that carries code, or only a code. */
export type SchemaVerdict = "write" | "statement" | "ambiguous" | "none";

/** How much of a schema is looked at: levels, and values in all. A schema beyond that is not shown to be harmless. */
const MAX_DEPTH = 32;
const MAX_NODES = 5_000;

/** Judges a JSON Schema as data: nothing in it is resolved, and what is too deep or too large counts as a write. */
export function judgeSchema(schema: unknown, tables: AccessTables): SchemaVerdict {
  let verdict: SchemaVerdict = "none";
  let nodes = 0;
  const open: { node: unknown; depth: number }[] = [{ node: schema, depth: 0 }];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    if (typeof entry.node !== "object" || entry.node === null) continue;
    if (entry.depth > MAX_DEPTH || ++nodes > MAX_NODES) return "write";
    for (const [key, value] of Object.entries(entry.node)) {
      if (key === "properties" && typeof value === "object" && value !== null && !Array.isArray(value)) {
        for (const property of Object.keys(value)) {
          const kind = tables.carriers.get(splitWords(property).join(""));
          if (kind === "program" || kind === "change") return "write";
          if (kind === "statement" || (kind === "ambiguous" && verdict === "none")) verdict = kind;
        }
      }
      if (key === "enum" && Array.isArray(value)) {
        nodes += value.length;
        if (nodes > MAX_NODES || value.some((item) => namesChange(item, tables))) return "write";
      } else if (key === "const" && namesChange(value, tables)) return "write";
      else open.push({ node: value, depth: entry.depth + 1 });
    }
  }
  return verdict;
}

/** Whether a value is, or starts with, a verb that changes things: `delete`, `create_issue`, `PUT`. */
function namesChange(value: unknown, tables: AccessTables): boolean {
  if (typeof value !== "string" || value.length > 64) return false;
  return tables.roles.get(splitWords(value)[0] ?? "") === "write";
}
