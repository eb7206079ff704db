import { defineCommand } from "citty";
import { isTerminal, note, print, printJson, readInput } from "./io.ts";

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
    if (args.input === undefined && isTerminal(process.stdin as never)) note("Reading the message from stdin …");
    const { session, iteration, written, reported } = await persistMessage(
      args.run,
      await readInput(args.input ?? "-"),
    );
    for (const line of reported) note(`warning: ${line}`);
    if (args.json) printJson({ session, ...iteration, written, reported });
    else print(`${session}: iteration ${iteration.number}, ${iteration.status}${written ? "" : " (unchanged)"}`);
    return 0;
  },
});
