import { defineCommand } from "citty";
import { printable } from "../core/errors.ts";
import { splitQualifiedName } from "../core/tool.ts";
import { readPermissions } from "../inventory/permissions.ts";
import { print, printJson, repeated } from "./io.ts";
import { logTo } from "./log-file.ts";
import { sessionTools, TOOL_LIST_ARGS } from "./session-tools.ts";

export const command = defineCommand({
  meta: { name: "route", description: "Say what serves a capability: a skill, an MCP tool, or the agent's own tools" },
  args: {
    capability: { type: "positional", required: true, description: "What is needed: search, docs, browser, …" },
    ...TOOL_LIST_ARGS,
    present: { type: "string", description: "Skills that are present; may be given several times", valueHint: "skill" },
    log: { type: "string", description: "Append the choice to this file, one JSON record a line", valueHint: "file" },
    json: { type: "boolean", description: "Print JSON" },
  },
  async run({ args, rawArgs }) {
    const permissions = await readPermissions(process.cwd());
    const [{ classifyMcpTools, isDenied, logRoute, routeCapability }, { tools, exitCode }] = await Promise.all([
      import("../../skills/using-mcp/judgements.ts"),
      sessionTools(args, rawArgs),
    ]);
    const usable = tools.filter(({ name }) => {
      const parsed = splitQualifiedName(name);
      return parsed !== null && !isDenied(permissions, parsed.server, parsed.tool);
    });
    const route = routeCapability(classifyMcpTools(usable), args.capability, { present: repeated(rawArgs, "present") });
    logTo(args.log)(logRoute(args.capability, route, Date.now()));
    if (args.json) printJson(route);
    else if (route.via === "named") print(`named\t${route.skill}`);
    else if (route.via === "mcp")
      print(["mcp", printable(route.server), printable(route.tool), route.access].join("\t"));
    else print("native");
    return exitCode;
  },
});
