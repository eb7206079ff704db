/** A handler in words, out of its definition: the command's help and its part of the reference page. */
import { type Handler, handlerSchemas } from "./core/handler.ts";
import type { Pack } from "./pack.ts";

interface Schema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  default?: unknown;
}

/** For `mcp-skills run <handler> --help`. */
export function describeHandler(handler: Handler): string {
  const { inputSchema, outputSchema } = handlerSchemas(handler) as { inputSchema: Schema; outputSchema: Schema };
  const lines = (schema: Schema) =>
    fieldsOf(schema).map(({ name, type, note }) => `  ${name}  ${type}${note && `  ${note}`}`);
  return [
    `${handler.name}: ${handler.description}`,
    "",
    `Usage: mcp-skills run ${handler.name} [--input JSON|FILE]   (default: JSON on stdin)`,
    "",
    "Input:",
    ...lines(inputSchema),
    "",
    "Output:",
    ...lines(outputSchema),
    "",
    `Both as JSON Schema: mcp-skills run ${handler.name} --schema`,
  ].join("\n");
}

/** The reference page of a pack, in Markdown. */
export function referencePage(pack: Pack): string {
  const parts = [
    "# Handlers",
    "",
    "Written by `bun run docs` from the handlers' definitions; a test holds it to them.",
    "",
  ];
  for (const skill of pack.skills) {
    parts.push(`## ${skill.name}`, "");
    for (const name of skill.handlers) {
      const handler = pack.handlers.get(name);
      if (handler !== undefined) parts.push(...describeInMarkdown(handler));
    }
  }
  return `${parts.join("\n").trimEnd()}\n`;
}

function describeInMarkdown(handler: Handler): string[] {
  const { inputSchema, outputSchema } = handlerSchemas(handler) as { inputSchema: Schema; outputSchema: Schema };
  const access = handler.annotations.readOnlyHint === true ? "Reads only." : "May change something.";
  return [
    `### ${handler.name}`,
    "",
    `${handler.description}. ${access}`,
    "",
    ...table("input", inputSchema),
    ...table("output", outputSchema),
  ];
}

function table(title: string, schema: Schema): string[] {
  const rows = fieldsOf(schema).map(({ name, type, note }) =>
    `| \`${name}\` | ${type} | ${note} |`.replaceAll(" |  |", " | |"),
  );
  return [`| ${title} | type | |`, "|---|---|---|", ...rows.map((row) => row.replaceAll("\n", " ")), ""];
}

function fieldsOf(schema: Schema): { name: string; type: string; note: string }[] {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name: schema.required?.includes(name) ? name : `${name}?`,
    type: typeOf(field),
    note: [field.description, field.default === undefined ? "" : `default ${JSON.stringify(field.default)}`]
      .filter(Boolean)
      .join("; "),
  }));
}

function typeOf(schema: Schema): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(", ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(" or ");
  if (schema.type === "array") return `list of ${schema.items === undefined ? "anything" : typeOf(schema.items)}`;
  return schema.type === undefined ? "anything" : [schema.type].flat().join(" or ");
}
