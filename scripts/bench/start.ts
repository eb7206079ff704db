/**
 * What the built scripts add to a bare start of their runtime, whole processes by turns in one run: each skill's script, and
 * the hooks, whose one server is known from the cache or not at all. Medians in milliseconds.
 *
 *   bun run build && bun run bench:start [--rounds 21] [--json]
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { quantile } from "./quantile.ts";
import { tableOf } from "./table.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "21" }, json: { type: "boolean", default: false } },
});

const ROOT = new URL("../..", import.meta.url).pathname;
const SKILLS = join(ROOT, "dist/skills");
if (!existsSync(SKILLS)) throw new Error("There is no build: bun run build");

const home = mkdtempSync(join(tmpdir(), "mcp-skills-start-"));
const empty = join(home, "empty.mjs");
writeFileSync(empty, "");
const hook = join(SKILLS, "using-mcp/scripts/hook.mjs");
const CONFIG = join(SKILLS, "using-mcp/scripts/bunfig.toml");

interface Contestant {
  name: string;
  runtime: string;
  args: string[];
  stdin?: object;
  /** Where nothing is known of the project. */
  cold?: boolean;
  file?: string;
}

const call = { tool_name: "mcp__everything__echo", tool_input: { message: "x" } };
const CONTESTANTS: Contestant[] = [
  ...["bun", "node"].map((runtime) => ({ name: "bare start", runtime, args: [empty] })),
  ...readdirSync(SKILLS)
    .sort()
    .map((name) => join(SKILLS, name, "scripts", `${name}.mjs`))
    .map((file) => ({ name: file.split("/").at(-1) ?? "", runtime: "bun", args: [file, "--help"], file })),
  ...["bun", "node"].flatMap((runtime) => [
    { name: "hook, before a call", runtime, args: [hook, "pre-tool-use"], stdin: call, file: hook },
    { name: "hook, before a call, nothing cached", runtime, args: [hook, "pre-tool-use"], stdin: call, cold: true },
    { name: "hook, on a prompt", runtime, args: [hook, "user-prompt-submit"], stdin: { prompt: "hello" } },
    {
      name: "hook, on a selection",
      runtime,
      args: [hook, "user-prompt-submit"],
      stdin: { prompt: "/mcp:everything x" },
    },
    { name: "hook, on a session", runtime, args: [hook, "session-start"], stdin: {} },
  ]),
];

const times = new Map<Contestant, number[]>();
try {
  fillCache();
  for (let round = -1; round < Number(values.rounds); round++) {
    for (const contestant of CONTESTANTS) {
      const taken = run(contestant);
      if (round >= 0) times.set(contestant, [...(times.get(contestant) ?? []), taken]);
    }
  }
  report();
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** One server's list in the cache, as any command leaves it. */
function fillCache(): void {
  const server = join(ROOT, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
  writeFileSync(
    join(home, "mcp.json"),
    JSON.stringify({ mcpServers: { everything: { command: "node", args: [server] } } }),
  );
  mkdirSync(join(home, "cold"));
  const args = [join(ROOT, "runtime/cli/main.ts"), "tools", "--config", "mcp.json", "--quiet"];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: home, env: environment(false) });
  if (status !== 0) throw new Error(String(stderr));
}

function environment(cold: boolean): NodeJS.ProcessEnv {
  const folder = cold ? join(home, "cold") : home;
  return { ...process.env, HOME: folder, XDG_CACHE_HOME: join(folder, "cache"), XDG_STATE_HOME: join(folder, "state") };
}

function run({ name, runtime, args, stdin, cold = false }: Contestant): number {
  const start = performance.now();
  // A hook is started as it is installed.
  const alone = runtime === "bun" && args[0] === hook ? ["--no-env-file", `--config=${CONFIG}`] : [];
  const { status, stderr } = spawnSync(runtime === "bun" ? process.execPath : runtime, [...alone, ...args], {
    cwd: home,
    env: environment(cold),
    input: JSON.stringify({ cwd: home, ...stdin }),
  });
  if (status !== 0) throw new Error(`${name}: ${stderr}`);
  return performance.now() - start;
}

function report(): void {
  const bare = (runtime: string) =>
    quantile(
      times.get(CONTESTANTS.find((other) => other.name === "bare start" && other.runtime === runtime) as Contestant),
    );
  const rows = [...times].map(([{ name, runtime, file }, taken]) => ({
    what: name,
    runtime,
    KB: file === undefined ? "" : (statSync(file).size / 1000).toFixed(0),
    median: quantile(taken).toFixed(0),
    "over a bare start": (quantile(taken) - bare(runtime)).toFixed(0),
  }));
  console.log(values.json ? JSON.stringify(rows, null, 2) : tableOf(rows));
}
