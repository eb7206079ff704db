/**
 * How well access and capability are judged, over labelled listings: JSON Lines with `server`, `name`, `description`,
 * `annotations`, `inputProps` or `inputSchema`, `gold_access` (`read`, `write` or null), `gold_capability` and
 * `gold_capability_alt`.
 *
 * `bun run bench:access -- [FILE…] [--mistakes] [--no-annotations | --annotations] [--json]`
 */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { ClassifiedTool } from "../../runtime/core/contracts.ts";
import { qualifiedName } from "../../runtime/core/tool.ts";
import { classifyMcpTools } from "../../skills/using-mcp/using-mcp.ts";

interface LabelledTool {
  server: string;
  name: string;
  description?: string;
  annotations?: Record<string, unknown> | null;
  inputProps?: string[];
  inputSchema?: Record<string, unknown>;
  gold_access: "read" | "write" | null;
  gold_capability?: string;
  gold_capability_alt?: string[];
}

interface Mistake {
  kind: "false read" | "held back" | "capability";
  server: string;
  tool: string;
  given: string;
  gold: string;
}

interface Figures {
  falseReads: { count: number; of: number };
  heldBack: { count: number; of: number; rate: number; meanOverServers: number };
  capability: { right: number; of: number; rate: number; meanOverServers: number };
  mistakes: Mistake[];
}

/** Judges every labelled tool, server by server as a session would list them, and counts. */
export function measure(tools: readonly LabelledTool[], withAnnotations: boolean): Figures {
  const servers = new Map<string, LabelledTool[]>();
  for (const tool of tools) servers.set(tool.server, [...(servers.get(tool.server) ?? []), tool]);
  const mistakes: Mistake[] = [];
  const held: number[] = [];
  const named: number[] = [];
  const sum = { reads: 0, writes: 0, held: 0, falseReads: 0, scored: 0, right: 0 };
  for (const [server, listed] of servers) {
    const { servers: judged } = classifyMcpTools(listed.map((tool) => asListed(tool, withAnnotations)));
    const verdicts = new Map((judged.get(server)?.tools ?? []).map((verdict) => [verdict.tool, verdict]));
    const count = { reads: 0, held: 0, scored: 0, right: 0 };
    for (const tool of listed) {
      const verdict = verdicts.get(tool.name);
      const access = verdict?.access ?? "write";
      const miss = (kind: Mistake["kind"], given: string, gold: string) =>
        mistakes.push({ kind, server, tool: tool.name, given, gold });
      if (tool.gold_access === "read") {
        count.reads++;
        if (access === "write") {
          count.held++;
          miss("held back", told(verdict), "read");
        }
      } else if (tool.gold_access === "write") {
        sum.writes++;
        if (access === "read") {
          sum.falseReads++;
          miss("false read", told(verdict), "write");
        }
      }
      const right = [tool.gold_capability, ...(tool.gold_capability_alt ?? [])].filter((name) => name !== undefined);
      // A tool whose purpose is `other` and nothing else has no capability to name.
      if (right.length === 0 || tool.gold_capability === "other") continue;
      count.scored++;
      if (right.includes(verdict?.capability ?? "other")) count.right++;
      else miss("capability", verdict?.capability ?? "none", right.join(" or "));
    }
    if (count.reads > 0) held.push(count.held / count.reads);
    if (count.scored > 0) named.push(count.right / count.scored);
    sum.reads += count.reads;
    sum.held += count.held;
    sum.scored += count.scored;
    sum.right += count.right;
  }
  return {
    falseReads: { count: sum.falseReads, of: sum.writes },
    heldBack: { count: sum.held, of: sum.reads, rate: ratio(sum.held, sum.reads), meanOverServers: mean(held) },
    capability: { right: sum.right, of: sum.scored, rate: ratio(sum.right, sum.scored), meanOverServers: mean(named) },
    mistakes,
  };
}

function asListed(tool: LabelledTool, withAnnotations: boolean): Record<string, unknown> {
  const properties = Object.fromEntries((tool.inputProps ?? []).map((name) => [name, {}]));
  return {
    name: qualifiedName(tool.server, tool.name),
    description: tool.description,
    inputSchema: tool.inputSchema ?? { type: "object", properties },
    ...(withAnnotations && tool.annotations ? { annotations: tool.annotations } : {}),
  };
}

function told(verdict: ClassifiedTool | undefined): string {
  return verdict === undefined ? "left out" : `${verdict.access} by ${verdict.evidence.join(", ")}`;
}

const ratio = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);
const mean = (values: number[]) =>
  ratio(
    values.reduce((total, value) => total + value, 0),
    values.length,
  );
const percent = (value: number) => `${(value * 100).toFixed(1)} %`;

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { mistakes: { type: "boolean" }, json: { type: "boolean" } },
  });
  const usual = fileURLToPath(new URL("../../../shared/corpus/tools.dev.jsonl", import.meta.url));
  const files = positionals.length > 0 ? positionals : [usual].filter((file) => existsSync(file));
  if (files.length === 0) {
    process.stderr.write("bench:access: name a file of labelled listings (JSON Lines)\n");
    process.exit(2);
  }
  const tools = files.flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => JSON.parse(line) as LabelledTool),
  );
  const runs = { "with annotations": measure(tools, true), "without annotations": measure(tools, false) };
  if (values.json) process.stdout.write(`${JSON.stringify(runs, null, 2)}\n`);
  else {
    for (const [title, figures] of Object.entries(runs)) {
      const { falseReads, heldBack, capability } = figures;
      console.log(title);
      console.log(`  false reads      ${falseReads.count} of ${falseReads.of}`);
      console.log(
        `  reads held back  ${heldBack.count} of ${heldBack.of} = ${percent(heldBack.rate)}; mean over servers ${percent(heldBack.meanOverServers)}`,
      );
      console.log(
        `  capability       ${capability.right} of ${capability.of} = ${percent(capability.rate)}; mean over servers ${percent(capability.meanOverServers)}`,
      );
      if (!values.mistakes) continue;
      for (const { kind, server, tool, given, gold } of figures.mistakes) {
        console.log(`  ${kind}\t${server}/${tool}\t${given}\tgold ${gold}`);
      }
    }
  }
}
