import { readFileSync } from "node:fs";
import { defineCommand } from "citty";
import { PackError, printable } from "../core/errors.ts";
import { isTerminal, note, print, printJson } from "./io.ts";

export const command = defineCommand({
  meta: {
    name: "persist",
    description: "Take an agent's whole final message from stdin and keep its report under a run",
  },
  args: {
    run: {
      type: "string",
      required: true,
      description: "The run's folder; its name is the session's id",
      valueHint: "dir",
    },
    input: { type: "string", description: "Read the message from this file instead of stdin", valueHint: "file" },
    json: { type: "boolean", description: "Print JSON" },
  },
  async run({ args }) {
    const { persistMessage } = await import("../run/run-store.ts");
    if (args.input === undefined && isTerminal(0)) note("Reading the message from stdin …");
    const { session, iteration, written, reported } = await persistMessage(args.run, await readMessage(args.input));
    for (const line of reported) note(`warning: ${printable(line, 1000)}`);
    if (args.json) printJson({ session, ...iteration, written, reported });
    else print(`${session}: iteration ${iteration.number}, ${iteration.status}${written ? "" : " (unchanged)"}`);
    return 0;
  },
});

/** Bytes, not text: what is no UTF-8 must be refused, not replaced. */
async function readMessage(path = "-"): Promise<Uint8Array> {
  if (path === "-") return readStdin();
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new PackError("unreadable", `The message cannot be read (${(cause as { code?: string }).code})`, {
      file: path,
      fix: "Check the path, or leave --input away to read stdin",
      cause,
    });
  }
}

async function readStdin(): Promise<Uint8Array> {
  const { MAX_MESSAGE_LENGTH } = await import("../core/results-fence.ts");
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Three bytes hold any UTF-16 code unit, so a message with more is too long whatever it holds.
    if (bytes > 3 * MAX_MESSAGE_LENGTH) throw new PackError("too-large", "The message is too long to be read");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
