/**
 * The text of a configuration file as plain data. Each parser is imported when a file needs it. No message repeats the
 * file's text, since it may hold secrets.
 */
import type { Node, ParseError } from "jsonc-parser";
import { PackError } from "../core/errors.ts";

export type ConfigFormat = "jsonc" | "toml" | "yaml";

/** Read only its own keys: one such as `__proto__` is data like any other, and no parser here lets it change a prototype. */
export type ConfigObject = { [key: string]: unknown };

/** JSON with comments, trailing commas, a byte order mark and any line ends; TOML; YAML. Throws `not-json`, `not-toml` or `not-yaml` with line and column. */
export async function parseConfig(text: string, format: ConfigFormat, file: string): Promise<ConfigObject> {
  const source = text.replace(/^\uFEFF/, "");
  // Editors leave empty files behind; they configure nothing.
  if (source.trim() === "") return Object.create(null);
  const root = await PARSERS[format](source, file);
  if (isTooDeep(root))
    throw syntaxError(format === "jsonc" ? "json" : format, file, {}, `it nests over ${MAX_DEPTH} deep`);
  if (!isObject(root)) {
    throw new PackError(`not-${format === "jsonc" ? "json" : format}`, "The configuration is not an object", {
      file,
      line: 1,
      column: 1,
      fix: "Write an object that maps names to servers under the host's key",
    });
  }
  return root;
}

/** Deeper files are refused, so that whoever walks the data later needs no guard of its own. Cycles (YAML anchors) end here too. */
const MAX_DEPTH = 200;

function isTooDeep(root: unknown): boolean {
  const stack: [unknown, number][] = [[root, 0]];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [value, depth] = next;
    if (depth > MAX_DEPTH) return true;
    if (typeof value === "object" && value !== null) {
      for (const member of Object.values(value)) stack.push([member, depth + 1]);
    }
  }
  return false;
}

export function isObject(value: unknown): value is ConfigObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const PARSERS: Record<ConfigFormat, (source: string, file: string) => Promise<unknown>> = {
  async jsonc(source, file) {
    // Most files are plain JSON, some of them megabytes large: the platform's parser is many times faster.
    try {
      return JSON.parse(source);
    } catch {
      // It may be JSON with comments; what it is not, the lenient parser says with its place.
    }
    const { parseTree, printParseErrorCode } = await import("jsonc-parser");
    const errors: ParseError[] = [];
    const tree = guarded(file, "json", () => parseTree(source, errors, { allowTrailingComma: true }));
    const [error] = errors;
    if (error !== undefined) {
      throw syntaxError("json", file, placeOf(source, error.offset), printParseErrorCode(error.error));
    }
    return guarded(file, "json", () => valueOfNode(tree));
  },
  async toml(source, file) {
    const { parse, TomlError } = await import("smol-toml");
    try {
      return parse(source);
    } catch (cause) {
      throw syntaxError("toml", file, cause instanceof TomlError ? { line: cause.line, column: cause.column } : {});
    }
  },
  async yaml(source, file) {
    const { LineCounter, parseDocument } = await import("yaml");
    const lines = new LineCounter();
    const document = guarded(file, "yaml", () => parseDocument(source, { prettyErrors: false, lineCounter: lines }));
    const [error] = document.errors;
    if (error !== undefined) {
      const { line, col } = lines.linePos(error.pos[0]);
      throw syntaxError("yaml", file, { line, column: col }, error.code);
    }
    return guarded(file, "yaml", () => document.toJS({ maxAliasCount: 100 }));
  },
};

/** jsonc-parser's own `parse` would let a `__proto__` key replace the object's prototype. */
function valueOfNode(node: Node | undefined): unknown {
  if (node?.type === "array") return (node.children ?? []).map(valueOfNode);
  if (node?.type !== "object") return node?.value;
  const object: ConfigObject = Object.create(null);
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    object[String(key?.value)] = valueOfNode(value);
  }
  return object;
}

/** A parser that gives up (nesting too deep, too many aliases) is a bad file, not a crash. */
function guarded<Value>(file: string, format: string, parse: () => Value): Value {
  try {
    return parse();
  } catch {
    throw syntaxError(format, file, {}, "it nests too deep or refers to itself too often");
  }
}

function syntaxError(format: string, file: string, place: { line?: number; column?: number }, why?: string): PackError {
  const detail = why === undefined ? "" : `: ${why}`;
  return new PackError(`not-${format}`, `The configuration is not valid ${format.toUpperCase()}${detail}`, {
    file,
    ...place,
    fix: format === "json" ? "Mend it there; comments and trailing commas are allowed" : "Mend it there",
  });
}

function placeOf(source: string, offset: number): { line: number; column: number } {
  const before = source.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
