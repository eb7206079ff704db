/** The tools that a command works on: named on the command line, in a list, piped in, or from the configured servers. */
import type { ListedTool } from "../core/contracts.ts";
import { PackError } from "../core/errors.ts";
import { note, readInput } from "./io.ts";
import { parseToolList, readPiped } from "./tool-list.ts";

/** Options of every command that takes a list of tools. */
export const toolListArgs = {
  input: {
    type: "string",
    description: "A list of tools: a file, or - for stdin. JSON, or one mcp__server__tool a line",
    valueHint: "file",
  },
} as const;

/** Reads the tools; what is no MCP tool is left out with a note. */
export async function sessionTools(input: string | undefined, named: string[]): Promise<ListedTool[]> {
  const text = named.length > 0 ? named.join("\n") : input !== undefined ? await readInput(input) : await readPiped();
  if (text === null) {
    throw new PackError("usage", "No tools are given", {
      fix: "Pipe a list of qualified names in, name a file with --input, or name the tools themselves",
    });
  }
  const { tools, left } = parseToolList(text);
  if (left > 0) note(`${left} of the entries ${left === 1 ? "is" : "are"} no MCP tool name and left out`);
  return tools;
}
