/** Where a statement names an MCP server or a CLI, whatever it says of it. */
import { cliMentions } from "./cli-mentions.ts";
import { mcpMentions } from "./mcp-mentions.ts";
import type { Mention, Reading } from "./reading.ts";

/** In order, none within another; where the same words could name both, the MCP server goes first. */
export function findMentions(reading: Reading): Mention[] {
  const found = [...mcpMentions(reading), ...cliMentions(reading)];
  const taken: boolean[] = new Array(reading.tokens.length).fill(false);
  return found
    .filter(({ from, to }) => {
      if (taken.slice(from, to).includes(true)) return false;
      taken.fill(true, from, to);
      return true;
    })
    .sort((left, right) => left.from - right.from);
}
