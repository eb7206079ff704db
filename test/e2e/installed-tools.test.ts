/**
 * The built skills and the package in the hands of tools that nobody here wrote: the specification's own checker, two installers,
 * a linter, and two checkers of packages. Each has a home of its own, and no telemetry.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { ROOT } from "../support/cli.ts";

/** Building is Bun's; `skills` needs a newer Node than 20 and runs under Bun as well. */
const skip = "Bun" in globalThis ? false : "the build is checked under Bun";

const root = mkdtempSync(join(tmpdir(), "mcp-skills-tools "));
after(() => rmSync(root, { recursive: true, force: true }));
const dist = join(root, "pack/dist");
const built = join(dist, "skills");
const NAMES = ["agi-mcp-discover", "composer-mcp", "mcp-cli-discovery", "using-mcp"];

before(async () => {
  if (skip) return;
  const { buildSkills } = await import("../../scripts/build/skills.ts");
  const { buildLibrary } = await import("../../scripts/build/library.ts");
  await buildSkills(built);
  await buildLibrary(join(dist, "lib"), join(dist, "types"));
});

const run = promisify(execFile);

function tool(cwd: string, program: string, ...args: string[]): Promise<{ stdout: string; stderr: string }> {
  mkdirSync(cwd, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: root, CI: "1", NO_COLOR: "1", DISABLE_TELEMETRY: "1", DO_NOT_TRACK: "1" };
  return run(program, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 });
}

/** A package's own program, under this runtime. */
const npm = (cwd: string, file: string, ...args: string[]) =>
  tool(cwd, process.execPath, join(ROOT, "node_modules", file), ...args);

/** What the SKILL.md's first example gives, out of an installed folder. */
async function scriptsRun(skills: string): Promise<void> {
  for (const name of NAMES) {
    const { stdout } = await tool(skills, process.execPath, join(skills, name, "scripts", `${name}.mjs`), "--help");
    assert.match(stdout, /^Usage: /, name);
    const sent = readFileSync(join(built, name, "SKILL.md"));
    assert.ok(readFileSync(join(skills, name, "SKILL.md")).equals(sent), `${name}/SKILL.md arrives byte for byte`);
  }
}

/** A program of somebody who installed the package: every entry point, typed. */
const CONSUMER = `
import { loadTools } from "mcp-skill-pack/agi-mcp-discover";
import { submit } from "mcp-skill-pack/composer-mcp";
import { ToolSchema, type Inventory } from "mcp-skill-pack/contracts";
import { defineHandler } from "mcp-skill-pack/handler";
import { detectTools } from "mcp-skill-pack/mcp-cli-discovery";
import { loadPack } from "mcp-skill-pack/pack";
import { parseResults } from "mcp-skill-pack/results";
import { createToolIndex } from "mcp-skill-pack/tool-index";
import { classifyMcpTools } from "mcp-skill-pack/using-mcp";
import { runFlow } from "mcp-skill-pack";

const tool = ToolSchema.parse({ server: "notes", name: "list_notes" });
const inventory: Inventory = { servers: [{ name: "notes", state: "ready", tools: [tool], flags: [], origins: [] }], problems: [] };
const loaded: string | undefined = loadTools(inventory, "list notes").chosen[0]?.name;
const access: "read" | "write" | "mixed" | undefined = classifyMcpTools([{ name: "mcp__notes__list_notes" }]).servers.get("notes")?.access;
const all: unknown[] = [submit, defineHandler, detectTools, loadPack, parseResults, createToolIndex, runFlow];
if (all.some((one) => typeof one !== "function")) throw new Error("An entry point is not what it says");
console.log(access, loaded);
`;

test("skills-ref validates each built skill", { skip }, async () => {
  const { bin } = JSON.parse(readFileSync(join(ROOT, "node_modules/skills-ref/package.json"), "utf8"));
  const file = join("skills-ref", typeof bin === "string" ? bin : bin["skills-ref"]);
  for (const name of NAMES) await npm(root, file, "validate", join(built, name));
});

test("skills adds all four for Claude Code and Copilot, and the installed scripts run", { skip }, async () => {
  const project = join(root, "project of skills");
  const agents = ["--agent", "claude-code", "github-copilot"];
  await npm(project, "skills/bin/cli.mjs", "add", built, ...agents, "--skill", "*", "--copy", "--yes");
  const folders = [".claude/skills", ".agents/skills"].map((folder) => join(project, folder));
  for (const folder of folders.filter(existsSync)) {
    assert.deepEqual(readdirSync(folder).sort(), NAMES);
    await scriptsRun(folder);
  }
  assert.ok(existsSync(folders[0] as string));
});

test("openskills installs all four, and the installed scripts run", { skip }, async () => {
  const project = join(root, "project of openskills");
  await npm(project, "openskills/dist/cli.js", "install", built, "--yes");
  await scriptsRun(join(project, ".claude/skills"));
});

test("skill-tools finds nothing to say against them", { skip }, async () => {
  const { bin } = JSON.parse(readFileSync(join(ROOT, "node_modules/skill-tools/package.json"), "utf8"));
  const file = join("skill-tools", typeof bin === "string" ? bin : bin["skill-tools"]);
  await npm(root, file, "check", built);
});

test("the package as it is published passes publint and are-the-types-wrong, and works where it is installed", {
  skip,
}, async () => {
  const pack = join(root, "pack");
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  delete manifest.scripts;
  writeFileSync(join(pack, "package.json"), JSON.stringify(manifest, null, 2));
  for (const file of ["README.md", "LICENSE", "CHANGELOG.md"])
    writeFileSync(join(pack, file), readFileSync(join(ROOT, file)));
  await tool(pack, "npm", "pack", "--silent", "--cache", join(root, "npm"));
  const [packed = ""] = readdirSync(pack).filter((file) => file.endsWith(".tgz"));
  await npm(pack, "publint/src/cli.js", "run", packed, "--strict");
  await npm(pack, "@arethetypeswrong/cli/dist/index.js", packed, "--profile", "esm-only");

  // As an installer leaves it: unpacked, beside the one package that its types name.
  const consumer = join(root, "consumer");
  const installed = join(consumer, "node_modules/mcp-skill-pack");
  mkdirSync(installed, { recursive: true });
  await tool(pack, "tar", "-xzf", packed, "-C", installed, "--strip-components", "1");
  symlinkSync(join(ROOT, "node_modules/zod"), join(consumer, "node_modules/zod"));
  for (const runtime of ["node", process.execPath]) {
    const { stdout } = await tool(consumer, runtime, join(installed, manifest.bin["mcp-skills"]), "--version");
    assert.equal(stdout.trim(), manifest.version);
  }
  writeFileSync(join(consumer, "package.json"), '{ "type": "module" }');
  writeFileSync(join(consumer, "use.ts"), CONSUMER);
  const options = [
    "--module",
    "nodenext",
    "--strict",
    "--target",
    "es2023",
    "--lib",
    "es2023,dom",
    "--types",
    "--outDir",
    "out",
  ];
  await npm(consumer, "typescript/bin/tsc", ...options, "use.ts");
  const { stdout } = await tool(consumer, "node", join(consumer, "out/use.js"));
  assert.equal(stdout.trim(), "read mcp__notes__list_notes");
});
