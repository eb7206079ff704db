/**
 * The worked examples of a SKILL.md: fences of `json` whose info string goes on with `example <handler>`, holding
 * `{ "input": …, "output": … }` or `{ "input": …, "error": "<code>" }`. They are the skill's contract tests.
 */
import type { Code, Parents } from "mdast";
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
  return [...codeIn(remark().parse(markdown))].flatMap((node) => {
    const [word, handler, ...rest] = (node.meta ?? "").split(/\s+/);
    if (node.lang !== "json" || word !== "example") return [];
    const line = (node.position?.start.line ?? 1) + firstLine - 1;
    if (handler === undefined || rest.length > 0) {
      const fix = "Write ```json example <handler>";
      throw new PackError("bad-example", "The example does not name one handler", { file, line, fix });
    }
    return [{ handler, line, ...readBody(node.value, file, line) }];
  });
}

/** Fences at the top level and in lists, where a step shows what it does; one in a quotation is somebody else's. */
function* codeIn(parent: Parents): Generator<Code> {
  for (const node of parent.children) {
    if (node.type === "code") yield node;
    else if (node.type === "list" || node.type === "listItem") yield* codeIn(node);
  }
}

function readBody(text: string, file: string, line: number): Pick<Example, "input" | "expected"> {
  const fix = 'Write { "input": …, "output": … } or { "input": …, "error": "<code>" }';
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw new PackError("bad-example", "The example is not JSON", { file, line, fix, cause });
  }
  if (typeof body === "object" && body !== null && "input" in body && "output" in body !== "error" in body) {
    if ("output" in body) return { input: body.input, expected: { output: body.output } };
    if ("error" in body && typeof body.error === "string")
      return { input: body.input, expected: { error: body.error } };
  }
  throw new PackError("bad-example", "The example needs an input, and an output or an error", { file, line, fix });
}
