/** One research question, put to one reading tool, and the honest report of what came of it. */
import {
  canonicalName,
  chooseResearchTool,
  detectTools,
  discoveryHandoff,
  discoveryPayload,
  type Outcome,
} from "../skills/mcp-cli-discovery/discovery.ts";
import { classifyMcpTools, gate } from "../skills/using-mcp/judgements.ts";
import type { GateResult, Handoff, Inventory, Mode, Permissions, Results, Tool } from "./core/contracts.ts";
import { emitResults } from "./core/results-emit.ts";
import { qualifiedName } from "./core/tool.ts";
import type { CallOutcome } from "./inventory/call.ts";
import { listed, toolNames } from "./inventory/harness.ts";
import { outcomesOf, type ToolCall } from "./report.ts";
import { createToolIndex } from "./search/index.ts";

export interface QueryRequest {
  intent: string;
  prompt: string;
  copilotInstructions: string;
  inventory: Inventory;
  /** The tool that the caller wants, by its server's configured name; without it, one is chosen. */
  wanted?: { server: string; tool: string; args: Record<string, unknown> } | undefined;
  permissions?: Permissions | undefined;
  mode?: Mode | undefined;
  /** Fields that the delegation lacks: nothing is called. */
  missing?: readonly string[] | undefined;
  iterationCount?: number | undefined;
}

export interface QueryReport {
  results: Results;
  handoff: Handoff;
  /** The results fence and the handoff. */
  message: string;
  /** The tool that was to be called, and what the gate said. */
  decided: { tool: Tool; args: Record<string, unknown>; decision: GateResult } | null;
}

export type Call = (tool: Tool, args: Record<string, unknown>) => Promise<CallOutcome>;

/** Chooses, asks the gate, calls at most one tool and reports. What fails is reported and ends nothing. */
export async function runQuery(request: QueryRequest, call: Call): Promise<QueryReport> {
  const { intent, prompt, copilotInstructions, inventory, wanted, missing = [], iterationCount } = request;
  const detection = detectTools({ prompt, copilotInstructions, harnessTools: toolNames(inventory) });
  const decided = missing.length > 0 ? null : decide(request);
  const called = decided === null ? null : await callDecided(decided, call);
  const payload = discoveryPayload({
    detection,
    // Who names a tool counts on that one; the other servers were not even asked.
    ...(wanted && { expected: [wanted.server] }),
    outcomes: missingTool(request) ?? outcomesOf(inventory, called === null ? [] : [called]),
  });
  const query = {
    intent,
    tool: decided === null ? null : `${decided.tool.server}/${decided.tool.name}`,
    available: called?.ok === true,
    raw_result: called?.result ?? null,
  };
  const results: Results = { ...payload, query };
  const handoff = discoveryHandoff({ payload, missing, iterationCount });
  return { results, handoff, message: emitResults(results, handoff), decided };
}

/** The report of a query whose work failed before any tool could be asked: what was detected, and why. */
export function reportFailure(request: Omit<QueryRequest, "inventory">, failure: string): QueryReport {
  const { intent, prompt, copilotInstructions, missing, iterationCount } = request;
  const payload = discoveryPayload({ detection: detectTools({ prompt, copilotInstructions }) });
  const results: Results = { ...payload, query: { intent, tool: null, available: false, raw_result: null } };
  const handoff = discoveryHandoff({ payload, missing, failure, iterationCount });
  return { results, handoff, message: emitResults(results, handoff), decided: null };
}

function decide({ intent, inventory, wanted, mode, permissions }: QueryRequest): QueryReport["decided"] {
  const classified = classifyMcpTools(listed(inventory));
  const judge = (tool: Tool, args: Record<string, unknown>): GateResult => {
    const { server, name: own, ...definition } = tool;
    const name = qualifiedName(server, own);
    const decision = gate({ tool: { ...definition, name }, args, mode, permissions, canAsk: false });
    const reads = classified.servers.get(server)?.tools.find((entry) => entry.tool === own)?.access === "read";
    // A rule or a mode that lets a write pass was not made for research.
    return decision.decision === "allow" && !reads ? { ...decision, decision: "deny", reason: "it writes" } : decision;
  };
  const tools = inventory.servers.filter(({ state }) => state === "ready").flatMap((server) => server.tools);
  if (wanted !== undefined) {
    const tool = tools.find(({ server, name }) => server === wanted.server && name === wanted.tool);
    return tool === undefined ? null : { tool, args: wanted.args, decision: judge(tool, wanted.args) };
  }
  const index = createToolIndex(tools);
  const scores = new Map(index.search(intent, { limit: tools.length }).map(({ tool, score }) => [tool, score]));
  const candidates = tools
    .filter((tool) => judge(tool, {}).decision === "allow")
    .map((tool) => ({ tool, source: canonicalName(tool.server), score: scores.get(tool) ?? 0 }));
  const chosen = chooseResearchTool(intent, candidates);
  return chosen === null ? null : { ...chosen, decision: judge(chosen.tool, chosen.args) };
}

async function callDecided(
  { tool, args, decision }: NonNullable<QueryReport["decided"]>,
  call: Call,
): Promise<ToolCall> {
  const named = { server: tool.server, tool: tool.name };
  if (decision.decision === "allow") return { ...named, ...(await call(tool, args)) };
  return { ...named, ok: false, failure: { kind: "refused", message: decision.reason } };
}

/** The outcome of a wanted tool that its server, which is there, does not have. */
function missingTool({ wanted, inventory }: QueryRequest): Outcome[] | null {
  if (wanted === undefined) return null;
  const server = inventory.servers.find(({ name }) => name === wanted.server);
  if (server?.state !== "ready" || server.tools.some(({ name }) => name === wanted.tool)) return null;
  return [{ name: wanted.server, available: false, notes: `not-found: it has no tool ${wanted.tool}` }];
}
