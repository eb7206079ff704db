/**
 * What tool declarations cost. An estimate: no model's own tokenizer is public for all hosts, and tokenx comes within some
 * ten per cent of the public ones in a thousandth of their size.
 */
import type { Tool } from "../core/contracts.ts";
import { qualifiedName } from "../core/tool.ts";

/** Counts tokens of declarations; loads the estimator once, when it is first needed. */
export async function tokenCounter(): Promise<(tools: Tool[]) => number> {
  const { estimateTokenCount } = await import("tokenx");
  return (tools) => tools.reduce((sum, tool) => sum + estimateTokenCount(declarationText(tool)), 0);
}

/** A tool as providers get it: the qualified name, the description and the input schema, as JSON. */
export function declarationText(tool: Tool): string {
  return JSON.stringify({
    name: qualifiedName(tool.server, tool.name),
    description: tool.description ?? tool.title ?? "",
    input_schema: tool.inputSchema ?? { type: "object" },
  });
}
