/**
 * A machine with one runtime and nothing else, a folder without packages, and names with spaces and letters beyond ASCII: the
 * built command line installs the skills, and what their texts tell an agent to run gives the same bytes on each runtime.
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
import { readExamples } from "../../runtime/core/examples.ts";
import { canonicalJson } from "../../runtime/core/json-text.ts";
import { ROOT } from "../support/cli.ts";

/** Building is Bun's; the three runtimes are started from there. */
const skip = "Bun" in globalThis ? false : "what Bun built is tried on the three runtimes from Bun";

const root = mkdtempSync(join(tmpdir(), "mcp-skills Ünï (bare) "));
after(() => rmSync(root, { recursive: true, force: true }));

const pack = join(root, "the päck/dist");
const NAMES = readdirSync(join(ROOT, "skills")).sort();
const RUNTIMES = ["bun", "node", "deno"] as const;
type Runtime = (typeof RUNTIMES)[number];
/** The answers of each runtime, by the command that was run. */
const answers = new Map<Runtime, Map<string, string>>();

before(async () => {
  if (skip) return;
  const { buildSkills } = await import("../../scripts/build/skills.ts");
  const { buildCommandLine } = await import("../../scripts/build/library.ts");
  await buildSkills(join(pack, "skills"));
  await buildCommandLine(join(pack, "lib"));
  for (const runtime of RUNTIMES) {
    mkdirSync(binOf(runtime), { recursive: true });
    symlinkSync(await programOf(runtime), join(binOf(runtime), runtime));
  }
});

const run = promisify(execFile);
const binOf = (runtime: Runtime) => join(root, "bin", runtime);

async function programOf(runtime: Runtime): Promise<string> {
  if (runtime === "bun") return process.execPath;
  const command = runtime === "node" ? "node" : join(ROOT, "node_modules/.bin/deno");
  const ask = runtime === "node" ? ["-p", "process.execPath"] : ["eval", "console.log(Deno.execPath())"];
  return (await run(command, ask)).stdout.trim();
}

/** Runs a command line as an agent's shell would, with this runtime alone on the PATH. */
function shell(runtime: Runtime, cwd: string, line: string): Promise<{ stdout: string; stderr: string }> {
  const home = join(root, "home", runtime);
  mkdirSync(home, { recursive: true });
  return run("/bin/sh", ["-c", line], { cwd, env: { PATH: binOf(runtime), HOME: home, NO_COLOR: "1" } });
}

const START: Record<Runtime, string> = { bun: "bun", node: "node", deno: "deno run -A" };

/** The shell commands of a skill's text that start this runtime. */
function commandsOf(text: string, runtime: Runtime): string[] {
  const fences = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, body = ""]) => body);
  return fences.flatMap((body) => body.split("\n")).filter((line) => line.startsWith(`${runtime} `));
}

for (const runtime of RUNTIMES) {
  test(`with ${runtime} alone, the skills install, and the commands and examples of their texts run`, {
    skip,
  }, async () => {
    const project = join(root, `my prøject (${runtime})`);
    mkdirSync(project);
    const install = `${START[runtime]} "${pack}/lib/mcp-skills.mjs" install --host claude`;
    await shell(runtime, project, install);
    const skills = join(project, ".claude/skills");
    assert.deepEqual(
      readdirSync(skills)
        .filter((entry) => !entry.startsWith("."))
        .sort(),
      NAMES,
    );
    assert.equal(existsSync(join(project, "node_modules")), false);

    const given = new Map<string, string>();
    for (const name of NAMES) {
      const folder = join(skills, name);
      const text = readFileSync(join(folder, "SKILL.md"), "utf8");
      const commands = commandsOf(text, runtime);
      assert.ok(commands.length > 0, `${name} tells no command for ${runtime}`);
      for (const [at, command] of commands.entries()) {
        given.set(`${name} ${at}`, (await shell(runtime, folder, command)).stdout);
      }
      // From the project's folder, as an agent stands there.
      for (const { handler, input, expected, line } of await readExamples(text, "SKILL.md")) {
        const script = `"${join(skills, name, "scripts", `${name}.mjs`)}"`;
        const json = JSON.stringify(input).replaceAll("'", "'\\''");
        const answer = shell(runtime, project, `${START[runtime]} ${script} ${handler} --input '${json}'`);
        if ("error" in expected) {
          await assert.rejects(answer, { code: 2 }, `${name}, line ${line}`);
          continue;
        }
        const { stdout } = await answer;
        assert.equal(canonicalJson(JSON.parse(stdout)), canonicalJson(expected.output), `${name}, line ${line}`);
        given.set(`${name} line ${line}`, stdout);
      }
    }
    answers.set(runtime, given);
  });
}

test("the answers are the same on each runtime, to the byte", { skip }, () => {
  const [first, ...others] = RUNTIMES.map((runtime) => answers.get(runtime) as Map<string, string>);
  assert.ok((first?.size ?? 0) > 12);
  for (const other of others) assert.deepEqual(other, first);
});

test("a table that the user edits counts, with the commands as they are told", { skip }, async () => {
  for (const runtime of RUNTIMES) {
    const folder = join(root, `my prøject (${runtime})/.claude/skills/agi-mcp-discover`);
    const file = join(folder, "SKILL.md");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("basin, geology", "net, basin, geology"));
    try {
      const [command = ""] = commandsOf(text, runtime);
      assert.equal(JSON.parse((await shell(runtime, folder, command)).stdout).domain, "geoscience", runtime);
    } finally {
      writeFileSync(file, text);
    }
  }
});

test("a hook takes no setting and runs no code of the folder that it is started in", { skip }, async () => {
  const project = join(root, "somebody's clone");
  mkdirSync(project);
  await shell("bun", project, `bun "${pack}/lib/mcp-skills.mjs" install --host claude --global --hooks --runtime bun`);
  const { hooks } = JSON.parse(readFileSync(join(root, "home/bun/.claude/settings.json"), "utf8"));
  writeFileSync(join(project, "bunfig.toml"), 'preload = ["./preload.ts"]\n');
  writeFileSync(join(project, "preload.ts"), 'require("node:fs").writeFileSync("preloaded", "");\n');
  writeFileSync(join(project, ".env"), `MCP_SKILLS_LOG=${join(project, "log")}\n`);
  const input = join(root, "call.json");
  writeFileSync(input, JSON.stringify({ tool_name: "mcp__github__list_issues", cwd: project, tool_input: {} }));
  const { stdout } = await shell("bun", project, `${hooks.PreToolUse[0].hooks[0].command} < "${input}"`);
  assert.equal(JSON.parse(stdout).hookSpecificOutput.permissionDecision, "allow");
  assert.deepEqual(readdirSync(project).sort(), [".env", "bunfig.toml", "preload.ts"]);
});

test("an update finds nothing to do, an uninstall leaves the project as it was", { skip }, async () => {
  const project = join(root, "my prøject (node)");
  const { stdout } = await shell("node", project, `node "${pack}/lib/mcp-skills.mjs" update --json`);
  assert.doesNotMatch(stdout, /"(?:written|changed|removed)"/);
  await shell("node", project, `node "${pack}/lib/mcp-skills.mjs" uninstall`);
  assert.deepEqual(readdirSync(project), []);
});
