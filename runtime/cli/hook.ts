import { defineCommand } from "citty";
import { runHook } from "../hooks/run-hook.ts";

export const command = defineCommand({
  meta: {
    name: "hook",
    description: "Answer a host's hook: its JSON on stdin, allow, ask or deny on stdout. install --hooks sets it up",
  },
  args: {
    event: { type: "positional", required: true, description: "pre-tool-use, user-prompt-submit or session-start" },
    mode: {
      type: "string",
      description: "How the session runs",
      valueHint: "interactive|autonomous-guardrailed|fully-agentic",
    },
    log: {
      type: "string",
      description: "The decision log (default: MCP_SKILLS_LOG, or the user's state folder)",
      valueHint: "file",
    },
  },
  run: ({ rawArgs }) => runHook(rawArgs),
});
