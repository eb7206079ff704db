/** What a person sees on stderr while servers are being connected: one live line for each. */
import util from "node:util";
import type { Server } from "../core/contracts.ts";
import { printable } from "../core/errors.ts";
import { isTerminal } from "./io.ts";

export interface Progress {
  /** One server is done. */
  done(server: Server): void;
}

const NONE: Progress = { done() {} };

export interface ProgressOptions {
  /** Show nothing at all. */
  quiet?: boolean | undefined;
  /** One line for each server even where stderr is no terminal, with the time it took. */
  verbose?: boolean | undefined;
  stream?: NodeJS.WriteStream;
  now?: () => number;
}

/** Live lines on a terminal; without one nothing, or with `verbose` a line for each server as it is done. */
export function showProgress(names: readonly string[], options: ProgressOptions = {}): Progress {
  const { quiet, verbose, now = () => performance.now() } = options;
  if (quiet === true || names.length === 0) return NONE;
  if (options.stream === undefined && verbose !== true && !isTerminal(2)) return NONE;
  const { stream = process.stderr } = options;
  const started = now();
  const took = () => `${((now() - started) / 1000).toFixed(1)} s`;
  // Where the lines do not fit on the screen, the cursor cannot go back to the first.
  if (stream.isTTY === true && names.length < (stream.rows ?? 24)) return liveLines(names, stream, took);
  if (stream.isTTY !== true && verbose !== true) return NONE;
  return { done: (server) => void stream.write(`${lineOf(server, took())}\n`) };
}

function liveLines(names: readonly string[], stream: NodeJS.WriteStream, took: () => string): Progress {
  const lines = new Map(names.map((name) => [name, `… ${printable(name, 40)}: connecting`]));
  const draw = (back: boolean) => {
    // As many lines up, and everything from there on cleared (ECMA-48: CUU, ED).
    if (back) stream.write(`\x1b[${lines.size}A\x1b[J`);
    for (const line of lines.values()) stream.write(`${fitted(line, stream.columns ?? 80)}\n`);
  };
  draw(false);
  return {
    done(server) {
      if (!lines.has(server.name)) return;
      lines.set(server.name, lineOf(server, took()));
      draw(true);
    },
  };
}

function lineOf({ name, state, tools, failure }: Server, took: string): string {
  const outcome = state === "ready" ? `${tools.length} tools` : (failure?.message ?? state);
  return `${state === "ready" ? "✓" : "✗"} ${printable(name, 40)}: ${printable(outcome, 300)} (${took})`;
}

/** A line that wraps would take two, and the cursor would go back to the wrong one. */
function fitted(line: string, columns: number): string {
  const plain = util.stripVTControlCharacters(line);
  return plain.length < columns ? plain : `${plain.slice(0, Math.max(1, columns - 2))}…`;
}
