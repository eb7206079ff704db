import { defineCommand } from "citty";
import { describeError, PackError } from "../core/errors.ts";
import { runHandler } from "../core/handler.ts";
import { readPermissions } from "../inventory/permissions.ts";
import { note, printJson, readJsonInput } from "./io.ts";
import { logTo } from "./log-file.ts";

export const command = defineCommand({
  meta: {
    name: "gate",
    description: "Decide for one MCP call: { tool, args, mode?, permissions? } in, { decision, reason, evidence } out",
  },
  args: {
    input: { type: "string", description: "The call as JSON: a file, or - for stdin (default)", valueHint: "file" },
    mode: {
      type: "string",
      description: "How the session runs",
      valueHint: "interactive|autonomous-guardrailed|fully-agentic",
    },
    ask: { type: "boolean", default: true, description: "A person can be asked; --no-ask makes every confirm a deny" },
    log: { type: "string", description: "Append the decision to this file, one JSON record a line", valueHint: "file" },
  },
  async run({ args }) {
    const { gateCall, joinPermissions, permissionProblems } = await import("../../skills/using-mcp/using-mcp.ts");
    const call = await readJsonInput(args.input ?? "-");
    if (typeof call !== "object" || call === null || Array.isArray(call)) {
      throw new PackError("invalid-input", "The call is not a JSON object", {
        fix: 'Give { "tool": { "name": "mcp__server__tool" }, "args": { … } }',
      });
    }
    const { tool, permissions, canAsk, ...rest } = call as Record<string, unknown>;
    const joined = joinPermissions(await readPermissions(process.cwd()), permissions);
    for (const problem of permissionProblems(joined)) {
      const error = new PackError("bad-rule", `The ${problem.list} rule "${problem.rule}" ${problem.message}`);
      if (problem.list !== "allow") throw error;
      note(`warning: ${describeError(error)}`);
    }
    const input = {
      ...rest,
      tool: typeof tool === "string" ? { name: tool } : tool,
      permissions: joined,
      canAsk: canAsk !== false && args.ask,
      ...(args.mode === undefined ? {} : { mode: args.mode }),
    };
    printJson(await runHandler(gateCall, input, { now: Date.now, log: logTo(args.log) }));
    return 0;
  },
});
