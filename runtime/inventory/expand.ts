/**
 * Variables in configuration values. One grammar for all hosts, `${VAR}`, `${VAR:-default}`, `${env:VAR}`, the editors'
 * `${workspaceFolder}` and relatives, `${input:id}`, Continue's `${{ secrets.X }}` and the escape `$${`; and
 * notations that only some hosts know, since elsewhere they are ordinary text.
 */
import { basename } from "node:path";

/** `dollar`: `$VAR` and `$env:VAR`. `percent`: `%VAR%`. `curly`: `{env:VAR}` and `{file:path}`. `file`: `${file:path}`. `none`: nothing is expanded. */
export type Notation = "dollar" | "percent" | "curly" | "file" | "none";

export interface ExpandScope {
  env: Record<string, string | undefined>;
  workspaceFolder: string;
  userHome: string;
  platform: string;
  notations?: readonly Notation[] | undefined;
  /** The text of a file that `{file:path}` names, or `null`. */
  readFile?: ((path: string) => string | null) | undefined;
}

/** What a value could not be expanded for: names only, never values. */
export interface Missing {
  env: Set<string>;
  inputs: Set<string>;
}

/** Deeper defaults of defaults are taken literally. */
const MAX_DEPTH = 20;

/**
 * One pass from left to right in linear time; what a variable holds is not expanded again. A default stands in for an
 * unset and for an empty variable and may hold variables itself. What is missing is added to `missing`, and its place is
 * left empty; what is no variable (`${a b}`, an unclosed brace) stays as it is.
 */
export function expand(text: string, scope: ExpandScope, missing: Missing): string {
  if (scope.notations?.includes("none")) return text;
  return expandFrom(text, scope, missing, 0);
}

const TOKEN = /\$?\$\{|\$(?:env:)?[A-Za-z_]\w*|%[A-Za-z_]\w*%|\{(?:env|file):[^{}]*\}/g;

function expandFrom(text: string, scope: ExpandScope, missing: Missing, depth: number): string {
  const ends = depth < MAX_DEPTH ? closingBraces(text) : new Map<number, number>();
  const has = (notation: Notation) => scope.notations?.includes(notation) ?? false;
  let result = "";
  let at = 0;
  const token = new RegExp(TOKEN);
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [found] = match;
    let value: string | undefined;
    let end = match.index + found.length;
    if (found === "$${") value = "${";
    else if (found === "${") {
      const close = ends.get(match.index + 1);
      if (close !== undefined) {
        value = variable(text.slice(end, close), scope, missing, depth);
        if (value !== undefined) end = close + 1;
      }
    } else if (found.startsWith("$")) {
      if (has("dollar")) value = environment(found.replace(/^\$(?:env:)?/, ""), scope, missing);
    } else if (found.startsWith("%")) {
      if (has("percent") && scope.platform === "win32") value = environment(found.slice(1, -1), scope, missing);
    } else if (has("curly")) value = curly(found.slice(1, -1), scope, missing);
    if (value === undefined) continue;
    result += text.slice(at, match.index) + value;
    at = end;
    token.lastIndex = end;
  }
  return result + text.slice(at);
}

/** For each opening brace the place of the one that closes it. */
function closingBraces(text: string): Map<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "{") open.push(at);
    else if (text[at] === "}") {
      const start = open.pop();
      if (start !== undefined) ends.set(start, at);
    }
  }
  return ends;
}

/** What stands between `${` and `}`; `undefined` where it is no variable. */
function variable(inner: string, scope: ExpandScope, missing: Missing, depth: number): string | undefined {
  const secret = /^\{\s*([\w.-]+)\s*\}$/.exec(inner);
  const asked = secret?.[1] ?? /^input:(.+)$/s.exec(inner)?.[1];
  if (asked !== undefined) {
    missing.inputs.add(asked);
    return "";
  }
  const place = placeOf(inner, scope);
  if (place !== undefined) return place;
  const match = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/s.exec(inner);
  if (match?.[1] !== undefined) {
    const value = scope.env[match[1]];
    if (match[2] === undefined) return environment(match[1], scope, missing);
    return value !== undefined && value !== "" ? value : expandFrom(match[2], scope, missing, depth + 1);
  }
  if (scope.notations?.includes("file") && inner.startsWith("file:"))
    return fileText(inner.slice(5).trim(), scope, missing);
  // `${command:…}`, `${config:…}`: only the host can tell what they give.
  if (/^[a-z]+:\S+$/i.test(inner)) {
    missing.inputs.add(inner);
    return "";
  }
  return undefined;
}

function placeOf(inner: string, { workspaceFolder, userHome, platform }: ExpandScope): string | undefined {
  if (inner === "workspaceFolder" || inner === "workspaceRoot") return workspaceFolder;
  if (inner === "workspaceFolderBasename") return basename(workspaceFolder);
  if (inner === "userHome") return userHome;
  if (inner === "pathSeparator" || inner === "/") return platform === "win32" ? "\\" : "/";
  return undefined;
}

function environment(name: string, scope: ExpandScope, missing: Missing): string {
  const value = scope.env[name];
  if (value === undefined) missing.env.add(name);
  return value ?? "";
}

function curly(inner: string, scope: ExpandScope, missing: Missing): string {
  const at = inner.indexOf(":");
  const name = inner.slice(at + 1).trim();
  return inner.startsWith("env") ? environment(name, scope, missing) : fileText(name, scope, missing);
}

function fileText(name: string, scope: ExpandScope, missing: Missing): string {
  const text = scope.readFile?.(name) ?? null;
  if (text === null) missing.inputs.add(`the file ${name}`);
  return text?.trim() ?? "";
}
