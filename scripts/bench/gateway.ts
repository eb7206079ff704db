/**
 * What the gateway costs, over loopback and with real processes: the time of a call beside the same call without it, many
 * sessions at once, memory over many calls and over sessions that their clients left, and a server that is killed. The server
 * behind it is the public reference server `everything`, whose `echo` answers at once.
 *
 *   bun run build && bun run bench:gateway [--calls 1000] [--json]
 *
 * Times are in milliseconds. Memory is the gateway's heap after a collection, and its resident set, in MB.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { quantile } from "./quantile.ts";
import { tableOf } from "./table.ts";

const { values } = parseArgs({
  options: { calls: { type: "string", default: "1000" }, json: { type: "boolean", default: false } },
});
const CALLS = Number(values.calls);

const ROOT = new URL("../..", import.meta.url).pathname;
const BUILT = join(ROOT, "dist/lib/mcp-skills.mjs");
const EVERYTHING = join(ROOT, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
const MEMORY = join(ROOT, "node_modules/@modelcontextprotocol/server-memory/dist/index.js");
if (!existsSync(BUILT)) throw new Error("There is no build: bun run build");

/** The gateway's name for the tool that is called. */
const ECHO = { name: "mcp__everything__echo", arguments: { message: "x" } };
const home = mkdtempSync(join(tmpdir(), "mcp-skills-bench-"));
const env = { ...process.env, HOME: home, XDG_CACHE_HOME: join(home, "cache"), MEMORY_FILE_PATH: join(home, "memory") };
const children: ChildProcess[] = [];
const clients: Client[] = [];

try {
  const direct = await serveEverything();
  const overStdio = configOf("stdio", { everything: { command: "node", args: [EVERYTHING] }, memory: memoryEntry() });
  const overHttp = configOf("http", { everything: { type: "http", url: direct } });
  const gateway = await serveGateway(overStdio);
  const report = {
    "one call": await oneCall(direct, overStdio, overHttp, gateway.url),
    "200 sessions at once": await manySessions(gateway.url, 200),
    "memory, 20,000 calls": await manyCalls(gateway, 20_000),
    "memory, sessions left": await leftSessions(gateway),
    "a server is killed": await killedServer(gateway),
  };
  if (values.json) console.log(JSON.stringify(report, null, 2));
  else for (const [title, rows] of Object.entries(report)) console.log(`${title}\n${tableOf(rows)}\n`);
} finally {
  for (const client of clients) await client.close().catch(() => {});
  for (const child of children) child.kill("SIGTERM");
  await Promise.all(children.map((child) => child.exitCode ?? new Promise((done) => child.once("exit", done))));
  rmSync(home, { recursive: true, force: true });
}

type Row = Record<string, string | number>;
interface Gateway {
  url: string;
  process: ChildProcess;
}

/** The ways to `echo` with and without the gateway, by turns, in rounds. */
async function oneCall(direct: string, overStdio: string, overHttp: string, gateway: string): Promise<Row[]> {
  const plain = { name: "echo", arguments: { message: "x" } };
  const behindHttp = await serveGateway(overHttp);
  const ways: [name: string, than: string, client: Client, call: typeof plain][] = [
    ["direct, HTTP", "direct, HTTP", await connect(direct), plain],
    ["gateway over HTTP, server over stdio", "direct, HTTP", await loaded(gateway), ECHO],
    ["gateway over HTTP, server over HTTP", "direct, HTTP", await loaded(behindHttp.url), ECHO],
    ["direct, stdio", "direct, stdio", await connectStdio("node", EVERYTHING), plain],
    ["gateway over stdio, server over stdio", "direct, stdio", await loaded(serveArgs(overStdio)), ECHO],
  ];
  const times = new Map<string, number[]>(ways.map(([name]) => [name, []]));
  const rounds = 10;
  for (let round = -1; round < rounds; round++) {
    for (const [name, , client, call] of ways) {
      for (let at = 0; at < CALLS / rounds; at++) {
        const start = performance.now();
        await client.callTool(call);
        if (round >= 0) times.get(name)?.push(performance.now() - start);
      }
    }
  }
  return ways.map(([name, than]) => {
    const [own = [], other = []] = [times.get(name), times.get(than)];
    return {
      way: name,
      calls: own.length,
      p50: quantile(own).toFixed(2),
      p99: quantile(own, 0.99).toFixed(2),
      "p50 × direct": (quantile(own) / quantile(other)).toFixed(2),
      "p99 × direct": (quantile(own, 0.99) / quantile(other, 0.99)).toFixed(2),
    };
  });
}

