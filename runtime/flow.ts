/** The whole data flow as code, one stage a step; every intermediate result is in the trace. */

import { loadTools } from "../skills/agi-mcp-discover/loading.ts";
import { catalogue, submit } from "../skills/composer-mcp/composer.ts";
import { detectTools, discoveryHandoff, discoveryPayload } from "../skills/mcp-cli-discovery/discovery.ts";
import { classifyMcpTools, gate, routeCapability } from "../skills/using-mcp/judgements.ts";
import type { Handoff, Inventory, Mode, Permissions, Results, Tool } from "./core/contracts.ts";
import { resultsText } from "./core/results-text.ts";
import { qualifiedName } from "./core/tool.ts";
import { listed, toolNames, withHarnessTools } from "./inventory/harness.ts";
import { outcomesOf, type ToolCall } from "./report.ts";

export interface Sources {
  prompt: string;
  intent: string;
  copilotInstructions: string;
  /** What the configured servers answered, and what the harness lists besides. */
  inventory: Inventory;
  harnessTools?: readonly string[];
  capability?: string;
  /** Skills that are present. */
  present?: readonly string[];
  mode?: Mode;
  permissions?: Permissions;
}

export type Trace = Awaited<ReturnType<typeof runFlow>>;

/** Runs every stage. Without `call` nothing is called; with it, at most one tool is, and only where the gate allows it. */
export async function runFlow(sources: Sources, call?: (tool: Tool) => Promise<ToolCall>) {
  const { prompt, intent, copilotInstructions, capability = "", present = [], mode, permissions } = sources;
  const inventory = withHarnessTools(sources.inventory, sources.harnessTools ?? []);
  const detection = detectTools({ prompt, copilotInstructions, harnessTools: toolNames(inventory) });
  const classified = classifyMcpTools(listed(inventory));
  const route = routeCapability(classified, capability, { present });
  const loaded = loadTools(inventory, intent);
  const selected = submit({ text: prompt }, catalogue(inventory), { ...(mode && { mode }) });
  const decisions = loaded.tools.map((tool) => {
    const name = qualifiedName(tool.server, tool.name);
    return {
      tool,
      name,
      ...gate({ tool: { ...tool, name }, args: {}, ...(mode && { mode }), ...(permissions && { permissions }) }),
    };
  });
  const allowed = decisions.find(({ decision }) => decision === "allow")?.tool;
  const called = call === undefined || allowed === undefined ? null : await call(allowed);
  const payload = discoveryPayload({ detection, outcomes: outcomesOf(inventory, called === null ? [] : [called]) });
  const tool = called === null ? null : `${called.server}/${called.tool}`;
  const query = {
    intent,
    tool,
    available: called?.ok === true,
    raw_result: called?.ok === true ? called.result : null,
  };
  const results: Results = { ...payload, query };
  const handoff: Handoff = discoveryHandoff({ payload });
  const message = resultsText(results, handoff);
  return { inventory, detection, classified, route, loaded, selected, decisions, called, results, handoff, message };
}
