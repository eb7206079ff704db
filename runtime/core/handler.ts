/**
 * A handler is the one definition from which the typed function, the command, the MCP tool and the reference page come.
 */
import * as z from "zod/mini";
import type { Inventory, LogRecord } from "./contracts.ts";
import { PackError, printable } from "./errors.ts";

/** What a handler may need from outside. Skills do no I/O, so whoever runs a handler brings it. */
export interface HandlerContext {
  /** The servers and tools of this run, where the caller has them. */
  inventory?: Inventory | undefined;
  /** The host's clock, in milliseconds since 1970. */
  now?: (() => number) | undefined;
  /** Takes one decision record. */
  log?: ((record: LogRecord) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface HandlerAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

export interface HandlerDefinition<Input extends z.core.$ZodType, Output extends z.core.$ZodType> {
  /** The MCP tool's name and the argument of `mcp-skills run`: lower-case words joined by `_`. */
  name: string;
  /** What it does and when to use it, for a model and for `--help`. */
  description: string;
  /** An object schema: it becomes the MCP tool's `inputSchema`. */
  input: Input;
  /** An object schema: it becomes the MCP tool's `outputSchema`. */
  output: Output;
  annotations: HandlerAnnotations;
  run(input: z.output<Input>, context: HandlerContext): z.input<Output> | Promise<z.input<Output>>;
}

const BRAND = Symbol.for("mcp-skill-pack.handler");

export type Handler<
  Input extends z.core.$ZodType = z.core.$ZodType,
  Output extends z.core.$ZodType = z.core.$ZodType,
> = HandlerDefinition<Input, Output> & { readonly [BRAND]: true };

/** Returns its argument, marked. Nothing is registered by side effect: `pack.ts` finds handlers among a module's exports. */
export function defineHandler<Input extends z.core.$ZodType, Output extends z.core.$ZodType>(
  definition: HandlerDefinition<Input, Output>,
): Handler<Input, Output> {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(definition.name)) {
    throw new PackError("bad-handler-name", `"${definition.name}" cannot name a handler`, {
      fix: "Use lower-case letters, digits and underscores, a letter first, 64 at most",
    });
  }
  return Object.assign(definition, { [BRAND]: true as const });
}

export function isHandler(value: unknown): value is Handler {
  return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[BRAND] === true;
}

/**
 * Runs a handler on input that is not trusted to fit. Throws nothing but a `PackError`: `invalid-input` that names the
 * wrong fields, `invalid-output` where the handler broke its contract, `handler-failed` where it threw anything else.
 */
export async function runHandler<Input extends z.core.$ZodType, Output extends z.core.$ZodType>(
  handler: HandlerDefinition<Input, Output>,
  input: unknown,
  context: HandlerContext = {},
): Promise<z.output<Output>> {
  const { name } = handler;
  const checked = fitting(handler.input, input, (why) => {
    const fix = `See mcp-skills run ${name} --help for its schema`;
    return new PackError("invalid-input", `The input of ${name} does not fit: ${why}`, { fix });
  });
  const result = await produced(handler, checked, context);
  return fitting(
    handler.output,
    result,
    (why) => new PackError("invalid-output", `The output of ${name} breaks its contract: ${why}`),
  );
}

/** The value as its schema gives it. A value that nests too deep for a schema to walk, or throws when it is read, does not fit. */
function fitting<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
  refuse: (why: string) => PackError,
): z.output<Schema> {
  let checked: z.core.util.SafeParseResult<z.output<Schema>>;
  try {
    checked = z.safeParse(schema, value);
  } catch (error) {
    throw refuse(messageOf(error));
  }
  if (checked.success) return checked.data;
  throw refuse(issuesOf(checked.error));
}

async function produced<Input extends z.core.$ZodType, Output extends z.core.$ZodType>(
  handler: HandlerDefinition<Input, Output>,
  input: z.output<Input>,
  context: HandlerContext,
): Promise<unknown> {
  try {
    return await handler.run(input, context);
  } catch (cause) {
    if (cause instanceof PackError) throw cause;
    throw new PackError("handler-failed", `${handler.name} failed: ${messageOf(cause)}`, { cause });
  }
}

function messageOf(error: unknown): string {
  return printable(error instanceof Error ? error.message : String(error));
}

const MAX_ISSUES = 20;

/** `path: message` for each issue, joined by `; `: what a person needs to mend the value. At most twenty, and printable. */
export function issuesOf(error: z.core.$ZodError): string {
  const shown = error.issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => printable(path.length === 0 ? message : `${path.join(".")}: ${message}`, 300));
  const more = error.issues.length - shown.length;
  return `${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

/** Both JSON Schemas of a handler (draft 2020-12), as MCP's `tools/list` wants them. */
export function handlerSchemas(handler: Handler): { inputSchema: object; outputSchema: object } {
  return {
    inputSchema: z.toJSONSchema(handler.input, { io: "input" }),
    outputSchema: z.toJSONSchema(handler.output, { io: "output" }),
  };
}

/** Handlers by name. Adding one whose name is taken throws `duplicate-handler`. */
export class HandlerRegistry {
  readonly #handlers = new Map<string, Handler>();

  add(handler: Handler): void {
    if (this.#handlers.has(handler.name)) {
      throw new PackError("duplicate-handler", `Two handlers are called "${handler.name}"`, {
        fix: "Rename one of them",
      });
    }
    this.#handlers.set(handler.name, handler);
  }

  get(name: string): Handler | undefined {
    return this.#handlers.get(name);
  }

  /** In the order in which they were added. */
  all(): Handler[] {
    return [...this.#handlers.values()];
  }
}
