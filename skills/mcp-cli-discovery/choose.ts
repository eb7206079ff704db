/** Choosing the one tool that a research question is put to. Only reads are given in; a write is never chosen. */
import type { Tool } from "../../runtime/core/contracts.ts";
import type { IntentRow } from "./research.ts";

/** A tool that only reads. */
export interface Candidate {
  tool: Tool;
  /** The server's canonical name. */
  source: string;
  /** How well the tool's own words match the question; 0 where they do not. */
  score: number;
}

export interface Chosen {
  tool: Tool;
  args: Record<string, unknown>;
}

/**
 * The best tool that can be called with nothing but the question. Those go first whose source serves the kind of question by
 * the table, then those whose own words match better; ties in the order given. `null` where none matches at all.
 */
export function chooseTool(
  intent: string,
  candidates: readonly Candidate[],
  rows: readonly IntentRow[],
  queryArguments: ReadonlySet<string>,
): Chosen | null {
  const serving = new Set(rowsFor(intent, rows).flatMap(({ mcps }) => mcps));
  let best: (Chosen & { rank: number }) | null = null;
  const highest = Math.max(1, ...candidates.map(({ score }) => score));
  for (const { tool, source, score } of candidates) {
    const args = argumentsFor(tool, intent, queryArguments);
    const rank = (serving.has(source) ? 1 : 0) + score / (highest + 1);
    if (args !== null && rank > 0 && rank > (best?.rank ?? 0)) best = { tool, args, rank };
  }
  return best === null ? null : { tool: best.tool, args: best.args };
}

/** The rows whose words stand in the question, whole words only. */
export function rowsFor(intent: string, rows: readonly IntentRow[]): IntentRow[] {
  const text = ` ${intent.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ")} `;
  return rows.filter(({ words, intents }) =>
    [...words, ...intents].some((word) => text.includes(` ${word.toLowerCase()} `)),
  );
}

/** `{}` where a tool needs nothing, the question where it needs or takes one text to search for, else `null`. */
export function argumentsFor(
  { inputSchema }: Tool,
  intent: string,
  queryArguments: ReadonlySet<string>,
): Record<string, unknown> | null {
  const { properties = {}, required = [] } = (inputSchema ?? {}) as { properties?: object; required?: unknown };
  const isText = (name: string) =>
    (Object.getOwnPropertyDescriptor(properties ?? {}, name)?.value as { type?: unknown } | undefined)?.type ===
    "string";
  const needed = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  if (needed.length > 1) return null;
  const [name = Object.keys(properties ?? {}).find((key) => queryArguments.has(key.toLowerCase()) && isText(key))] =
    needed;
  if (name === undefined) return {};
  return queryArguments.has(name.toLowerCase()) && isText(name) ? { [name]: intent } : null;
}
