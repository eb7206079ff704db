import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineCommand } from "citty";
import * as z from "zod/mini";
import { FailureSchema, ModeSchema, PermissionsSchema, ServerSchema } from "../core/contracts.ts";
import { PackError } from "../core/errors.ts";
import { issuesOf } from "../core/handler.ts";
import { runFlow, type Trace } from "../flow.ts";
import { print } from "./io.ts";

/** A case's first file: what the sources say, and what each tool would answer. */
const SourcesSchema = z.strictObject({
  prompt: z._default(z.string(), ""),
  intent: z._default(z.string(), ""),
  capability: z._default(z.string(), ""),
  copilotInstructions: z._default(z.string(), ""),
  harnessTools: z._default(z.array(z.string()), []),
  present: z._default(z.array(z.string()), []),
  mode: z.optional(ModeSchema),
  permissions: z.optional(PermissionsSchema),
  servers: z._default(z.array(ServerSchema), []),
  answers: z._default(z.record(z.string(), z.union([z.strictObject({ failure: FailureSchema }), z.json()])), {}),
});

export const command = defineCommand({
  meta: { name: "trace", description: "Run the flow on a case's 1-sources.json and show what every stage makes of it" },
  args: {
    folder: { type: "positional", required: true, description: "A folder with 1-sources.json" },
    write: { type: "boolean", description: "Write the stages into the folder instead of printing them" },
  },
  async run({ args }) {
    for (const [name, text] of await traceCase(args.folder)) {
      if (args.write) writeFileSync(join(args.folder, name), text);
      else print(`── ${name}\n${text}`);
    }
    return 0;
  },
});

/** The stages after the first, by file name, as text. */
export async function traceCase(folder: string): Promise<[name: string, text: string][]> {
  const file = join(folder, "1-sources.json");
  const { servers, answers, mode, permissions, ...sources } = readSources(file);
  const trace = await runFlow(
    { ...sources, inventory: { servers, problems: [] }, ...(mode && { mode }), ...(permissions && { permissions }) },
    async ({ server, name }) => {
      const answer = answers[`${server}/${name}`] ?? null;
      const failed = FailureSchema.safeParse((answer as { failure?: unknown } | null)?.failure);
      return {
        server,
        tool: name,
        ...(failed.success ? { ok: false, failure: failed.data } : { ok: true, result: answer as never }),
      };
    },
  );
  return stagesOf(trace);
}

function stagesOf(trace: Trace): [string, string][] {
  const json = (value: unknown) =>
    `${JSON.stringify(value, (_key, item) => (item instanceof Map || item instanceof Set ? [...item] : item), 2)}\n`;
  const { inventory, detection, classified, route, loaded, selected, decisions, message } = trace;
  const handoffAt = message.indexOf("```handoff");
  return [
    ["2-inventory.json", json(inventory)],
    ["3-classified.json", json({ detection, ...classified })],
    [
      "4-chosen.json",
      json({
        route,
        loaded: loaded.tools.map(({ server, name }) => `${server}/${name}`),
        deferred: loaded.deferred,
        selected,
      }),
    ],
    ["5-gate.json", json(decisions.map(({ tool: _tool, ...decision }) => decision))],
    ["6-results.md", message.slice(0, handoffAt)],
    ["7-handoff.md", message.slice(handoffAt)],
  ];
}

function readSources(file: string): z.output<typeof SourcesSchema> {
  let raw: unknown;
  try {
    raw = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new PackError("unreadable", "The case cannot be read", {
      file,
      fix: "Give a folder with a valid 1-sources.json",
      cause,
    });
  }
  const checked = SourcesSchema.safeParse(raw);
  if (checked.success) return checked.data;
  throw new PackError("bad-case", `The case does not fit: ${issuesOf(checked.error)}`, {
    file,
    fix: "See test/golden for cases",
  });
}
