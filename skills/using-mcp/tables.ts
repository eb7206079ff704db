/** The tables of this skill's SKILL.md as data. */
import * as z from "zod/mini";
import { listCell, type Tables, tableRows } from "../../runtime/core/tables.ts";
import { type AccessWords, CARRIERS, ROLES, workOutAccess } from "./access-words.ts";
import { type CapabilityWords, workOutCapabilities } from "./capability.ts";
import { ARGUMENT_KINDS, type IrreversibleWords, workOutIrreversible } from "./irreversible.ts";
import type { NamedProvider } from "./route.ts";

/** Everything that the skill reads from its SKILL.md, worked out, as plain JSON. */
export interface UsingMcpRows {
  access: AccessWords;
  capabilities: CapabilityWords[];
  providers: NamedProvider[];
  irreversible: IrreversibleWords;
}

const words = z.pipe(
  z.string(),
  z.transform((cell) => listCell(cell)),
);
const what = z.string().check(z.minLength(1, "must say what is lost"));
const capability = z.string().check(z.regex(/^[a-z][a-z0-9-]*$/, "must be lower-case words joined by hyphens"));

export function readUsingMcpTables(tables: Tables): UsingMcpRows {
  const role = z.enum(ROLES);
  return {
    access: workOutAccess({
      words: tableRows(tables, "Access words", z.object({ role, words })),
      phrases: tableRows(
        tables,
        "Access phrases",
        z.object({ phrase: z.string().check(z.minLength(1)), role: z.union([role, z.literal("noun")]) }),
      ),
      carriers: tableRows(tables, "Telling properties", z.object({ kind: z.enum(CARRIERS), properties: words })),
      suspicious: tableRows(tables, "Suspicious phrases", z.object({ phrase: z.string().check(z.minLength(1)) })).map(
        ({ phrase }) => phrase,
      ),
    }),
    capabilities: workOutCapabilities(
      tableRows(tables, "Capabilities", z.object({ capability, products: words, servers: words, words, hints: words })),
    ),
    providers: tableRows(
      tables,
      "Named providers",
      z.object({ capability, provider: z.string().check(z.minLength(1)), skill: z.string().check(z.minLength(1)) }),
    ),
    irreversible: workOutIrreversible({
      arguments: tableRows(tables, "Irreversible arguments", z.object({ kind: z.enum(ARGUMENT_KINDS), names: words })),
      actions: tableRows(tables, "Irreversible actions", z.object({ what, verbs: words, objects: words })),
      commands: tableRows(
        tables,
        "Irreversible commands",
        z.object({ command: z.string().check(z.minLength(1)), options: words, what }),
      ),
    }),
  };
}
