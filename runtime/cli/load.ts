import { defineCommand } from "citty";
import type { Loaded, Tool } from "../core/contracts.ts";
import { printable } from "../core/errors.ts";
import { countOption } from "./count-option.ts";
import { formatTable, givenEach, isTerminal, note, print, printJson } from "./io.ts";
import { freeWords, TOOL_LIST_ARGS } from "./session-tools.ts";
import { usableTools } from "./usable-tools.ts";

/** How many deferred tools a person is shown by name. */
const SHOWN = 10;

const REASONS = {
  "not-installed": "is not installed",
  ambiguous: "stands for several tools; write the one as mcp__<server>__<tool>",
  repeated: "is pinned twice",
  "over-cap": "has no place left and stays deferred",
} as const;

export const command = defineCommand({
  meta: { name: "load", description: "Choose at most eight tools for an intent, and say what that saves" },
  args: {
    intent: { type: "positional", required: true, description: "What the user wants, in his own words" },
    ...TOOL_LIST_ARGS,
    pin: {
      type: "string",
      description: "Load this tool first; may be given several times",
      valueHint: "mcp__server__tool",
    },
    max: { type: "string", description: "The most tools to load (default and at most 8)", valueHint: "number" },
    profile: {
      type: "string",
      description: "Your own always-hot tools, bundles and routing rules: Markdown tables as in agi-mcp-discover",
      valueHint: "file",
    },
    json: { type: "boolean", description: "Print JSON" },
  },
  async run({ args, rawArgs }) {
    const max = countOption("max", args.max, 0);
    const pins = givenEach(rawArgs, "pin");
    const intent = freeWords(args._, rawArgs).join(" ");
    const profile =
      args.profile === undefined
        ? undefined
        : await (await import("../inventory/profile-file.ts")).readProfileFile(args.profile);
    const [{ createLoader, MAX_TOOLS }, { inventory, accessOf, exitCode }] = await Promise.all([
      import("../../skills/agi-mcp-discover/loading.ts"),
      usableTools(args, rawArgs),
    ]);
    const loaded = createLoader(inventory)(intent, { max, hot: pins, profile });
    const tokens = await tokensOf(
      inventory.servers.flatMap(({ state, tools }) => (state === "ready" ? tools : [])),
      loaded.tools,
    );
    const rows = loaded.tools.map((tool, at) => {
      const { name, by, matched } = loaded.chosen[at] as Loaded["chosen"][number];
      return { name, server: tool.server, tool: tool.name, access: accessOf(tool), by, matched };
    });
    if (args.json) {
      const { domain, deferred, unplaced } = loaded;
      printJson({ intent, ...(domain !== undefined && { domain }), loaded: rows, deferred, unplaced, tokens });
      return exitCode;
    }
    const cells = rows.map((row) =>
      [row.server, row.tool, row.access, why(row, loaded.domain)].map((cell) => printable(cell)),
    );
    if (cells.length > 0 && isTerminal()) print(await formatTable(["server", "tool", "access", "why"], cells));
    else for (const row of cells) print(row.join("\t"));
    if (args.quiet === true) return exitCode;
    // On a terminal all of it is what was asked for; a pipe gets the tools alone.
    const tell = isTerminal() ? print : note;
    if (max !== undefined && max > MAX_TOOLS) tell(`${MAX_TOOLS} is the most that are ever loaded`);
    for (const { name, reason } of loaded.unplaced) tell(`${printable(name)} ${REASONS[reason]}`);
    if (rows.length === 0) tell("Nothing fits this intent; try other words");
    tell(
      `About ${count(tokens.loaded)} tokens of declarations in place of ${count(tokens.all)}: ${count(tokens.saved)} saved`,
    );
    tell(deferredLine(loaded.deferred));
    return exitCode;
  },
});

interface Tokens {
  /** Estimated tokens of every tool's declaration, of those loaded, and what is not spent. */
  all: number;
  loaded: number;
  saved: number;
}

async function tokensOf(all: Tool[], loaded: Tool[]): Promise<Tokens> {
  const { tokenCounter } = await import("../inventory/tokens.ts");
  const tokens = await tokenCounter();
  const [whole, part] = [tokens(all), tokens(loaded)];
  return { all: whole, loaded: part, saved: whole - part };
}

function why({ by, matched }: Pick<Loaded["chosen"][number], "by" | "matched">, domain = ""): string {
  if (by === "search") return `matches ${matched.join(", ")}`;
  return { pin: "pinned", "always-hot": "always hot", domain: `of ${domain}` }[by];
}

function deferredLine(deferred: string[]): string {
  if (deferred.length === 0) return "No tool is deferred";
  const more = deferred.length - SHOWN;
  const names = deferred.slice(0, SHOWN).map((name) => printable(name));
  return `Deferred: ${names.join(", ")}${more > 0 ? ` and ${more} more; --json lists all` : ""}`;
}

function count(tokens: number): string {
  return tokens.toLocaleString("en-GB");
}
