/** How an entry says where its server is: every spelling that a host's documentation uses, as one target. */
import { isObject } from "./config-format.ts";
import type { Missing } from "./expand.ts";
import type { EntryRules } from "./hosts/host.ts";
import type { ServerTarget } from "./server-config.ts";

export interface TargetReader {
  rules: EntryRules;
  env: Record<string, string | undefined>;
  missing: Missing;
  /** Expands the variables of one value. */
  expanded(text: string): string;
  /** The variables of an environment file, or `null` where it cannot be read. */
  readEnvFile(path: string): Record<string, string> | null;
}

const TRANSPORTS: Record<string, ServerTarget["transport"]> = {
  stdio: "stdio",
  local: "stdio",
  http: "http",
  remote: "http",
  "streamable-http": "http",
  streamable_http: "http",
  streamablehttp: "http",
  sse: "sse",
};

const URL_KEYS = ["httpUrl", "url", "serverUrl", "uri", "baseUrl"];

/** The transport that the entry asks for, or a sentence on why there is none. */
export function transportOf(
  entry: Record<string, unknown>,
  rules: EntryRules,
): { transport: ServerTarget["transport"] } | string {
  const type = entry.type ?? entry.transport ?? entry.transportType;
  const known = typeof type === "string" ? TRANSPORTS[type.toLowerCase()] : undefined;
  if (typeof type === "string" && known === undefined) return "Its type is none of stdio, http and sse";
  const command = commandOf(entry) !== null;
  const url = URL_KEYS.some((key) => isText(entry[key]));
  if (!command && !url) return "It has neither a command nor a url";
  if (known === "stdio" && !command) return "Its type is stdio but it has no command";
  if ((known === "http" || known === "sse") && !url) return `Its type is ${known} but it has no url`;
  if (known !== undefined) return { transport: known };
  if (command && url) return "It has both a command and a url, and no type that says which counts";
  if (command) return { transport: "stdio" };
  return { transport: isText(entry.httpUrl) ? "http" : (rules.urlTransport ?? "http") };
}

/** The target with every variable expanded, or a sentence on why there is none. */
export function readTarget(
  entry: Record<string, unknown>,
  transport: ServerTarget["transport"],
  reader: TargetReader,
): ServerTarget | string {
  return transport === "stdio" ? stdioTarget(entry, reader) : httpTarget(entry, transport, reader);
}

/** The command with its arguments as written, or `null`. */
export function commandOf(entry: Record<string, unknown>): { command: string; args: unknown[]; env: unknown } | null {
  const written = entry.command ?? entry.cmd;
  // Zed once wrote { "path": …, "args": …, "env": … }.
  const nested = isObject(written) ? written : undefined;
  const command = nested?.path ?? written;
  const args = nested?.args ?? entry.args ?? [];
  const env = nested?.env ?? entry.env ?? entry.environment ?? entry.envs;
  if (Array.isArray(command)) {
    const [program, ...first] = command;
    return isText(program) && Array.isArray(args) ? { command: program, args: [...first, ...args], env } : null;
  }
  return isText(command) ? { command, args: Array.isArray(args) ? args : [args], env } : null;
}

/** The address as written, or `null`. */
export function addressOf(entry: Record<string, unknown>): string | null {
  return URL_KEYS.map((key) => entry[key]).find(isText) ?? null;
}

function stdioTarget(entry: Record<string, unknown>, reader: TargetReader): ServerTarget | string {
  const written = commandOf(entry);
  if (written === null) return "Its command is not a text or a list of texts";
  const args = written.args.map(scalar);
  if (!args.every((arg) => arg !== null)) return "Its args are not a list of texts";
  const env = readTexts(written.env, reader);
  if (env === null) return "Its env is not a map of texts";
  const passed = readPassedOn(entry, reader);
  if (passed === null) return "Its list of environment variables to pass on holds something else than names";
  const file = readEnvironmentFile(entry, reader);
  const cwd = entry.cwd ?? entry.working_directory;
  return {
    transport: "stdio",
    command: reader.expanded(written.command),
    args: args.map((arg) => reader.expanded(arg ?? "")),
    env: { ...file, ...passed, ...env },
    ...(isText(cwd) ? { cwd: reader.expanded(cwd) } : {}),
  };
}

function httpTarget(
  entry: Record<string, unknown>,
  transport: "http" | "sse",
  reader: TargetReader,
): ServerTarget | string {
  if (entry.bearer_token !== undefined)
    return "A bearer_token stands in the file; name a variable in bearer_token_env_var";
  const written = addressOf(entry);
  if (written === null) return "Its url is not a text";
  const unset = reader.missing.env.size + reader.missing.inputs.size;
  const url = reader.expanded(written);
  // An address with a hole in it is told as the missing variable, not as a bad address.
  const whole = reader.missing.env.size + reader.missing.inputs.size === unset;
  if (whole && (!/^https?:\/\//i.test(url) || !URL.canParse(url))) return "Its url is not an http or https address";
  const headers = readTexts(entry.headers ?? entry.http_headers, reader);
  const fromEnv = readTexts(entry.env_http_headers ?? entry.header_env, {
    ...reader,
    expanded: (name) => fromEnvironment(name, reader),
  });
  if (headers === null || fromEnv === null) return "Its headers are not a map of texts";
  const token = entry.bearer_token_env_var ?? entry.bearerTokenEnv ?? entry.bearer_token_env;
  const bearer = isText(token) ? { Authorization: `Bearer ${fromEnvironment(token, reader)}` } : {};
  return { transport, url, headers: { ...headers, ...fromEnv, ...bearer } };
}

/** Names of variables whose values the host passes on: Codex's `env_vars` where they are set, Goose's `env_keys` always. */
function readPassedOn(entry: Record<string, unknown>, reader: TargetReader): Record<string, string> | null {
  const passed: Record<string, string> = {};
  for (const [key, required] of [
    ["env_vars", false],
    ["env_keys", true],
  ] as const) {
    const names = entry[key] ?? [];
    if (!Array.isArray(names)) return null;
    for (const item of names) {
      const name = isObject(item) ? item.name : item;
      if (!isText(name)) return null;
      const value = required ? fromEnvironment(name, reader) : reader.env[name];
      if (value !== undefined) passed[name] = value;
    }
  }
  return passed;
}

function readEnvironmentFile(entry: Record<string, unknown>, reader: TargetReader): Record<string, string> {
  if (!isText(entry.envFile)) return {};
  const variables = reader.readEnvFile(reader.expanded(entry.envFile));
  if (variables === null) reader.missing.inputs.add("its envFile");
  return variables ?? {};
}

function fromEnvironment(name: string, { env, missing }: TargetReader): string {
  const value = env[name];
  if (value === undefined || value === "") missing.env.add(name);
  return value ?? "";
}

function readTexts(raw: unknown, reader: Pick<TargetReader, "expanded">): Record<string, string> | null {
  if (raw === undefined || raw === null) return {};
  if (!isObject(raw)) return null;
  const texts: [string, string][] = [];
  for (const [key, value] of Object.entries(raw)) {
    // VS Code writes null to leave a variable out.
    if (value === null) continue;
    const text = scalar(value);
    if (text === null) return null;
    texts.push([key, reader.expanded(text)]);
  }
  return Object.fromEntries(texts);
}

function scalar(value: unknown): string | null {
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : null;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