/** Each session connects, loads by intent, lists its tools, and calls five times. */
async function manySessions(url: string, count: number): Promise<Row[]> {
  const times = { connect: [] as number[], load: [] as number[], list: [] as number[], call: [] as number[] };
  const timed = async <T>(what: keyof typeof times, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await work();
    times[what].push(performance.now() - start);
    return result;
  };
  let wrong = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const client = await timed("connect", () => connect(url));
      await timed("load", () => load(client));
      const { tools } = await timed("list", () => client.listTools());
      if (!tools.some(({ name }) => name === ECHO.name) || tools.length > 8) wrong++;
      for (let turn = 0; turn < 5; turn++) {
        const message = `${at}/${turn}`;
        const result = await timed("call", () => client.callTool({ ...ECHO, arguments: { message } }));
        if (!JSON.stringify(result.content).includes(`Echo: ${message}`)) wrong++;
      }
      await (client.transport as StreamableHTTPClientTransport).terminateSession();
      await client.close();
    }),
  );
  const whole = performance.now() - start;
  const rows = Object.entries(times).map(([what, figures]) => ({
    what,
    times: figures.length,
    p50: quantile(figures).toFixed(0),
    p99: quantile(figures, 0.99).toFixed(0),
  }));
  return [...rows, { what: `all, ${wrong} wrong answers`, times: count, p50: whole.toFixed(0), p99: "" }];
}

async function manyCalls({ url, process }: Gateway, count: number): Promise<Row[]> {
  const many = await Promise.all(Array.from({ length: 8 }, () => loaded(url)));
  const rows: Row[] = [];
  for (let done = 0; done <= count; done += count / 10) {
    if (done > 0) {
      await Promise.all(
        many.map(async (client) => {
          for (let at = 0; at < count / 10 / many.length; at++) await client.callTool(ECHO);
        }),
      );
    }
    rows.push({ calls: done, ...(await memoryOf(process)) });
  }
  return rows;
}

/** Clients that load, call and go without a word. The gateway keeps a bounded number of their sessions. */
async function leftSessions({ url, process }: Gateway): Promise<Row[]> {
  const rows: Row[] = [{ left: 0, ...(await memoryOf(process)) }];
  for (let left = 0; left < 3000; ) {
    for (let at = 0; at < 500; at += 20, left += 20) {
      const gone = await Promise.all(Array.from({ length: 20 }, () => loaded(url)));
      for (const client of gone) {
        await client.callTool(ECHO);
        await client.close();
      }
    }
    rows.push({ left, ...(await memoryOf(process)) });
  }
  return rows;
}

/** While sessions call two servers, one of them is killed. */
async function killedServer({ url, process: gateway }: Gateway): Promise<Row[]> {
  const many = await Promise.all(Array.from({ length: 8 }, () => loaded(url)));
  const read = { name: "call_tool", arguments: { name: "mcp__memory__read_graph", arguments: {} } };
  await many[0]?.callTool(read);
  const counts = { everything: { good: 0, failed: 0 }, memory: { good: 0, failed: 0 } };
  const call = async (client: Client, server: keyof typeof counts) => {
    const { isError } = await client.callTool(server === "everything" ? ECHO : read);
    counts[server][isError ? "failed" : "good"]++;
  };
  await Promise.all(
    many.map(async (client, at) => {
      for (let turn = 0; turn < 50; turn++) {
        if (at === 0 && turn === 25) process.kill(serverOf(gateway.pid, "server-memory"), "SIGKILL");
        await Promise.all([call(client, "everything"), call(client, "memory")]);
      }
    }),
  );
  return Object.entries(counts).map(([server, count]) => ({
    server: server === "memory" ? "memory, killed half-way" : server,
    ...count,
  }));
}

