/** What `doctor` looks for in the tools themselves: texts, names that shadow each other, and what the declarations cost. */
import type { Server, Tool } from "../core/contracts.ts";
import { printable } from "../core/errors.ts";
import type { Examiner, Finding } from "./finding.ts";

/** Texts of a tool that hide something or speak to the model; one finding of a kind for each tool. */
export function textFindings(tool: Tool, { suspicionOf }: Examiner): Finding[] {
  const place = { server: tool.server, tool: tool.name };
  const seen = new Set<string>();
  const findings: Finding[] = [];
  for (const { where, text } of textsOf(tool)) {
    const suspicion = suspicionOf(text);
    if (suspicion === null || seen.has(suspicion.kind)) continue;
    seen.add(suspicion.kind);
    const fix = "Read it, and switch the tool or its server off if you did not expect that";
    if (suspicion.kind === "invisible") {
      const message = `Its ${where} holds characters that nobody sees: ${printable(aroundHidden(text), 120)}`;
      findings.push({ level: "warning", kind: "invisible-text", ...place, message, fix });
    } else if (suspicion.kind === "instruction") {
      const message = `Its ${where} speaks to the model: "${printable(suspicion.phrase ?? "", 60)}"`;
      findings.push({ level: "warning", kind: "hidden-instruction", ...place, message, fix });
    } else {
      const message = `Its ${where} is ${text.length.toLocaleString("en-US")} characters long: nobody reads all that`;
      findings.push({ level: "warning", kind: "overlong-text", ...place, message, fix });
    }
  }
  return findings;
}

/** Everything of a tool that a model reads: its names, its description and every text in its schema. */
function textsOf(tool: Tool): { where: string; text: string }[] {
  const texts = [
    { where: "name", text: tool.name },
    { where: "title", text: tool.title ?? "" },
    { where: "description", text: tool.description ?? "" },
  ];
  const open: unknown[] = [tool.inputSchema];
  for (let at = 0; at < open.length && at < MAX_NODES; at++) {
    const value = open[at];
    if (typeof value === "string") texts.push({ where: "input schema", text: value });
    else if (typeof value === "object" && value !== null) {
      for (const [key, member] of Object.entries(value)) open.push(key, member);
    }
  }
  return texts;
}

/** Nodes of a schema that are looked at; a larger one is told by its cost. */
const MAX_NODES = 20_000;

/** The first hidden character with its neighbours. */
function aroundHidden(text: string): string {
  const at = text.search(/[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u);
  return text.slice(Math.max(0, at - 20), at + 20);
}

/** Tools of one name on several servers, and descriptions that speak of another server's tool. */
export function shadowFindings(ready: readonly Server[]): Finding[] {
  const owners = new Map<string, Tool[]>();
  for (const tool of ready.flatMap(({ tools }) => tools)) {
    const key = alike(tool.name);
    const known = owners.get(key);
    if (known === undefined) owners.set(key, [tool]);
    else known.push(tool);
  }
  const findings: Finding[] = [];
  for (const tools of owners.values()) {
    const servers = new Set(tools.map(({ server }) => server));
    if (servers.size < 2) continue;
    const names = tools.map(({ server, name }) => `${printable(server, 60)}/${printable(name, 60)}`).join(", ");
    const message = `Tools of the same or nearly the same name: ${names}`;
    findings.push({ level: "note", kind: "shadowed-tool", message, fix: "Call them by server, or switch one off" });
  }
  for (const tool of ready.flatMap(({ tools }) => tools)) {
    const other = namedTool(tool, owners);
    if (other === undefined) continue;
    const message = `Its description speaks of ${printable(other.server, 60)}'s tool ${printable(other.name, 60)}`;
    const fix = "Read it: a server has no business with another server's tools";
    findings.push({ level: "warning", kind: "names-other-tool", server: tool.server, tool: tool.name, message, fix });
  }
  return findings;
}

/** A tool that the description names, where only other servers have it. Plain words are no names: `search` is on every page. */
function namedTool(tool: Tool, owners: ReadonlyMap<string, Tool[]>): Tool | undefined {
  for (const word of (tool.description ?? "").match(/[A-Za-z][\w-]*/g) ?? []) {
    if (word.length > MAX_NAME || !/[_-]/.test(word)) continue;
    const named = owners.get(alike(word.replace(/^mcp__/, "").replace(/^.*?__/, "")));
    if (named !== undefined && !named.some(({ server }) => server === tool.server)) return named[0];
  }
  return undefined;
}

/** Qualified names of clients end here. */
const MAX_NAME = 200;

function alike(name: string): string {
  return name.toLowerCase().replace(/[-_. ]/g, "");
}

/** Servers that take a tenth of the declarations' tokens or more, and 2,000 at least: the most expensive five. */
export function costFindings(ready: readonly Server[], { tokensOf }: Examiner): Finding[] {
  const costs = ready.map(({ name, tools }) => ({ name, count: tools.length, tokens: tokensOf(tools) }));
  const total = costs.reduce((sum, { tokens }) => sum + tokens, 0);
  return costs
    .filter(({ tokens }) => tokens >= 2000 && tokens * 10 >= total)
    .sort((left, right) => right.tokens - left.tokens)
    .slice(0, 5)
    .map(({ name, count, tokens }) => ({
      level: "note" as const,
      kind: "costly" as const,
      server: name,
      message: `Its ${count} tools cost about ${tokens.toLocaleString("en-US")} of ${total.toLocaleString("en-US")} tokens`,
      fix: "Let an agent load few of them: mcp-skills load",
    }));
}
