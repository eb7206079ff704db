import { defineCommand } from "citty";
import { PackError, printable } from "../core/errors.ts";
import { readPermissions } from "../inventory/permissions.ts";
import { formatTable, isTerminal, note, print, printJson } from "./io.ts";
import { freeWords, sessionTools, TOOL_LIST_ARGS } from "./session-tools.ts";

export const command = defineCommand({
  meta: { name: "tools", description: "Say of every MCP tool what it is for and whether it reads or writes" },
  args: {
    names: { type: "positional", required: false, description: "Qualified names, in place of a list" },
    ...TOOL_LIST_ARGS,
    capability: { type: "string", description: "Only tools for this: search, docs, email, …", valueHint: "name" },
    access: { type: "string", description: "Only tools that read, or only those that write", valueHint: "read|write" },
    server: { type: "string", description: "Only tools of this server", valueHint: "name" },
    trust: {
      type: "string",
      description: "strict: a server's own word never makes a read of a tool",
      valueHint: "default|strict",
    },
    json: { type: "boolean", description: "Print JSON" },
  },
  async run({ args, rawArgs }) {
    oneOf("access", args.access, ["read", "write"]);
    const trust = oneOf("trust", args.trust, ["default", "strict"]) as "default" | "strict" | undefined;
    const permissions = await readPermissions(process.cwd());
    const [{ classifyMcpTools, isDenied }, { tools, exitCode }] = await Promise.all([
      import("../../skills/using-mcp/judgements.ts"),
      sessionTools(args, rawArgs, freeWords(args._, rawArgs)),
    ]);
    const { servers } = classifyMcpTools(tools, { trust });
    const all = [...servers].flatMap(([server, entry]) => entry.tools.map((tool) => ({ server, ...tool })));
    const shown = all.filter(({ server, tool }) => !isDenied(permissions, server, tool));
    if (shown.length < all.length) {
      note(`${all.length - shown.length} tools are denied by the host's rules and left out`);
    }
    const rows = shown.filter(
      (row) =>
        (args.capability === undefined || row.capability === args.capability) &&
        (args.access === undefined || row.access === args.access) &&
        (args.server === undefined || row.server === args.server),
    );
    if (args.json) printJson(rows);
    else {
      const cells = rows.map((row) =>
        [row.server, row.tool, row.access, row.capability, row.evidence.join(", ")].map((cell) => printable(cell)),
      );
      if (isTerminal()) print(await formatTable(["server", "tool", "access", "capability", "by"], cells));
      else for (const row of cells) print(row.join("\t"));
    }
    return exitCode;
  },
});

function oneOf(option: string, value: string | undefined, known: string[]): string | undefined {
  if (value === undefined || known.includes(value)) return value;
  throw new PackError("usage", `--${option} is "${printable(value)}"`, { fix: `One of: ${known.join(", ")}` });
}
