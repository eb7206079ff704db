/**
 * What real hosts make of the installed skills and of the plugin. Their packages are large (a gigabyte together), so these tests
 * run with `CHECK_HOSTS=1` only, and install each host into a folder of its own. No host is logged in anywhere, each has a home of
 * its own, and telemetry is off.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { loadSkills } from "../../runtime/core/skill.ts";
import { ROOT, runCli } from "../support/cli.ts";

const wanted = process.env.CHECK_HOSTS === "1" && "Bun" in globalThis;
const options = { skip: wanted ? false : "CHECK_HOSTS=1 under Bun runs it", timeout: 900_000 };

const root = mkdtempSync(join(tmpdir(), "mcp-skills-hosts-"));
after(() => rmSync(root, { recursive: true, force: true }));
const built = join(root, "built");
/** Each skill's name with its whole description. */
let skills: [name: string, description: string][] = [];

before(async () => {
  if (!wanted) return;
  const { buildSkills } = await import("../../scripts/build/skills.ts");
  await buildSkills(built);
  skills = (await loadSkills(built)).skills.map(({ name, description }) => [name, description]);
});

const run = promisify(execFile);

/** Runs a program with a home of its own; where it fails, the error has what it printed. */
function execute(cwd: string, program: string, args: string[], env: Record<string, string> = {}) {
  const home = join(root, "home");
  mkdirSync(home, { recursive: true });
  const quiet = { CI: "1", NO_COLOR: "1", DISABLE_TELEMETRY: "1", DO_NOT_TRACK: "1", DISABLE_AUTOUPDATER: "1" };
  const child = run(program, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: home, ...quiet, ...env },
    maxBuffer: 256 * 1024 * 1024,
  });
  child.child.stdin?.end();
  return child;
}

/** Installs a host's package, with what it does after an install; gives its folder, and removes it after the work. */
async function withHost<Result>(
  name: string,
  version: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = join(root, name.replace(/\W/g, "-"));
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  try {
    await execute(folder, process.execPath, ["add", "--silent", "--trust", `${name}@${version}`]);
    return await work(join(folder, "node_modules"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A project under version control with the skills installed for one host. */
async function projectFor(host: string): Promise<string> {
  const project = join(root, `project for ${host}`);
  mkdirSync(project);
  await execute(project, "git", ["init", "--quiet"]);
  const { code, stderr } = await runCli(["install", "--host", host, "--from", built], { cwd: project });
  assert.equal(code, 0, stderr);
  return project;
}

const byName = (listed: { name: string; description: string }[]) =>
  listed.map(({ name, description }): [string, string] => [name, description]).sort();

test("pi loads the four skills without a diagnostic", options, async () => {
  await withHost("@mariozechner/pi-coding-agent", "0.73.1", async (modules) => {
    const script = `import { loadSkills } from "@mariozechner/pi-coding-agent";
      const given = { cwd: "/", agentDir: "/nowhere", skillPaths: [${JSON.stringify(built)}], includeDefaults: false };
      console.log(JSON.stringify(loadSkills(given)));`;
    writeFileSync(join(modules, "../load.mjs"), script);
    const { stdout } = await execute(join(modules, ".."), "node", ["load.mjs"]);
    const { skills: loaded, diagnostics } = JSON.parse(stdout);
    assert.deepEqual(diagnostics, []);
    assert.deepEqual(byName(loaded), skills);
  });
});

test(
  "Claude Code takes the installed skills and the plugin, strictly, and installs it from the marketplace",
  options,
  async () => {
    const project = await projectFor("claude");
    await withHost("@anthropic-ai/claude-code", "2.1.332", async (modules) => {
      const claude = (...args: string[]) => execute(project, join(modules, ".bin/claude"), args);
      for (const folder of [join(project, ".claude/skills"), join(ROOT, "plugin"), ROOT]) {
        const { success } = JSON.parse((await claude("plugin", "validate", "--json", "--strict", folder)).stdout);
        assert.equal(success, true, folder);
      }
      const { stdout } = await claude("plugin", "validate", "--json", "--strict", join(ROOT, "plugin"));
      assert.deepEqual(
        JSON.parse(stdout).provides.skills,
        skills.map(([name]) => `mcp-skill-pack:${name}`),
      );
      await claude("plugin", "marketplace", "add", ROOT);
      await claude("plugin", "install", "mcp-skill-pack@mcp-skill-pack");
      assert.match(
        (await claude("plugin", "details", "mcp-skill-pack")).stdout,
        /Skills \(4\)[\s\S]*Hooks \(3\)[\s\S]*MCP servers \(1\)/,
      );
    });
  },
);

test("Copilot lists the four skills, and has nothing to say on stderr", options, async () => {
  const project = await projectFor("github");
  await withHost("@github/copilot", "1.0.102", async (modules) => {
    const { stdout, stderr } = await execute(project, join(modules, ".bin/copilot"), ["skill", "list", "--json"]);
    assert.equal(stderr, "");
    const listed = JSON.parse(stdout);
    const own = (listed.skills ?? listed).filter(({ name }: { name: string }) =>
      skills.some(([known]) => known === name),
    );
    assert.deepEqual(byName(own), skills);
  });
});

test("Gemini CLI lists the four skills with their descriptions", options, async () => {
  const project = await projectFor("agents");
  await withHost("@google/gemini-cli", "0.61.0", async (modules) => {
    const trust = { GEMINI_CLI_TRUST_WORKSPACE: "true" };
    const { stdout, stderr } = await execute(project, join(modules, ".bin/gemini"), ["skills", "list"], trust);
    for (const [name, description] of skills) {
      assert.ok(`${stdout}${stderr}`.includes(name), name);
      assert.ok(`${stdout}${stderr}`.replace(/\s+/g, " ").includes(description), description);
    }
  });
});

test("OpenCode lists the four skills with their descriptions", options, async () => {
  const project = existsSync(join(root, "project for agents"))
    ? join(root, "project for agents")
    : await projectFor("agents");
  await withHost("opencode-ai", "1.18.33", async (modules) => {
    const { stdout } = await execute(project, join(modules, ".bin/opencode"), ["debug", "skill"]);
    const own = JSON.parse(stdout).filter(({ name }: { name: string }) => skills.some(([known]) => known === name));
    assert.deepEqual(byName(own), skills);
  });
});
