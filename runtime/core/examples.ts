/**
 * The worked examples of a SKILL.md: fences of `json` whose info string goes on with `example <handler>`, holding
 * `{ "input": …, "output": … }` or `{ "input": …, "error": "<code>" }`. They are the skill's contract tests.
 */
import { PackError } from "./errors.ts";

export interface Example {
  handler: string;
  input: unknown;
  /** What the handler gives, or the code of the `PackError` that it throws. */
  expected: { output: unknown } | { error: string };
  line: number;
}

/** Finds the examples in a Markdown text; throws `bad-example` with file and line where one cannot be read. */
export async function readExamples(markdown: string, file: string, firstLine = 1): Promise<Example[]> {
  const { remark } = await import("remark");
  const examples: Example[] = [];
  for (const node of remark().parse(markdown).children) {
    if (node.type !== "code" || node.lang !== "json" || !node.meta?.startsWith("example ")) continue;
    const line = (node.position?.start.line ?? 1) + firstLine - 1;
    examples.push({ handler: node.meta.slice("example ".length).trim(), line, ...readBody(node.value, file, line) });
  }
  return examples;
}

function readBody(text: string, file: string, line: number): Pick<Example, "input" | "expected"> {
  const fix = 'Write { "input": …, "output": … } or { "input": …, "error": "<code>" }';
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    if ("input" in body && "output" in body) return { input: body.input, expected: { output: body.output } };
    if ("input" in body && typeof body.error === "string") {
      return { input: body.input, expected: { error: body.error } };
    }
  } catch (cause) {
    throw new PackError("bad-example", "The example is not JSON", { file, line, fix, cause });
  }
  throw new PackError("bad-example", "The example has no input, or neither output nor error", { file, line, fix });
}
