/**
 * Which MCP servers and CLIs three sources name: the prompt, copilot-instructions, the harness's tool list. Nothing is
 * probed: only what is written counts.
 */
import type { Detected, Detection, DetectionSource } from "../../runtime/core/contracts.ts";
import { splitQualifiedName } from "../../runtime/core/tool.ts";

export interface DetectionInput {
  prompt?: unknown;
  copilotInstructions?: unknown;
  /** The harness's tool names, as text or as objects with a `name`. */
  harnessTools?: unknown;
}

const ORDER: DetectionSource[] = ["prompt", "copilot-instructions", "harness"];

/** Merges the three sources; none wins. Never throws: what is of the wrong type names nothing. */
export function detect(input: DetectionInput, knownClis: readonly string[]): Detection {
  const mcps = new Map<string, Set<DetectionSource>>();
  const clis = new Map<string, Set<DetectionSource>>();
  for (const [source, text] of [
    ["prompt", input.prompt],
    ["copilot-instructions", input.copilotInstructions],
  ] as const) {
    if (typeof text !== "string") continue;
    const prose = withoutCode(text);
    for (const name of mentionedMcps(prose)) add(mcps, name, source);
    for (const name of mentionedClis(prose, knownClis)) add(clis, name, source);
  }
  for (const name of harnessServers(input.harnessTools)) add(mcps, name, "harness");
  return { mcps: sorted(mcps), clis: sorted(clis) };
}

/** `GitHub MCP`, `github-mcp`, `mcp-server-github` and `github` meet under `github`. */
export function canonicalName(name: string): string {
  const words = name.toLowerCase().replace(/[\s_]+/g, "-");
  return words.replace(/^(?:mcp-server-|server-|mcp-)/, "").replace(/(?:-mcp-server|-mcp|-server)$/, "");
}

/** Code blocks, quotations and indented code name nothing: they show, they do not say. */
function withoutCode(text: string): string {
  const lines: string[] = [];
  let fence: string | null = null;
  for (const line of text.split(/\r?\n/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null && mark !== undefined) fence = mark;
    else if (fence !== null && mark?.startsWith(fence) && line.trim() === mark) fence = null;
    else if (fence === null && !/^(?: {4}|\t|\s*>)/.test(line)) lines.push(line);
  }
  return lines.join("\n");
}

function mentionedMcps(prose: string): string[] {
  const names: string[] = [];
  for (const sentence of sentences(prose)) {
    if (takesBack(sentence)) continue;
    for (const match of sentence.matchAll(/\b([A-Za-z][A-Za-z0-9_-]{0,39})(?: |-)MCP\b/gi)) names.push(match[1] ?? "");
    const list = /(?:^[-*\s]*MCP|\bMCP servers?):\s*(.{1,300})$/i.exec(sentence)?.[1] ?? "";
    names.push(...list.split(/,|\band\b/).map((name) => name.trim().replace(/[.`]/g, "")));
  }
  return names.map(canonicalName).filter((name) => /^[a-z][a-z0-9-]{1,39}$/.test(name) && !ORDINARY.has(name));
}

const ORDINARY = new Set([
  "the",
  "an",
  "any",
  "no",
  "this",
  "that",
  "each",
  "every",
  "which",
  "our",
  "your",
  "all",
  "available",
]);

function mentionedClis(prose: string, known: readonly string[]): string[] {
  return known.filter((name) =>
    sentences(prose).some(
      (sentence) =>
        !takesBack(sentence) &&
        (sentence.includes(`\`${name}\``) || new RegExp(`\\b${name} CLI\\b`, "i").test(sentence)),
    ),
  );
}

function sentences(prose: string): string[] {
  return prose.split(/(?<=[.!?;])\s+|\n/);
}

function takesBack(sentence: string): boolean {
  return /\b(?:don't|do not|without|no longer|never|not have|once the|until)\b/i.test(sentence);
}

/** The servers of qualified names, `mcp__server__tool` (Claude Code) or `mcp_server_tool` (VS Code). */
function harnessServers(tools: unknown): string[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown) => {
    const name = typeof tool === "string" ? tool : (tool as { name?: unknown } | null)?.name;
    if (typeof name !== "string") return [];
    const qualified = splitQualifiedName(name);
    if (qualified !== null) return [canonicalName(qualified.server)];
    const single = /^mcp_([A-Za-z0-9-]+)_[A-Za-z0-9_.-]+$/.exec(name)?.[1];
    return single === undefined ? [] : [canonicalName(single)];
  });
}

function add(found: Map<string, Set<DetectionSource>>, name: string, source: DetectionSource): void {
  const sources = found.get(name) ?? new Set();
  found.set(name, sources.add(source));
}

function sorted(found: Map<string, Set<DetectionSource>>): Detected[] {
  return [...found].map(([name, sources]) => ({ name, sources: ORDER.filter((source) => sources.has(source)) }));
}
