/**
 * How long a person waits for the tools of six public servers, whole processes under Bun, by turns in one run: a bare script
 * that speaks the protocol by hand, this pack (from the source and built, cold and from its cache), and mcporter. The servers
 * and mcporter are installed once, into `.cache/bench-cli`, and started as plain Node programs, the same for all.
 *
 *   bun run bench:cli [--rounds 5] [--json]
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { quantile } from "./quantile.ts";
import { tableOf } from "./table.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const HOME = join(ROOT, ".cache/bench-cli");
const CONFIG = join(HOME, "mcp.json");
const CACHE = join(HOME, "lists");

/** Public servers that list their tools without an account or a network, each with the file that starts it. */
const SERVERS: Record<string, [name: string, version: string, main: string, ...args: string[]]> = {
  everything: ["@modelcontextprotocol/server-everything", "2026.8.31", "dist/index.js"],
  filesystem: ["@modelcontextprotocol/server-filesystem", "2026.8.31", "dist/index.js", HOME],
  memory: ["@modelcontextprotocol/server-memory", "2026.8.31", "dist/index.js"],
  "sequential-thinking": ["@modelcontextprotocol/server-sequential-thinking", "2026.8.31", "dist/index.js"],
  github: ["@modelcontextprotocol/server-github", "2025.4.8", "dist/index.js"],
  context7: ["@upstash/context7-mcp", "4.1.1", "dist/index.js"],
};
const RIVAL = ["mcporter", "0.12.3"];

interface Contestant {
  name: string;
  argv: string[];
  /** Before each run. */
  prepare?: () => void;
}

const forget = () => rmSync(CACHE, { recursive: true, force: true });
const source = join(ROOT, "runtime/cli/main.ts");
const built = join(ROOT, "dist/lib/mcp-skills.mjs");
const ours = (file: string, command: string[]) => [file, ...command, "--config", CONFIG];
const TOOLS = ["tools", "--json"];

const CONTESTANTS: Contestant[] = [
  { name: "bare Bun start", argv: ["-e", "0"] },
  { name: "bare script, all six servers", argv: [join(ROOT, "scripts/bench/bare-client.mjs"), CONFIG] },
  { name: "tools, cold (source)", argv: ours(source, TOOLS), prepare: forget },
  { name: "tools, cold (built)", argv: ours(built, TOOLS), prepare: forget },
  { name: "mcporter list", argv: [join(HOME, "node_modules/mcporter/dist/cli.js"), "list", "--config", CONFIG] },
  ...["tools", "discover", "search find a file", "load find a file", "route filesystem", "catalog"].flatMap(
    (command) => {
      const [name = "", ...rest] = command.split(" ");
      const args = [name, ...(rest.length > 1 ? [rest.join(" ")] : rest), "--json"];
      return [
        { name: `${name}, warm (source)`, argv: ours(source, args) },
        { name: `${name}, warm (built)`, argv: ours(built, args) },
      ];
    },
  ),
];

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "5" }, json: { type: "boolean", default: false } },
});

install();
if (!existsSync(built)) throw new Error("There is no build: bun run build");
const figures = new Map<string, { seconds: number[]; megabytes: number[] }>();
for (let round = 0; round < Number(values.rounds); round++) {
  for (const contestant of CONTESTANTS) {
    const { seconds, megabytes } = measure(contestant);
    const known = figures.get(contestant.name) ?? { seconds: [], megabytes: [] };
    figures.set(contestant.name, {
      seconds: [...known.seconds, seconds],
      megabytes: [...known.megabytes, megabytes],
    });
  }
}
report();

function install(): void {
  mkdirSync(HOME, { recursive: true });
  const servers = Object.entries(SERVERS);
  writeFileSync(
    CONFIG,
    JSON.stringify({
      mcpServers: Object.fromEntries(
        servers.map(([name, [from, , main, ...args]]) => [
          name,
          { command: "node", args: [join(HOME, "node_modules", from, main), ...args] },
        ]),
      ),
    }),
  );
  const wanted = [...servers.map(([, [from, version]]) => [from, version]), RIVAL];
  if (wanted.every(([name = ""]) => existsSync(join(HOME, "node_modules", name)))) return;
  writeFileSync(
    join(HOME, "package.json"),
    JSON.stringify({ private: true, dependencies: Object.fromEntries(wanted) }, null, 2),
  );
  const { exitCode } = Bun.spawnSync([process.execPath, "install", "--silent"], { cwd: HOME, stderr: "inherit" });
  if (exitCode !== 0) throw new Error("The servers cannot be installed");
}

function measure({ name, argv, prepare }: Contestant): { seconds: number; megabytes: number } {
  prepare?.();
  const start = performance.now();
  const { exitCode, resourceUsage, stdout, stderr } = Bun.spawnSync([process.execPath, ...argv], {
    cwd: HOME,
    env: { ...process.env, HOME, XDG_CACHE_HOME: CACHE, MCP_SKILLS_NO_BACKGROUND: "1", NO_COLOR: "1" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const seconds = (performance.now() - start) / 1000;
  if (exitCode !== 0) throw new Error(`${name} ended with ${exitCode}: ${stderr}`);
  if (name.includes("cold") && JSON.parse(stdout.toString()).length < 60) throw new Error(`${name} lacks tools`);
  return { seconds, megabytes: resourceUsage.maxRSS / 1024 / 1024 };
}

function report(): void {
  const median = (name: string, what: "seconds" | "megabytes") => quantile(figures.get(name)?.[what] ?? []);
  const bare = median("bare script, all six servers", "seconds");
  const rival = median("mcporter list", "seconds");
  const rows = [...figures].map(([name, { seconds }]) => ({
    what: name,
    "median s": median(name, "seconds").toFixed(3),
    "min–max s": `${Math.min(...seconds).toFixed(3)}–${Math.max(...seconds).toFixed(3)}`,
    "× bare script": (median(name, "seconds") / bare).toFixed(2),
    "× mcporter": (median(name, "seconds") / rival).toFixed(2),
    "peak MB": median(name, "megabytes").toFixed(0),
  }));
  console.log(values.json ? JSON.stringify(rows, null, 2) : tableOf(rows));
}
