/** On a prompt: `/mcp:` selections become context for the model, or the prompt is stopped with the sentence that says why. */
import { buildCatalogue } from "../../skills/composer-mcp/catalog.ts";
import { submitDraft } from "../../skills/composer-mcp/submit.ts";
import { knownInventory } from "./known-tools.ts";
import type { HookPayload } from "./payload.ts";
import type { HookOptions } from "./pre-tool-use.ts";

export type PromptAnswer = { context: string } | { block: string } | null;

export async function userPromptSubmit(
  { prompt }: HookPayload,
  { place, now, mode }: HookOptions,
): Promise<PromptAnswer> {
  if (prompt === undefined) return null;
  const inventory = await knownInventory(place, now);
  const submission = submitDraft({ text: prompt }, buildCatalogue(inventory), { mode });
  if (!submission.ok) {
    const unlisted = inventory.servers.length === 0;
    return {
      block: unlisted
        ? `${submission.message}. No server's tools are known yet: run mcp-skills tools in this project first`
        : submission.message,
    };
  }
  return submission.mcpServerIds.length === 0 ? null : { context: submission.instruction };
}
