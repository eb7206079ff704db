/** composer-mcp: a person's explicit choice of MCP servers and tools, from the menu to the provider request. */
import { z } from "zod";
import {
  CatalogueEntrySchema,
  type Inventory,
  InventorySchema,
  MenuPickSchema,
  REJECTION_CODES,
} from "../../runtime/core/contracts.ts";
import { PackError } from "../../runtime/core/errors.ts";
import { defineHandler, type HandlerContext } from "../../runtime/core/handler.ts";
import { catalogue, createMenu, pick, reportOf, submit } from "./composer.ts";

export {
  Activation,
  catalogue,
  createMenu,
  findTokens,
  formatInvocation,
  parseInvocation,
  pick,
  reportOf,
  submit,
} from "./composer.ts";

const common = {
  inventory: InventorySchema.optional().describe("The servers of now; default: those that the caller's session has"),
  commands: z
    .array(z.union([z.string(), z.object({ command: z.string(), kind: z.string().optional() })]))
    .optional()
    .describe("Aliases that exist already; they keep precedence"),
};

export const composerCatalog = defineHandler({
  name: "composer_catalog",
  description: "List what a person can choose in the composer: ready MCP servers and their tools, best match first",
  input: z.object({
    ...common,
    filter: z.string().optional().describe("What was typed so far"),
    limit: z.int().min(1).optional().describe("The most entries to give; default all"),
    pick: z.array(z.string()).optional().describe("Commands that were taken from the menu and are to be pinned"),
  }),
  output: z.object({
    entries: z.array(CatalogueEntrySchema),
    shadowed: z
      .array(z.object({ command: z.string(), by: z.string() }))
      .describe("Entries that lost their alias to a command that exists already"),
    skipped: z
      .array(
        z.object({
          mcpServerId: z.string(),
          tool: z.string().optional(),
          reason: z.enum(["unlistable", "confusable", "duplicate", "ambiguous"]),
        }),
      )
      .describe("What is there and cannot be told apart, or named by one token"),
    picks: z.array(MenuPickSchema).optional().describe("To keep until the message is sent, for composer_submit"),
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ inventory, commands, filter = "", limit = Number.POSITIVE_INFINITY, pick: picked }, context) => {
    const all = catalogue(inventoryOf(inventory, context), { commands });
    return {
      entries: createMenu(all).filter(filter, { limit }),
      ...reportOf(all),
      ...(picked !== undefined && { picks: all.filter(({ command }) => picked.includes(command)).map(pick) }),
    };
  },
});

export const composerSubmit = defineHandler({
  name: "composer_submit",
  description:
    "Check the /mcp selections of a message before it is sent: everything holds, or it is rejected with a reason",
  input: z.object({
    ...common,
    text: z.string().describe("The message as typed"),
    attachments: z.array(z.unknown()).optional().describe("Never read; any at all counts as a task"),
    picks: z
      .array(MenuPickSchema)
      .optional()
      .describe("What composer_catalog pinned when entries were taken from the menu"),
    mode: z.string().optional().describe("The mode's name, for the sentence of a rejection"),
    native: z.boolean().optional().describe("Whether the session runs natively, without managed tools"),
    allowed: z
      .array(z.string())
      .optional()
      .describe("What the mode allows: mcp__server__tool, mcp__server or mcp__server__*; default all"),
  }),
  // An object schema, as an MCP tool's output must be one; the fields of the other outcome are absent.
  output: z.object({
    ok: z.boolean(),
    command: z.string().optional().describe("The text as typed"),
    instruction: z.string().optional().describe("A short one for the model; empty where nothing was selected"),
    mcpServerIds: z
      .array(z.string())
      .optional()
      .describe("The selected servers; one without a tool in mcpToolNames is selected whole"),
    mcpToolNames: z.array(z.string()).optional().describe("Full host tool names of the tools selected one by one"),
    code: z.enum(REJECTION_CODES).optional().describe("Why the message is rejected"),
    message: z.string().optional().describe("The same for a person, with what to do"),
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ inventory, commands, mode, native, allowed, ...draft }, context) =>
    submit(draft, catalogue(inventoryOf(inventory, context), { commands }), { mode, native, allowed }),
});

function inventoryOf(given: Inventory | undefined, context: HandlerContext): Inventory {
  const inventory = given ?? context.inventory;
  if (inventory !== undefined) return inventory;
  throw new PackError("invalid-input", "There is no inventory to choose from", {
    fix: "Give the inventory, or run where servers are configured",
  });
}
