/** A tool as a client lists it: under its stable name, with its own schemas and hints, in a form that every client takes. */
import type { Tool as ClientTool } from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { Tool } from "../core/contracts.ts";
import { stableName } from "./stable-name.ts";
import { inSight, withTextsInSight } from "./text-in-sight.ts";

/** The largest output schema that is passed on, in characters: the client compiles it. */
const MAX_OUTPUT_SCHEMA = 64 * 1024;

const made = new WeakMap<Tool, ClientTool>();

export function clientTool(tool: Tool): ClientTool {
  const known = made.get(tool) ?? makeTool(tool);
  made.set(tool, known);
  return known;
}

function makeTool(tool: Tool): ClientTool {
  const { server, name, title, description, annotations, inputSchema, outputSchema } = tool;
  const stable = stableName(server, name);
  const shown = title ?? (stable.endsWith(`__${name}`) ? undefined : name);
  const schema = (own: Record<string, unknown> | undefined) => ({
    ...(withTextsInSight(own ?? {}) as object),
    type: "object" as const,
  });
  return {
    name: stable,
    ...(shown !== undefined && { title: inSight(shown) }),
    ...(description !== undefined && { description: inSight(description) }),
    inputSchema: schema(inputSchema),
    ...(outputSchema !== undefined && compiles(outputSchema) && { outputSchema: schema(outputSchema) }),
    ...(annotations !== undefined && { annotations: withTextsInSight(annotations) as typeof annotations }),
  };
}

let validator: AjvJsonSchemaValidator | undefined;

/** Whether a client can compile the output schema: for most clients, one that does not compile costs the whole list. */
function compiles(schema: Record<string, unknown>): boolean {
  try {
    if (JSON.stringify(schema).length > MAX_OUTPUT_SCHEMA) return false;
    validator ??= new AjvJsonSchemaValidator();
    validator.getValidator(schema as never);
    return true;
  } catch {
    // It stays out, and the results pass without it.
    return false;
  }
}
