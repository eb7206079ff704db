import { defineCommand } from "citty";
import { PackError, printable } from "../core/errors.ts";
import { INVENTORY_ARGS, takeInventory } from "./inventory-options.ts";
import { formatTable, isTerminal, note, print, printJson, repeated } from "./io.ts";

export const command = defineCommand({
  meta: { name: "catalog", description: "List what a composer can offer: /mcp selections for ready servers and tools" },
  args: {
    filter: { type: "string", description: "What was typed so far; the best matches come first", valueHint: "text" },
    limit: { type: "string", description: "The most entries to list (default all)", valueHint: "number" },
    alias: {
      type: "string",
      description: "A command that exists already and keeps its alias; may be repeated",
      valueHint: "name",
    },
    ...INVENTORY_ARGS,
    json: { type: "boolean", description: "Print the entries as JSON" },
  },
  async run({ args, rawArgs }) {
    const limit = parseLimit(args.limit);
    const [{ inventory, exitCode }, { catalogue, createMenu, reportOf }] = await Promise.all([
      takeInventory(args, rawArgs),
      import("../../skills/composer-mcp/composer.ts"),
    ]);
    const all = catalogue(inventory, { commands: repeated(rawArgs, "alias") });
    const entries = createMenu(all).filter(args.filter ?? "", { limit });
    if (!args.quiet) {
      const { shadowed, skipped } = reportOf(all);
      for (const { command, by } of shadowed)
        note(`${printable(command)} is left out: it is the alias of another ${by}`);
      for (const { mcpServerId, tool, reason } of skipped) {
        note(`${printable(tool === undefined ? mcpServerId : `${mcpServerId}: ${tool}`)} is left out: ${reason}`);
      }
    }
    const rows = entries.map(({ command, title }) => [command, title].map((cell) => printable(cell, 400)));
    if (args.json) printJson(entries);
    else if (isTerminal()) print(await formatTable(["command", "title"], rows));
    else for (const row of rows) print(row.join("\t"));
    return exitCode;
  },
});

function parseLimit(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new PackError("usage", `--limit is "${printable(text)}"`, { fix: "Give a whole number from 1 up" });
}
