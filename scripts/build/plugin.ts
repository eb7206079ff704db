/**
 * The Claude Code plugin: the built skills, the command line whose gateway is its MCP server, and the hooks. Only its README
 * is written by hand. Sources: code.claude.com/docs/en/plugins-reference ("Plugin manifest schema", "Environment variables").
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CLAUDE_EVENTS, claudeHooks } from "../../runtime/install/hook-settings.ts";
import { buildCommandLine } from "./library.ts";
import { ROOT } from "./places.ts";
import { buildSkills } from "./skills.ts";

/** The runtime that the plugin starts its programs with: whoever has MCP servers of npm has it, and no host brings one. */
const RUNTIME = "node";

export async function buildPlugin(outdir: string): Promise<void> {
  for (const made of [".claude-plugin", ".mcp.json", "LICENSE", "hooks", "lib", "skills"]) {
    rmSync(join(outdir, made), { recursive: true, force: true });
  }
  await buildSkills(join(outdir, "skills"));
  await buildCommandLine(join(outdir, "lib"));
  cpSync(join(ROOT, "LICENSE"), join(outdir, "LICENSE"));
  const { name, version, description, license } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const author = { name: "The mcp-skill-pack contributors" };
  writeJson(join(outdir, ".claude-plugin/plugin.json"), { name, version, description, author, license });
  const args = ["${CLAUDE_PLUGIN_ROOT}/lib/mcp-skills.mjs", "serve"];
  writeJson(join(outdir, ".mcp.json"), { mcpServers: { gateway: { command: RUNTIME, args } } });
  const script = "${CLAUDE_PLUGIN_ROOT}/skills/using-mcp/scripts/hook.mjs";
  const groups = CLAUDE_EVENTS.map((entry) => [
    entry.event,
    [claudeHooks(entry, (argument) => `${RUNTIME} "${script}" ${argument}`)],
  ]);
  writeJson(join(outdir, "hooks/hooks.json"), { hooks: Object.fromEntries(groups) });
}

function writeJson(file: string, value: object): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
