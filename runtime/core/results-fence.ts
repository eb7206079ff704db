/**
 * The results fence and the handoff, both ways. Reading is done on the Markdown tree, never with a pattern over the text:
 * a fence inside a quotation, a list, a comment or a longer fence is content, not a fence.
 */
import type { Code, Root } from "mdast";
import { remark } from "remark";
import type { Handoff, Results } from "./contracts.ts";
import { PackError } from "./errors.ts";
import { parseHandoff } from "./handoff.ts";
import { parsePlainJson } from "./json-text.ts";
import { checkedResults, MAX_MESSAGE_LENGTH } from "./results-emit.ts";

export { emitResults, MAX_MESSAGE_LENGTH } from "./results-emit.ts";

/** The message's two parts, and the fence's body as it was written. */
export interface ParsedResults {
  payload: Results;
  handoff: Handoff;
  /** The text between the fence's first and last line. */
  body: string;
  /** The same of the handoff. */
  handoffBody: string;
}

/**
 * Reads a message that holds exactly one results fence and exactly one handoff, whatever prose stands around them. Each
 * counts only at the top level, closed, with backticks, an info string of exactly that word and line feeds. Throws a
 * `PackError`: `no-fence`, `multiple-fences`, `bad-fence`, `bad-results`, `bad-handoff`, or what the JSON holds amiss.
 */
export function parseResults(message: string): ParsedResults {
  if (typeof message !== "string") throw new PackError("no-fence", "The message is not text");
  if (message.length > MAX_MESSAGE_LENGTH) {
    throw new PackError("too-large", `The message is longer than ${MAX_MESSAGE_LENGTH} characters`);
  }
  const tree = remark().parse(message);
  const body = onlyFence(tree, message, "mcp-results");
  const handoffBody = onlyFence(tree, message, "handoff");
  return {
    payload: checkedResults(parsePlainJson(body, "The results fence")),
    handoff: parseHandoff(handoffBody),
    body,
    handoffBody,
  };
}

function onlyFence(tree: Root, message: string, lang: string): string {
  const found = tree.children.filter((node): node is Code => node.type === "code" && node.lang === lang);
  const [fence, second] = found;
  const fix = `End the message with exactly one \`\`\`${lang} block at its top level`;
  if (fence === undefined) throw new PackError("no-fence", `The message holds no ${lang} block`, { fix });
  if (second !== undefined) {
    throw new PackError("multiple-fences", `The message holds ${found.length} ${lang} blocks`, { fix });
  }
  const source = message.slice(fence.position?.start.offset, fence.position?.end.offset);
  const opening = "```";
  const closing = /\n(`{3,})[ \t]*$/.exec(source)?.[1];
  if (!source.startsWith(`${opening}${lang}\n`) || closing === undefined || source.includes("\r")) {
    throw new PackError("bad-fence", `The ${lang} block is not a closed fence of three backticks and that one word`, {
      fix,
      line: fence.position?.start.line,
    });
  }
  return fence.value;
}
