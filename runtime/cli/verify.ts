import { defineCommand } from "citty";
import { copilotInstructions } from "./copilot-instructions.ts";
import { formatTable, isTerminal, print, printJson } from "./io.ts";

export const command = defineCommand({
  meta: {
    name: "verify",
    description:
      "Look whether the CLIs that the prompt and copilot-instructions name are installed: known ones only, by exact name",
  },
  args: {
    prompt: { type: "string", description: "The user's prompt" },
    json: { type: "boolean", description: "Print JSON" },
  },
  async run({ args }) {
    const [{ detectTools, KNOWN_CLIS }, { verifyPrograms }] = await Promise.all([
      import("../../skills/mcp-cli-discovery/discovery.ts"),
      import("../inventory/verify.ts"),
    ]);
    const { clis } = detectTools({ prompt: args.prompt ?? "", copilotInstructions: copilotInstructions() });
    const states = await verifyPrograms(
      clis.map(({ name }) => name),
      KNOWN_CLIS,
    );
    const verified = states.map((state, at) => ({ ...state, sources: clis[at]?.sources ?? [] }));
    if (args.json) printJson(verified);
    else {
      const rows = verified.map(({ name, state, version, sources }) => [
        name,
        state,
        sources.join(" | "),
        version ?? "",
      ]);
      if (isTerminal() && rows.length > 0) print(await formatTable(["cli", "state", "named by", "version"], rows));
      else for (const row of rows) print(row.join("\t"));
    }
    return 0;
  },
});
