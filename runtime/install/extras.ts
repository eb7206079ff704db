/** What goes with the skills where it is asked for: the hooks in a host's settings, the paragraph in its instruction file. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PackError } from "../core/errors.ts";
import { removeIfEmpty } from "./apply.ts";
import { copilotHooks, withHooks, withoutHooks } from "./hook-settings.ts";
import { hasBlock, instructionsParagraph, withBlock, withoutBlock } from "./instructions.ts";
import { changeFile, type FileChange } from "./own-files.ts";
import { folderOf, type Target } from "./target.ts";

const HOOK_SCRIPT = "using-mcp/scripts/hook.mjs";

/** Where a host keeps the hooks: Claude Code in its settings, Copilot in a file of their own. */
function hookFile({ host, segments }: Target): string[] | null {
  const above = segments.slice(0, -1);
  if (host === "claude") return [...above, "settings.json"];
  return host === "github" ? [...above, "hooks", "mcp-skill-pack.json"] : null;
}

/** What runs a hook's script. */
export type HookRuntime = "bun" | "node" | "deno";

/** Puts the hooks in. */
export async function addHooks(target: Target, runtime: HookRuntime, dryRun: boolean): Promise<FileChange> {
  const segments = hookFile(target);
  if (segments === null) {
    throw new PackError("usage", `Hooks cannot be installed for ${target.host}: its documentation has none`, {
      fix: "Install them with --host claude or --host github",
    });
  }
  const command = (argument: string) => `${starter(runtime, scriptPath(target))} ${argument}`;
  const change = (text: string | null, file: string) =>
    target.host === "claude" ? withHooks(text, command, file) : copilotHooks(command);
  return changeFile(target.base, segments, change, dryRun);
}

/**
 * A hook runs in whatever folder is opened. Bun would load that folder's `.env` and run what its `bunfig.toml` preloads, Deno would
 * take its configuration: the rule would be the folder's own. So Bun gets the file beside the script, which says nothing.
 */
function starter(runtime: HookRuntime, script: string): string {
  const config = script.replace(/hook\.mjs$/, "bunfig.toml");
  if (runtime === "bun") return `bun --no-env-file --config="${config}" "${script}"`;
  return runtime === "deno" ? `deno run -A --no-config "${script}"` : `node "${script}"`;
}

/** The script for a shell's double quotes: a project's by a path that holds wherever the project lies. */
function scriptPath(target: Target): string {
  if (target.scope === "user") {
    return `${folderOf(target).replaceAll("\\", "/")}/${HOOK_SCRIPT}`.replace(/["$`]/g, "\\$&");
  }
  const inside = [...target.segments, HOOK_SCRIPT].join("/");
  return target.host === "claude" ? `$CLAUDE_PROJECT_DIR/${inside}` : inside;
}

/** Takes hooks and paragraph out again; what is not there is not reported. */
export async function removeExtras(target: Target, dryRun: boolean): Promise<FileChange[]> {
  const changes: FileChange[] = [];
  const segments = hookFile(target);
  if (segments !== null) {
    const without = (text: string | null, file: string) =>
      text === null || target.host === "github" ? null : withoutHooks(text, file);
    changes.push(await changeFile(target.base, segments, without, dryRun));
    if (target.host === "github" && !dryRun) {
      await removeIfEmpty(join(target.base, ...segments.slice(0, -1))).catch(() => false);
    }
  }
  if (takesInstructions(target)) {
    const without = (text: string | null, file: string) => (text === null ? null : withoutBlock(text, file));
    changes.push(await changeFile(target.base, INSTRUCTIONS, without, dryRun));
  }
  return changes.filter(({ result }) => result === "removed" || result === "changed");
}

const INSTRUCTIONS = [".github", "copilot-instructions.md"];

export function takesInstructions({ host, scope }: Target): boolean {
  return host === "github" && scope === "project";
}

/** Puts the paragraph in, or renews it. */
export function addInstructions(target: Target, skills: readonly string[], dryRun: boolean): Promise<FileChange> {
  const paragraph = instructionsParagraph(skills);
  return changeFile(target.base, INSTRUCTIONS, (text, file) => withBlock(text, paragraph, file), dryRun);
}

/** Whether the paragraph is there. */
export async function hasInstructions(target: Target): Promise<boolean> {
  const file = join(target.base, ...INSTRUCTIONS);
  const text = await readFile(file, "utf8").catch(() => null);
  return text !== null && hasBlock(text, file);
}
