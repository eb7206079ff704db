import { createInterface } from "node:readline/promises";
import { defineCommand } from "citty";
import { PackError } from "../core/errors.ts";
import type { HookRuntime } from "../install/extras.ts";
import type { FileChange } from "../install/own-files.ts";
import type { Target } from "../install/target.ts";
import { builtSkills } from "./built-skills.ts";
import {
  EXIT_CONFLICT,
  FROM_ARG,
  hasConflict,
  named,
  printRun,
  RUN_ARGS,
  surroundings,
  TARGET_ARGS,
} from "./install-options.ts";
import { isTerminal, note } from "./io.ts";

export const command = defineCommand({
  meta: { name: "install", description: "Install skills into a host's folder: all, or those that are named" },
  args: {
    skill: { type: "positional", required: false, description: "The skills' names; default all" },
    ...TARGET_ARGS,
    link: { type: "boolean", description: "Link to the pack's folders instead of copying them" },
    hooks: { type: "boolean", description: "Also let the host ask the pack before every MCP call, by its hooks" },
    runtime: {
      type: "string",
      description: "What runs the hooks (default: what runs this)",
      valueHint: "bun|node|deno",
    },
    instructions: {
      type: "boolean",
      description: "With --host github: declare the pack in .github/copilot-instructions.md (asked for on a terminal)",
    },
    ...FROM_ARG,
    ...RUN_ARGS,
  },
  async run({ args }) {
    const [{ installSkills }, { readSource }, { targetOf }, extras, { alsoVisible }] = await Promise.all([
      import("../install/install.ts"),
      import("../install/source.ts"),
      import("../install/target.ts"),
      import("../install/extras.ts"),
      import("../install/visible.ts"),
    ]);
    const place = surroundings();
    const target = targetOf(args, place);
    const dryRun = args["dry-run"] === true;
    const sources = await readSource(builtSkills(args.from), named(args));
    const names = sources.map(({ name }) => name);
    const runtime = args.hooks ? hookRuntime(args.runtime, names) : null;
    const options = { force: args.force, dryRun, link: args.link };
    const result = await installSkills(target, sources, options);
    const files: FileChange[] = [];
    if (runtime !== null) files.push(await extras.addHooks(target, runtime, dryRun));
    if (
      extras.takesInstructions(target) &&
      (await wantsInstructions(args.instructions, target, extras.hasInstructions))
    ) {
      files.push(await extras.addInstructions(target, names, dryRun));
    }
    printRun([result], files, args.json);
    for (const name of names) {
      for (const other of await alsoVisible(target, name, place)) {
        note(`note: ${name} is also in ${other}; a host that reads both folders shows one of the two`);
      }
    }
    return hasConflict([result]) ? EXIT_CONFLICT : 0;
  },
});

function hookRuntime(wanted: string | undefined, skills: readonly string[]): HookRuntime {
  if (!skills.includes("using-mcp")) {
    throw new PackError("usage", "The hooks are part of the skill using-mcp", { fix: "Name using-mcp as well" });
  }
  const own = process.versions.bun !== undefined ? "bun" : "Deno" in globalThis ? "deno" : "node";
  const runtime = wanted ?? own;
  if (runtime === "bun" || runtime === "node" || runtime === "deno") return runtime;
  throw new PackError("usage", "There is no such runtime", { fix: "One of: bun, node, deno" });
}

/** Nobody's instruction file is changed unasked: where the option does not say, a person on a terminal does. */
async function wantsInstructions(
  option: boolean | undefined,
  target: Target,
  present: (target: Target) => Promise<boolean>,
): Promise<boolean> {
  if (option !== undefined) return option;
  if (await present(target)) return true;
  if (!isTerminal() || !isTerminal(0)) {
    note("note: --instructions also declares the pack in .github/copilot-instructions.md");
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(
    "Declare the pack in .github/copilot-instructions.md, between markers? [y/N] ",
  );
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
