import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { defineCommand } from "citty";
import { PackError, printable } from "../core/errors.ts";
import type { RunReport, RunView } from "../run/run-read.ts";
import { formatTable, isTerminal, print, printJson } from "./io.ts";

export const command = defineCommand({
  meta: { name: "runs", description: "List the runs of a folder, or show one run: what it expected and what it got" },
  args: {
    folder: {
      type: "positional",
      required: false,
      description: "A run, or a folder of runs (default: the current one)",
    },
    json: { type: "boolean", description: "Print JSON" },
  },
  async run({ args }) {
    const folder = resolve(args.folder ?? ".");
    const { isRun, readRun } = await import("../run/run-read.ts");
    const single = isRun(folder);
    const runs = single ? [folder] : foldersIn(folder).filter((path) => isRun(path));
    const views = runs.map((run) => readRun(run));
    if (args.json) printJson(single ? describeRun(views[0] as RunView) : views.map(describeRun));
    else if (single) print(showRun(views[0] as RunView));
    else if (isTerminal())
      print(await formatTable(["run", "iterations", "status", "used", "expected and missing"], views.map(rowOf)));
    else for (const view of views) print(rowOf(view).join("\t"));
    return views.some(({ problem, reports }) => problem !== undefined || reports.some((report) => report.problem))
      ? 1
      : 0;
  },
});

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .sort()
      .map((name) => join(folder, name));
  } catch (cause) {
    throw new PackError("unreadable", "The folder cannot be read", {
      file: folder,
      fix: "Name a run or a folder of runs",
      cause,
    });
  }
}

function describeReport({ iteration, handoff, payload, problem }: RunReport) {
  const entries = [...(payload?.mcps_detected ?? []), ...(payload?.clis_detected ?? [])];
  return {
    ...iteration,
    ...(problem === undefined ? {} : { problem }),
    ...(handoff === undefined ? {} : { notes: handoff.notes }),
    expected: entries.map(({ name }) => name),
    used: entries.filter(({ used }) => used).map(({ name }) => name),
    skipped: payload?.skipped ?? [],
    query:
      payload === undefined
        ? null
        : { intent: payload.query.intent, tool: payload.query.tool, available: payload.query.available },
  };
}

function describeRun({ session, problem, reports }: RunView) {
  return { session, ...(problem === undefined ? {} : { problem }), iterations: reports.map(describeReport) };
}

function rowOf(view: RunView): string[] {
  const newest = view.reports.at(-1);
  const { used, skipped } = newest === undefined ? { used: [], skipped: [] } : describeReport(newest);
  const status = view.problem ?? newest?.problem ?? newest?.iteration.status ?? "empty";
  return [view.session, String(view.reports.length), status, list(used), list(skipped)];
}

function showRun(view: RunView): string {
  const lines = [`${view.session}${view.problem === undefined ? "" : `: state.json ${view.problem}`}`];
  for (const report of view.reports) {
    const { number, iteration_count, status, time, problem, expected, used, skipped, query } = describeReport(report);
    lines.push(`  ${number}  ${status}  ${time}  (iteration_count ${iteration_count})`);
    if (problem !== undefined) lines.push(`     problem: ${problem}`);
    else {
      lines.push(`     expected: ${list(expected)}`, `     used: ${list(used)}`);
      for (const line of skipped) lines.push(`     ${printable(line, 300)}`);
      if (query?.tool) lines.push(`     called: ${printable(query.tool)} for "${printable(query.intent)}"`);
    }
  }
  return lines.join("\n");
}

function list(names: string[]): string {
  return names.length === 0 ? "none" : names.map((name) => printable(name, 120)).join(", ");
}
