import { defineCommand } from "citty";
import { PackError } from "../core/errors.ts";
import { runHandler } from "../core/handler.ts";
import { INVENTORY_ARGS, takeInventory } from "./inventory-options.ts";
import { printJson, readJsonInput } from "./io.ts";

export const command = defineCommand({
  meta: {
    name: "submit",
    description: "Check a message's /mcp selections: { text, attachments?, picks?, mode?, native?, allowed? } in",
  },
  args: {
    input: { type: "string", description: "The message as JSON: a file, or - for stdin (default)", valueHint: "file" },
    ...INVENTORY_ARGS,
  },
  async run({ args, rawArgs }) {
    const { composerSubmit, findTokens } = await import("../../skills/composer-mcp/composer-mcp.ts");
    const message = await readJsonInput(args.input ?? "-");
    if (typeof message !== "object" || message === null || Array.isArray(message)) {
      throw new PackError("invalid-input", "The message is not a JSON object", {
        fix: 'Give { "text": "/mcp:server do it" }',
      });
    }
    const { text, inventory } = message as Record<string, unknown>;
    // A message without selections passes whatever is configured: no server is started for it.
    const selects = typeof text === "string" && findTokens(text).some(({ cited }) => !cited);
    const taken = inventory === undefined && selects ? await takeInventory(args, rawArgs) : undefined;
    const context = { inventory: taken?.inventory ?? { servers: [], problems: [] } };
    const outcome = await runHandler(composerSubmit, message, context);
    printJson(outcome);
    return outcome.ok ? (taken?.exitCode ?? 0) : 2;
  },
});
