/** The JSON Schemas of what a run hands on, made from the zod schemas of contracts.ts. */
import * as z from "zod/mini";
import { DiscoveryPayloadSchema, HandoffSchema, ResultsSchema } from "./contracts.ts";

export const SCHEMAS = {
  payload: { description: "The discovery payload: its five fields", schema: DiscoveryPayloadSchema },
  results: { description: "The body of the results fence: the payload and the query", schema: ResultsSchema },
  handoff: { description: "The handoff's four fields", schema: HandoffSchema },
} as const;

/** JSON Schema, draft 2020-12. */
export function jsonSchema(name: keyof typeof SCHEMAS): object {
  const { description, schema } = SCHEMAS[name];
  return { ...z.toJSONSchema(schema), title: name, description };
}
