/** What goes into the gateway's own tools, checked, and what comes out of them. */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { PackError } from "../core/errors.ts";

/** An argument that has to be text. Throws a `PackError` `invalid-input`. */
export function textArgument(args: Record<string, unknown>, key: string): string {
  const value = Object.hasOwn(args, key) ? args[key] : undefined;
  if (typeof value === "string" && value.trim() !== "") return value;
  throw new PackError("invalid-input", `"${key}" is missing`, { fix: "Give it as text" });
}

/** Data as a result, for a program and as text for a model. */
export function dataResult(data: Record<string, unknown>): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(data) }], structuredContent: data };
}
