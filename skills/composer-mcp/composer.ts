/**
 * The composer's own functions. Commands that only offer or check selections import this module: the handlers beside it bring
 * the schema library, which costs more than all the rest of a start.
 */
import type { CatalogueEntry, Inventory, Submission } from "../../runtime/core/contracts.ts";
import { buildCatalogue, type CatalogueOptions } from "./catalog.ts";
import { type Draft, type SubmitOptions, submitDraft } from "./submit.ts";

export { Activation } from "./activation.ts";
export { pick, reportOf } from "./catalog.ts";
export { formatInvocation, parseInvocation } from "./invocation.ts";
export { createMenu } from "./menu.ts";
export { findTokens } from "./prompt-tokens.ts";

/**
 * The composer's menu: ready servers with tools and each of their tools, in an order that does not depend on the
 * inventory's. Entries whose command is among `commands` are left out; {@link reportOf} tells which.
 */
export function catalogue(inventory: Inventory, options: CatalogueOptions = {}): CatalogueEntry[] {
  return buildCatalogue(inventory, options);
}

/**
 * Checks a message's selections against the catalogue of now: all of them hold, or the message is rejected with a typed code
 * and a sentence. A message without selections passes as it is. Never throws.
 */
export function submit(draft: Draft, entries: readonly CatalogueEntry[], options: SubmitOptions = {}): Submission {
  return submitDraft(draft, entries, options);
}
