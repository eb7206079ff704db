/**
 * Front matter as data: YAML and nothing else. The one caller of gray-matter.
 */
import { PackError, printable } from "./errors.ts";

/**
 * The front matter's data, every scalar as text. A value with an unquoted colon is read all the same, with a warning; what
 * is no YAML is a `bad-yaml` error with line and column.
 */
export async function readFrontmatter(yaml: string, file: string): Promise<{ data: unknown; warnings: PackError[] }> {
  try {
    return { data: await parseYaml(yaml, file), warnings: [] };
  } catch (error) {
    if (error instanceof PackError) throw error;
    const place = placeOfYamlError(error);
    const quoted = quoteColons(yaml);
    if (quoted !== null) {
      const data = await parseYaml(quoted.yaml, file).catch((again: unknown) => {
        if (again instanceof PackError) throw again;
        return null;
      });
      const fix = `Write it as ${quoted.key}: "…", with the value in double quotes`;
      const warning = new PackError("unquoted-colon", `The value of ${quoted.key} holds a colon and is not quoted`, {
        file,
        line: quoted.line + 1,
        column: quoted.column,
        fix,
      });
      if (data !== null) return { data, warnings: [warning] };
    }
    throw new PackError("bad-yaml", `The front matter is not valid YAML: ${messageOfYamlError(error)}`, {
      file,
      line: place.line,
      column: place.column,
      fix: "Write one key: value a line, values with colons or quotes in double quotes",
      cause: error,
    });
  }
}

/**
 * gray-matter 4.0.3 evaluates `---js` blocks, remembers failures as successes and shares what it returns. It is given the
 * YAML between two plain fences, an options object (which switches its memory off) and engines that refuse everything else.
 * The YAML is read with the failsafe schema: `1.10`, `2026-01-02` and `yes` stay the text that the author wrote.
 */
async function parseYaml(yaml: string, file: string): Promise<unknown> {
  const [{ default: matter }, { parse }] = await Promise.all([import("gray-matter"), import("yaml")]);
  const refuse = {
    parse: (): object => {
      throw new PackError("bad-yaml", "Only YAML front matter is read");
    },
  };
  const engines = {
    yaml: (text: string): object =>
      parse(text, { schema: "failsafe", maxAliasCount: 0, stringKeys: true, logLevel: "error" }),
    javascript: refuse,
    js: refuse,
    json: refuse,
    coffee: refuse,
    toml: refuse,
  };
  const { data } = matter(`---\n${yaml}\n---\n`, { language: "yaml", engines });
  const unsafe = unsafeKey(data);
  if (unsafe === undefined) return data;
  throw new PackError("unsafe-key", `The front matter holds the key ${unsafe}`, {
    file,
    line: Math.max(2, yaml.split("\n").findIndex((line) => line.includes(unsafe)) + 2),
    fix: "Call it something else: a careless reader would take it for an object's prototype",
  });
}

function unsafeKey(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, child] of Object.entries(value)) {
    if (key === "__proto__" || key === "constructor" || key === "prototype") return key;
    const inside = unsafeKey(child);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

interface Quoted {
  /** The text with every such value quoted. */
  yaml: string;
  /** The first of them: its key, the YAML's line, and the column of the colon. */
  key: string;
  line: number;
  column: number;
}

/** Quotes each top-level plain value with a colon before a space or at its end, which YAML would take for a key's. */
function quoteColons(yaml: string): Quoted | null {
  let first: Omit<Quoted, "yaml"> | undefined;
  const lines = yaml.split("\n").map((text, index) => {
    const [, head = "", key = "", value = ""] = /^(([a-z-]+): +)([^"'|>[{&*!%@`\s].*)$/.exec(text) ?? [];
    const colon = `${value} `.indexOf(": ");
    if (colon === -1) return text;
    first ??= { key, line: index + 1, column: head.length + colon + 1 };
    return `${head}${JSON.stringify(value.trimEnd())}`;
  });
  return first === undefined ? null : { ...first, yaml: lines.join("\n") };
}

function placeOfYamlError(error: unknown): { line: number; column?: number } {
  const place = (error as { linePos?: { line: number; col: number }[] }).linePos?.[0];
  // The parser is shown the line break behind the opening fence, so its lines count as the file's do.
  return place === undefined ? { line: 2 } : { line: place.line, column: place.col };
}

function messageOfYamlError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return printable((message.split("\n")[0] ?? "").replace(/ at line \d+, column \d+:?$/, ""));
}
