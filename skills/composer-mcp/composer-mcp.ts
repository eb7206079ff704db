/** composer-mcp: a person's explicit choice of MCP servers and tools, from the menu to the provider request. */
import * as z from "zod/mini";
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
  inventory: z
    .optional(InventorySchema)
    .check(z.describe("The servers of now; default: those that the caller's session has")),
  commands: z
    .optional(z.array(z.union([z.string(), z.object({ command: z.string(), kind: z.optional(z.string()) })])))
    .check(z.describe("Aliases that exist already; they keep precedence")),
};

export const composerCatalog = defineHandler({
  name: "composer_catalog",
  description: "List what a person can choose in the composer: ready MCP servers and their tools, best match first",
  input: z.object({
    ...common,
    filter: z.optional(z.string()).check(z.describe("What was typed so far")),
    limit: z.optional(z.int().check(z.minimum(1))).check(z.describe("The most entries to give; default all")),
    pick: z
      .optional(z.array(z.string()))
      .check(z.describe("Commands that were taken from the menu and are to be pinned")),
  }),
  output: z.object({
    entries: z.array(CatalogueEntrySchema),
    shadowed: z
      .array(z.object({ command: z.string(), by: z.string() }))
      .check(z.describe("Entries that lost their alias to a command that exists already")),
    skipped: z
      .array(
        z.object({
          mcpServerId: z.string(),
          tool: z.optional(z.string()),
          reason: z.enum(["unlistable", "confusable", "duplicate", "ambiguous"]),
        }),
      )
      .check(z.describe("What is there and cannot be told apart, or named by one token")),
    picks: z
      .optional(z.array(MenuPickSchema))
      .check(z.describe("To keep until the message is sent, for composer_submit")),
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
    text: z.string().check(z.describe("The message as typed")),
    attachments: z.optional(z.array(z.unknown())).check(z.describe("Never read; any at all counts as a task")),
    picks: z
      .optional(z.array(MenuPickSchema))
      .check(z.describe("What composer_catalog pinned when entries were taken from the menu")),
    mode: z.optional(z.string()).check(z.describe("The mode's name, for the sentence of a rejection")),
    native: z.optional(z.boolean()).check(z.describe("Whether the session runs natively, without managed tools")),
    allowed: z
      .optional(z.array(z.string()))
      .check(z.describe("What the mode allows: mcp__server__tool, mcp__server or mcp__server__*; default all")),
  }),
  // An object schema, as an MCP tool's output must be one; the fields of the other outcome are absent.
  output: z.object({
    ok: z.boolean(),
    command: z.optional(z.string()).check(z.describe("The text as typed")),
    instruction: z
      .optional(z.string())
      .check(z.describe("A short one for the model; empty where nothing was selected")),
    mcpServerIds: z
      .optional(z.array(z.string()))
      .check(z.describe("The selected servers; one without a tool in mcpToolNames is selected whole")),
    mcpToolNames: z
      .optional(z.array(z.string()))
      .check(z.describe("Full host tool names of the tools selected one by one")),
    code: z.optional(z.enum(REJECTION_CODES)).check(z.describe("Why the message is rejected")),
    message: z.optional(z.string()).check(z.describe("The same for a person, with what to do")),
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