function memoryEntry(): object {
  return { command: "node", args: [MEMORY], env: { MEMORY_FILE_PATH: join(home, "memory.jsonl") } };
}

function configOf(name: string, mcpServers: object): string {
  const file = join(home, `${name}.json`);
  writeFileSync(file, JSON.stringify({ mcpServers }));
  return file;
}

function serveArgs(config: string): string[] {
  return [BUILT, "serve", "--config", config, "--log", join(home, "calls.log")];
}

async function serveGateway(config: string): Promise<Gateway> {
  const probe = join(ROOT, "scripts/bench/memory-probe.mjs");
  const child = start(process.execPath, ["--preload", probe, ...serveArgs(config), "--port", "0"]);
  return { url: await told(child, /listening on (\S+?),?\s/), process: child };
}

async function serveEverything(): Promise<string> {
  const port = await freePort();
  await told(start("node", [EVERYTHING, "streamableHttp"], { PORT: String(port) }), /(listening) on port/);
  return `http://127.0.0.1:${port}/mcp`;
}

function start(program: string, args: string[], more: Record<string, string> = {}): ChildProcess {
  const child = spawn(program, args, {
    cwd: home,
    env: { ...env, ...more },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  children.push(child);
  return child;
}

/** What the pattern's group finds on stderr; all of it goes on being read. */
function told(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((done, fail) => {
    let text = "";
    child.stderr?.setEncoding("utf8").on("data", (part: string) => {
      if (text.length < 10_000) text += part;
      const found = pattern.exec(text)?.[1];
      if (found !== undefined) done(found);
    });
    child.once("exit", () => fail(new Error(text)));
  });
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ name: "bench", version: "0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)) as Transport);
  clients.push(client);
  return client;
}

async function connectStdio(command: string, ...args: string[]): Promise<Client> {
  const client = new Client({ name: "bench", version: "0" });
  await client.connect(new StdioClientTransport({ command, args, env: env as never, stderr: "ignore" }));
  clients.push(client);
  return client;
}

/** A session in which `echo` is loaded and its server runs. */
async function loaded(gateway: string | string[]): Promise<Client> {
  const client = await (typeof gateway === "string" ? connect(gateway) : connectStdio(process.execPath, ...gateway));
  await load(client);
  return client;
}

async function load(client: Client): Promise<void> {
  const { isError, content } = await client.callTool({
    name: "agi_mcp_discover",
    arguments: { intent: "echo a message" },
  });
  if (isError) throw new Error(JSON.stringify(content));
}

function memoryOf(gateway: ChildProcess): Promise<Row> {
  return new Promise((done) => {
    gateway.once("message", (memory) => {
      const { heapUsed, rss } = memory as Record<"heapUsed" | "rss", number>;
      done({ "heap MB": (heapUsed / 2 ** 20).toFixed(1), "resident MB": (rss / 2 ** 20).toFixed(0) });
    });
    gateway.send("memory");
  });
}

/** The process behind the gateway whose command line has this in it, where the system has `/proc`. */
function serverOf(gateway: number | undefined, part: string): number {
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const parent = / \S (\d+) /.exec(readFileSync(`/proc/${id}/stat`, "utf8"))?.[1];
      if (Number(parent) === gateway && readFileSync(`/proc/${id}/cmdline`, "utf8").includes(part)) return Number(id);
    } catch {
      // It ended while we looked.
    }
  }
  throw new Error(`No process of ${part}`);
}
