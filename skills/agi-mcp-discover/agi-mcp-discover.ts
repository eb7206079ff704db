/** agi-mcp-discover: at most eight tools for an intent, the same ones every time. */
import * as z from "zod/mini";
import { InventorySchema, LoadedSchema } from "../../runtime/core/contracts.ts";
import { defineHandler } from "../../runtime/core/handler.ts";
import { classifyIntent, discover, loadTools, MAX_TOOLS } from "./loading.ts";

export {
  ALWAYS_HOT,
  classifyIntent,
  createLoader,
  discover,
  type LoadOptions,
  loadTools,
  MAX_TOOLS,
  ON_DEMAND,
  type Profile,
} from "./loading.ts";
export { readProfile } from "./profile-tables.ts";

export const discoverHandler = defineHandler({
  name: "agi_mcp_discover",
  description: "Route an intent to a task domain and name the tools to load for it, at most eight",
  input: z.object({
    intent: z.optional(z.string()),
    domain: z.optional(z.string()).check(z.describe("Skips the routing")),
  }),
  output: z.object({ domain: z.string(), tools: z.array(z.string()).check(z.maxLength(MAX_TOOLS)) }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ intent = "", domain = classifyIntent(intent) }) => ({ domain, tools: discover(domain, intent) }),
});

export const loadHandler = defineHandler({
  name: "load_tools",
  description: "Choose the tools of an inventory to load for an intent, at most eight, and say what stays deferred",
  input: z.object({
    inventory: InventorySchema,
    intent: z.string(),
    max: z.optional(z.int().check(z.minimum(0)).check(z.maximum(MAX_TOOLS))),
    hot: z.optional(z.array(z.string())).check(z.describe("Pins: qualified names to load first")),
  }),
  output: z.object({
    loaded: z.array(z.string()).check(z.maxLength(MAX_TOOLS)),
    deferred: z.array(z.string()),
    unplaced: LoadedSchema.shape.unplaced.check(z.describe("Pins that took no place of their own, and why")),
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ inventory, intent, max, hot }) => {
    const { chosen, deferred, unplaced } = loadTools(inventory, intent, { max, hot });
    return { loaded: chosen.map(({ name }) => name), deferred, unplaced };
  },
});
