/** The live lines on stderr, seen as a terminal would show them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { showProgress } from "../../../runtime/cli/progress.ts";
import type { Server } from "../../../runtime/core/contracts.ts";

function streamOf(isTTY: boolean, columns = 60, rows = 24) {
  let written = "";
  const write = (text: string) => {
    written += text;
    return true;
  };
  const stream = { isTTY, columns, rows, write } as unknown as NodeJS.WriteStream;
  return { stream, text: () => written };
}

function server(name: string, more: Partial<Server> = {}): Server {
  return { name, state: "ready", tools: [], flags: [], origins: [], ...more };
}

/** What stands on the screen after these bytes: a small terminal that knows two commands, up and erase below. */
function screen(text: string): string[] {
  const lines: string[] = [""];
  let row = 0;
  for (const part of text.split(/(\u001b\[\d+A|\u001b\[0?J|\n)/)) {
    if (part === "\n") {
      row++;
      lines[row] ??= "";
    } else if (part.endsWith("A") && part.startsWith("\u001b")) row -= Number(part.slice(2, -1));
    else if (part.endsWith("J") && part.startsWith("\u001b")) {
      lines.length = row + 1;
      lines[row] = "";
    } else lines[row] += part;
  }
  return lines.slice(0, -1);
}

const clock = () => 0;

test("a terminal shows one line for each server, which turns into what came of it", () => {
  const { stream, text } = streamOf(true);
  const progress = showProgress(["a", "b"], { stream, now: clock });
  assert.deepEqual(screen(text()), ["… a: connecting", "… b: connecting"]);
  progress.done(server("b", { state: "failed", failure: { kind: "timeout", message: "It did not\nanswer" } }));
  assert.deepEqual(screen(text()), ["… a: connecting", "✗ b: It did not\\u{a}answer (0.0 s)"]);
  progress.done(server("a", { tools: [{ server: "a", name: "x" }] }));
  assert.deepEqual(screen(text()), ["✓ a: 1 tools (0.0 s)", "✗ b: It did not\\u{a}answer (0.0 s)"]);
});

test("a line never wraps, and more servers than lines are told one by one", () => {
  const narrow = streamOf(true, 20);
  showProgress(["n".repeat(80)], { stream: narrow.stream, now: clock });
  assert.ok(screen(narrow.text()).every((line) => line.length < 20));
  const low = streamOf(true, 60, 3);
  const progress = showProgress(["a", "b", "c"], { stream: low.stream, now: clock });
  progress.done(server("a"));
  assert.equal(low.text(), "✓ a: 0 tools (0.0 s)\n");
});

test("without a terminal nothing is shown, with verbose a line for each, with quiet never anything", () => {
  for (const [isTTY, options, shown] of [
    [false, {}, ""],
    [false, { verbose: true }, "✓ a: 0 tools (0.0 s)\n"],
    [false, { quiet: true, verbose: true }, ""],
    [true, { quiet: true }, ""],
  ] as const) {
    const { stream, text } = streamOf(isTTY);
    showProgress(["a"], { ...options, stream, now: clock }).done(server("a"));
    assert.equal(text(), shown);
  }
});
