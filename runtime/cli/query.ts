import { defineCommand } from "citty";
import { describeError, PackError } from "../core/errors.ts";
import type { CallLimits } from "../inventory/call.ts";
import type { Configured } from "../inventory/server-config.ts";
import type { Call, QueryReport, QueryRequest } from "../query.ts";
import { CONFIG_ARGS, type ConfigArgs, readConfig } from "./config-options.ts";
import { copilotInstructions } from "./copilot-instructions.ts";
import { INVENTORY_ARGS, parseTime } from "./inventory-options.ts";
import { note, print, printJson, readInput } from "./io.ts";
import { logTo } from "./log-file.ts";

export const command = defineCommand({
  meta: {
    name: "query",
    description: "Put one research question to one reading MCP tool, and report it in a results fence and a handoff",
  },
  args: {
    intent: { type: "string", description: "The question (default: the delegation's Request)" },
    tool: { type: "string", description: "Call this tool instead of choosing one", valueHint: "server/tool" },
    args: { type: "string", description: "The arguments of --tool (default {})", valueHint: "json" },
    prompt: { type: "string", description: "The user's prompt: what it says is available counts as a source" },
    delegation: {
      type: "string",
      description: "The delegation's text, checked for its fields: a file, or - for stdin",
      valueHint: "file",
    },
    ...CONFIG_ARGS,
    timeout: INVENTORY_ARGS.timeout,
    quiet: INVENTORY_ARGS.quiet,
    "call-timeout": { type: "string", description: "Limit for the call (default 60s)", valueHint: "time" },
    "max-bytes": { type: "string", description: "The largest result carried whole (default 262144)", valueHint: "n" },
    log: {
      type: "string",
      description: "Append the gate's decision to this file, one JSON record a line",
      valueHint: "file",
    },
    json: { type: "boolean", description: "Print JSON instead of the fence and the handoff" },
  },
  async run({ args, rawArgs }) {
    const limits = {
      connectMs: parseTime(args.timeout ?? "10s"),
      callMs: parseTime(args["call-timeout"] ?? "60s"),
      maxBytes: parseBytes(args["max-bytes"]),
    };
    const named = parseTool(args.tool, args.args);
    const { readDelegation } = await import("../../skills/mcp-cli-discovery/discovery.ts");
    const text = args.delegation === undefined ? undefined : await readInput(args.delegation);
    const delegation = text === undefined ? null : readDelegation(text);
    const intent = args.intent ?? delegation?.fields.Request ?? (delegation === null ? undefined : "");
    if (intent === undefined) throw new PackError("usage", "--intent is missing", { fix: "Say what you want to know" });

    const { runQuery, reportFailure } = await import("../query.ts");
    const question = {
      intent,
      prompt: args.prompt ?? text ?? "",
      copilotInstructions: copilotInstructions(),
      wanted: named,
      missing: delegation?.missing ?? [],
      iterationCount: Number(delegation?.fields.iteration_count ?? 1),
    };
    const report = await runWith(args, rawArgs, question, limits, runQuery).catch((error: unknown) => {
      if (!(error instanceof PackError) || error.code === "usage") throw error;
      note(`mcp-skills: ${describeError(error)}`);
      return reportFailure(question, error.message);
    });
    if (args.json) printJson({ results: report.results, handoff: report.handoff });
    else print(report.message);
    return EXIT_CODES[report.handoff.status];
  },
});

/** A delegation that lacks fields is bad input; a tool that is not there is no failure. */
const EXIT_CODES = { ok: 0, degraded: 0, error: 1, blocked: 2 } as const;

type QueryArgs = ConfigArgs & {
  quiet?: boolean | undefined;
  log?: string | undefined;
  timeout?: string | undefined;
};

async function runWith(
  args: QueryArgs,
  rawArgs: string[],
  question: Omit<QueryRequest, "inventory">,
  limits: CallLimits,
  runQuery: (request: QueryRequest, call: Call) => Promise<QueryReport>,
): Promise<QueryReport> {
  const [{ readPermissions }, { takeInventory }] = await Promise.all([
    import("../inventory/permissions.ts"),
    import("../inventory/inventory.ts"),
  ]);
  // The rules go first: where they cannot be read, nothing is started.
  const permissions = await readPermissions(process.cwd());
  const configured = await configuredFor(args, rawArgs, question.wanted?.server, question.missing?.length !== 0);
  const totalMs = limits.connectMs * 3;
  const inventory = await takeInventory(configured, {
    timeoutMs: limits.connectMs,
    totalMs,
    ownLimits: args.timeout === undefined,
  });
  const report = await runQuery({ ...question, inventory, permissions }, async (tool, callArgs) => {
    const { callOnce } = await import("../inventory/call.ts");
    const config = configured.servers.find(({ name, state }) => name === tool.server && state === "enabled");
    if (config === undefined) return { ok: false, failure: { kind: "config", message: "It is not configured" } };
    // A query calls nothing that writes.
    return callOnce(config, tool.name, callArgs, { ...limits, readOnly: true });
  });
  if (report.decided !== null) await logDecision(report.decided, args.log);
  return report;
}

/** What is configured; with a named tool only its server, and nothing where nothing will be called. */
async function configuredFor(
  args: QueryArgs,
  rawArgs: string[],
  server: string | undefined,
  blocked: boolean,
): Promise<Configured> {
  if (blocked) return { servers: [], problems: [] };
  const configured = await readConfig(args, rawArgs, { ask: args.quiet !== true });
  if (args.quiet !== true) for (const problem of configured.problems) note(`warning: ${describeError(problem)}`);
  if (server === undefined) return configured;
  return { ...configured, servers: configured.servers.filter(({ name }) => name === server) };
}

/** `server/tool` and its arguments. The server is what stands before the first `/`. */
function parseTool(name: string | undefined, args: string | undefined) {
  if (name === undefined) {
    if (args === undefined) return undefined;
    throw new PackError("usage", "--args needs --tool", { fix: "Name the tool that takes them" });
  }
  const at = name.indexOf("/");
  if (at < 1 || at === name.length - 1) {
    throw new PackError("usage", `"${name}" names no tool`, { fix: "Write it as server/tool" });
  }
  return { server: name.slice(0, at), tool: name.slice(at + 1), args: parseArguments(args ?? "{}") };
}

function parseArguments(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (cause) {
    throw new PackError("not-json", "--args is not valid JSON", {
      fix: 'Give one object, such as {"path": "."}',
      cause,
    });
  }
  throw new PackError("usage", "--args is not an object", { fix: 'Give one object, such as {"path": "."}' });
}

/** Escaped, this much still fits into one message. */
const MAX_BYTES = 2_000_000;

function parseBytes(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9][0-9]{0,6}$/.test(text) && Number(text) <= MAX_BYTES) return Number(text);
  throw new PackError("usage", `"${text}" is not a number of bytes`, {
    fix: `Give a whole number from 1 to ${MAX_BYTES}`,
  });
}

async function logDecision(
  { tool, args, decision }: NonNullable<QueryReport["decided"]>,
  file: string | undefined,
): Promise<void> {
  const { logRecord, classifyMcpTools } = await import("../../skills/using-mcp/judgements.ts");
  const { qualifiedName } = await import("../core/tool.ts");
  const { server, name, ...definition } = tool;
  const judged = classifyMcpTools([{ ...definition, name: qualifiedName(server, name) }]).servers.get(server)?.tools[0];
  const choice = { via: "mcp", server, tool: name, args, ...decision } as const;
  logTo(file)(logRecord({ ...choice, capability: judged?.capability, access: judged?.access }, Date.now()));
}
