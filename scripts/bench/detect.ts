/**
 * How well detection reads people: precision and recall over labelled sentences and instruction files, MCP servers and CLIs
 * together, each source alone. A name counts where it is in a case's label; every case is judged by itself.
 *
 * `bun run bench:detect [--json] [--mistakes development] [FILE…]`; default: both halves of test/fixtures/detect.
 */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { parse } from "yaml";
import { detectTools } from "../../skills/mcp-cli-discovery/mcp-cli-discovery.ts";

export interface LabelledCase {
  in: "prompt" | "instructions" | "harness";
  text?: string;
  tools?: string[];
  mcps: string[];
  clis: string[];
}

export interface Score {
  cases: number;
  right: number;
  /** Found without being labelled, and labelled without being found. */
  extra: number;
  missed: number;
  precision: number;
  recall: number;
  /** Cases in which everything is right. */
  whole: number;
  mistakes: { text: string; extra: string[]; missed: string[] }[];
}

export function readCases(file: string): LabelledCase[] {
  return parse(readFileSync(file, "utf8")) as LabelledCase[];
}

export function measureDetection(cases: readonly LabelledCase[]): Score {
  const score: Score = {
    cases: cases.length,
    right: 0,
    extra: 0,
    missed: 0,
    precision: 1,
    recall: 1,
    whole: 0,
    mistakes: [],
  };
  for (const labelled of cases) {
    const found = namesFound(labelled);
    const wanted = [...labelled.mcps.map((name) => `mcp ${name}`), ...labelled.clis.map((name) => `cli ${name}`)];
    const extra = found.filter((name) => !wanted.includes(name));
    const missed = wanted.filter((name) => !found.includes(name));
    score.right += found.length - extra.length;
    score.extra += extra.length;
    score.missed += missed.length;
    if (extra.length + missed.length === 0) score.whole += 1;
    else score.mistakes.push({ text: labelled.text ?? (labelled.tools ?? []).join(" "), extra, missed });
  }
  score.precision = score.right / Math.max(1, score.right + score.extra);
  score.recall = score.right / Math.max(1, score.right + score.missed);
  return score;
}

function namesFound({ in: source, text, tools }: LabelledCase): string[] {
  const { mcps, clis } = detectTools({
    ...(source === "prompt" && { prompt: text }),
    ...(source === "instructions" && { copilotInstructions: text }),
    ...(source === "harness" && { harnessTools: tools }),
  });
  return [...mcps.map(({ name }) => `mcp ${name}`), ...clis.map(({ name }) => `cli ${name}`)];
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    options: { json: { type: "boolean" }, mistakes: { type: "string" } },
    allowPositionals: true,
  });
  const folder = fileURLToPath(new URL("../../test/fixtures/detect/", import.meta.url));
  const files =
    positionals.length > 0 ? positionals : ["untouched", "development"].map((half) => `${folder}${half}.yaml`);
  const scores = files.map((file) => ({ half: basename(file, ".yaml"), ...measureDetection(readCases(file)) }));
  if (values.json)
    console.log(
      JSON.stringify(
        scores.map(({ mistakes: _, ...score }) => score),
        null,
        2,
      ),
    );
  else {
    for (const { half, cases, right, extra, missed, precision, recall, whole } of scores) {
      const figures = `precision ${precision.toFixed(3)}  recall ${recall.toFixed(3)}  ${right} right, ${extra} extra, ${missed} missed`;
      console.log(`${half.padEnd(12)} ${cases} cases  ${figures}; ${whole} cases without a mistake`);
    }
  }
  for (const { half, mistakes } of scores) {
    if (half === values.mistakes) for (const mistake of mistakes) console.error(JSON.stringify(mistake));
  }
}
