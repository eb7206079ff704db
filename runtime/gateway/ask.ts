/** Asking the person behind a client, through MCP elicitation. Only an explicit accept is a yes. */
import type { ClientCapabilities } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod/mini";
import { PackError, printable } from "../core/errors.ts";
import { inertJson } from "../core/json-text.ts";
import type { RequestExtra } from "./feature.ts";

/** The largest arguments that a person is asked about, in characters as they are shown: what nobody reads, nobody approves. */
const MAX_SHOWN = 64 * 1024;

export interface Question {
  server: string;
  tool: string;
  args: Record<string, unknown>;
  /** Why it is asked, out of the gate. */
  reason: string;
}

/** Whether a client can show a question: `elicitation` without a mode means forms (MCP specification 2025-11-25). */
export function canAsk({ elicitation }: ClientCapabilities): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/**
 * The question as a person reads it: server, tool and arguments in full, with everything that hides, reorders or breaks lines
 * escaped. Throws a `PackError` `too-large` where the arguments are more than a person can look through.
 */
export function questionText({ server, tool, args, reason }: Question): string {
  const shown = inertJson(args, 2);
  if (shown.length > MAX_SHOWN) {
    throw new PackError("too-large", `The arguments are ${shown.length} characters long, too many to be approved`, {
      fix: "Split the call into smaller ones",
    });
  }
  const label = (name: string) => printable(name, Number.POSITIVE_INFINITY);
  return [
    "Run this call?",
    `Server: ${label(server)}`,
    `Tool: ${label(tool)}`,
    `Why you are asked: ${printable(reason, 500)}`,
    `Arguments: ${shown}`,
  ].join("\n");
}

/** What a client answers; more fields are its own matter. */
const AnswerSchema = z.looseObject({ action: z.string() });

/**
 * Asks, and gives `true` for an explicit accept; `false` for everything else: declined, cancelled, malformed. Throws where no
 * answer came in time or the client refused to ask.
 */
export async function askClient(text: string, extra: RequestExtra, timeoutMs: number): Promise<boolean> {
  const params = { message: text, requestedSchema: { type: "object" as const, properties: {} } };
  const answer = await extra.sendRequest({ method: "elicitation/create", params }, AnswerSchema, {
    timeout: timeoutMs,
    signal: extra.signal,
  });
  return answer.action === "accept";
}
