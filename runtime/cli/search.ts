import { defineCommand } from "citty";
import { PackError, printable } from "../core/errors.ts";
import { qualifiedName } from "../core/tool.ts";
import { countOption } from "./count-option.ts";
import { formatTable, isTerminal, note, print, printJson } from "./io.ts";
import { freeWords, TOOL_LIST_ARGS } from "./session-tools.ts";
import { usableTools } from "./usable-tools.ts";

export const command = defineCommand({
  meta: { name: "search", description: "Find MCP tools by what they do, with why each matched" },
  args: {
    query: { type: "positional", required: true, description: "What a tool should do, in a few words" },
    ...TOOL_LIST_ARGS,
    limit: { type: "string", description: "The most tools to print (default 8)", valueHint: "number" },
    json: { type: "boolean", description: "Print JSON" },
  },
  async run({ args, rawArgs }) {
    const limit = countOption("limit", args.limit, 1);
    const query = freeWords(args._, rawArgs).join(" ");
    if (query.trim() === "") throw new PackError("usage", "The query is empty", { fix: "Say what a tool should do" });
    const [{ createToolIndex }, { inventory, accessOf, exitCode }] = await Promise.all([
      import("../search/index.ts"),
      usableTools(args, rawArgs),
    ]);
    const index = createToolIndex(inventory.servers.flatMap(({ state, tools }) => (state === "ready" ? tools : [])));
    const rows = index.search(query, { limit: limit ?? 8 }).map(({ tool, score, matched }) => ({
      name: qualifiedName(tool.server, tool.name),
      server: tool.server,
      tool: tool.name,
      access: accessOf(tool),
      score: Math.round(score * 100) / 100,
      matched,
      ...(tool.description !== undefined && { description: tool.description }),
    }));
    if (args.json) printJson(rows);
    else {
      const cells = rows.map(({ server, tool, access, matched }) =>
        [server, tool, access, matched.join(", ")].map((cell) => printable(cell)),
      );
      if (cells.length > 0 && isTerminal()) print(await formatTable(["server", "tool", "access", "matches"], cells));
      else for (const row of cells) print(row.join("\t"));
    }
    if (rows.length === 0 && args.quiet !== true) note(`None of ${index.size} tools matches; try other words`);
    return exitCode;
  },
});
