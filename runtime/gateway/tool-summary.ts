/** A tool in a few words for a model that does not see its declaration: what it takes, what it does, whether it writes. */
import { suspicionOf } from "../../skills/using-mcp/judgements.ts";
import type { Tool } from "../core/contracts.ts";
import { printable } from "../core/errors.ts";
import type { Book } from "./book.ts";
import { stableName } from "./stable-name.ts";

export interface ToolSummary {
  name: string;
  access: "read" | "write";
  /** What it takes: `path: string, head?: number`. */
  arguments: string;
  /** The beginning of its description; absent where there is none or it should not be read. */
  description?: string;
}

const MAX_ARGUMENTS = 12;
const MAX_DESCRIPTION = 200;

export function toolSummary(book: Book, tool: Tool): ToolSummary {
  const description = descriptionOf(tool);
  return {
    name: stableName(tool.server, tool.name),
    access: accessOf(book, tool),
    arguments: argumentsOf(tool),
    ...(description !== undefined && { description }),
  };
}

export function accessOf(book: Book, { server, name }: Tool): "read" | "write" {
  return (
    book
      .classified()
      .servers.get(server)
      ?.tools.find(({ tool }) => tool === name)?.access ?? "write"
  );
}

/** The first sentence or line. A text that gives the model orders, or hides something, is left out. */
function descriptionOf({ description, title }: Tool): string | undefined {
  const text = description ?? title;
  if (text === undefined || suspicionOf(text) !== null) return undefined;
  const first =
    text
      .trimStart()
      .slice(0, MAX_DESCRIPTION * 2)
      .split(/\n|(?<=[.!?])\s/, 1)[0] ?? "";
  return first === "" ? undefined : printable(first, MAX_DESCRIPTION);
}

/** Names and types of the properties, the required ones without `?`. */
function argumentsOf({ inputSchema }: Tool): string {
  const { properties, required } = inputSchema ?? {};
  if (typeof properties !== "object" || properties === null) return "";
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  const names = Object.keys(properties).sort((left, right) => Number(needed.has(right)) - Number(needed.has(left)));
  const shown = names.slice(0, MAX_ARGUMENTS).map((name) => {
    const type = typeOf((properties as Record<string, unknown>)[name]);
    return `${printable(name, 60)}${needed.has(name) ? "" : "?"}: ${type}`;
  });
  if (names.length > MAX_ARGUMENTS) shown.push(`and ${names.length - MAX_ARGUMENTS} more`);
  return shown.join(", ");
}

function typeOf(schema: unknown): string {
  const { type, enum: values, items } = (schema ?? {}) as Record<string, unknown>;
  if (Array.isArray(values)) {
    const shown = values.slice(0, 8).map((value) => printable(JSON.stringify(value) ?? "null", 40));
    return `${shown.join(" | ")}${values.length > 8 ? " | …" : ""}`;
  }
  if (type === "array") return `${items === undefined ? "any" : typeOf({ ...(items as object), items: undefined })}[]`;
  if (typeof type === "string") return printable(type, 20);
  return Array.isArray(type) ? printable(type.join(" | "), 60) : "any";
}
