/** A tool as a client lists it: under its stable name, with its own schemas and hints, in a form that every client takes. */
import type { Tool as ClientTool } from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { Tool } from "../core/contracts.ts";
import { stableName } from "./stable-name.ts";

/** The largest output schema that is passed on, in characters: the client compiles it. */
const MAX_OUTPUT_SCHEMA = 64 * 1024;

export function clientTool(tool: Tool): ClientTool {
  const { server, name, title, description, annotations, inputSchema, outputSchema } = tool;
  const stable = stableName(server, name);
  const shown = title ?? (stable.endsWith(`__${name}`) ? undefined : name);
  return {
    name: stable,
    ...(shown !== undefined && { title: shown }),
    ...(description !== undefined && { description }),
    inputSchema: { ...inputSchema, type: "object" },
    ...(outputSchema !== undefined && compiles(tool) && { outputSchema: { ...outputSchema, type: "object" } }),
    ...(annotations !== undefined && { annotations }),
  };
}

const known = new WeakMap<Tool, boolean>();
let validator: AjvJsonSchemaValidator | undefined;

/** Whether a client can compile the output schema: for most clients, one that does not compile costs the whole list. */
function compiles(tool: Tool): boolean {
  const before = known.get(tool);
  if (before !== undefined) return before;
  let fits = false;
  try {
    if (JSON.stringify(tool.outputSchema).length <= MAX_OUTPUT_SCHEMA) {
      validator ??= new AjvJsonSchemaValidator();
      validator.getValidator(tool.outputSchema as never);
      fits = true;
    }
  } catch {
    // It stays out, and the results pass without it.
  }
  known.set(tool, fits);
  return fits;
}
