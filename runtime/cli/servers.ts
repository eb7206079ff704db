import { defineCommand } from "citty";
import { describeError, printable } from "../core/errors.ts";
import { homeFolder } from "../core/home-folder.ts";
import type { Configured, ServerConfig } from "../inventory/server-config.ts";
import { CONFIG_ARGS, readConfig } from "./config-options.ts";
import { colour, formatTable, isTerminal, note, print, printJson } from "./io.ts";

export const command = defineCommand({
  meta: { name: "servers", description: "List every configured MCP server, and start none" },
  args: { ...CONFIG_ARGS, json: { type: "boolean", description: "Print JSON" } },
  async run({ args, rawArgs }) {
    const configured = await readConfig(args, rawArgs);
    if (args.json) {
      printJson(describeConfigured(configured));
      return 0;
    }
    for (const problem of configured.problems) note(`warning: ${describeError(problem)}`);
    const rows = configured.servers.map(cellsOf);
    if (!isTerminal()) for (const row of rows) print(row.join("\t"));
    else if (rows.length === 0) print("No MCP server is configured.");
    else print(await serverTable(configured.servers, rows));
    return 0;
  },
});

/** What is configured, without targets: no command, address, header or environment is part of it. */
function describeConfigured({ servers, problems }: Configured) {
  return {
    servers: servers.map(({ name, state, transport, origins, reason, allowTools, denyTools }) => ({
      name,
      state,
      transport: transport ?? null,
      host: origins[0]?.host ?? null,
      file: origins[0]?.file ?? null,
      origins,
      ...(reason && { reason: reason.message, fix: reason.fix }),
      ...(allowTools && { allowTools }),
      ...(denyTools && { denyTools }),
    })),
    problems: problems.map((problem) => problem.toJSON()),
  };
}

function cellsOf({ name, state, transport, origins, reason }: ServerConfig): string[] {
  const hosts = [...new Set(origins.map(({ host }) => host))].join(", ");
  const files = [...new Set(origins.map(({ file }) => shortPath(file)))].join(", ");
  return [printable(name, 60), state, transport ?? "-", hosts, printable(files, 300), reason?.message ?? ""];
}

function serverTable(servers: ServerConfig[], rows: string[][]): Promise<string> {
  const colours = {
    enabled: "green",
    disabled: "gray",
    shadowed: "gray",
    invalid: "red",
    "needs-env": "yellow",
    "needs-input": "yellow",
    "needs-approval": "yellow",
  } as const;
  return formatTable(
    ["server", "state", "transport", "host", "file and why"],
    rows.map(([name = "", state = "", transport = "", hosts = "", files = "", why = ""], at) => [
      name,
      colour(colours[servers[at]?.state ?? "invalid"], state),
      transport,
      hosts,
      why === "" ? files : `${files}: ${why}`,
    ]),
  );
}

/** A path under the home as `~/…`. */
export function shortPath(path: string): string {
  const home = homeFolder();
  return path.startsWith(`${home}/`) || path.startsWith(`${home}\\`) ? `~${path.slice(home.length)}` : path;
}
