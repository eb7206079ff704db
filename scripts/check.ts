/**
 * Everything that must hold before a change lands: types, lint and format, and the same tests on Bun, Deno and Node.
 * Ends with one line, `N passed, N failed`, over all test runs; a step that fails counts as one failed test.
 *
 *   bun run check            everything
 *   bun run check types bun  only these steps
 */
import { spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BIN = join(ROOT, "node_modules/.bin");
/** Node cannot load the source, so the tests run there from a copy without types; inside the repository, to find its packages. */
const NODE_COPY = join(ROOT, ".cache/node");

/** Where tests keep what they make. Not every runtime lets them clean up at its end, so all of it goes with the folder. */
const TEMPORARY = mkdtempSync(join(tmpdir(), "mcp-skills-check-"));
// As the common folder is: some tests run as another user, who has to get through.
chmodSync(TEMPORARY, 0o755);

interface Outcome {
  passed: number;
  failed: number;
}

interface Step {
  name: string;
  run(): Promise<Outcome>;
}

const STEPS: Step[] = [
  { name: "types", run: () => command("types", [`${BIN}/tsc`, "--noEmit"]) },
  { name: "lint", run: () => command("lint", [`${BIN}/biome`, "check", "--error-on-warnings", "."]) },
  {
    name: "bun",
    run: () =>
      tests("bun", [process.execPath, "test", "--timeout", "60000"], testFiles("test"), {
        passed: /^\s*(\d+) pass$/m,
        failed: /^\s*(\d+) fail$/m,
      }),
  },
  {
    name: "deno",
    run: () =>
      tests("deno", [`${BIN}/deno`, "test", "--allow-all", "--no-check", "--quiet"], testFiles("test"), {
        passed: /(\d+) passed/,
        failed: /\| (\d+) failed/,
      }),
  },
  {
    name: "node",
    run: async () => {
      await inTurn(copyForNode);
      const all = join(ROOT, "scripts/test-files.mjs");
      return tests("node", ["node", "--test-reporter=tap", all], testFiles(join(NODE_COPY, "test")), {
        passed: /^# pass (\d+)$/m,
        failed: /^# fail (\d+)$/m,
      });
    },
  },
];

/**
 * Processes of tests that run at once: one more than there are cores, at most four, since many tests wait for processes of
 * their own. The steps share them, so that no core is idle while a step's last tests run.
 */
const AT_ONCE = Math.min(4, availableParallelism() + 1);
const waiting: (() => void)[] = [];
let running = 0;

const wanted = process.argv.slice(2);
const total: Outcome = { passed: 0, failed: 0 };
const start = performance.now();
// Deno's package puts its program in place at the first start; of two at once, one would lose it while it runs.
await execute([`${BIN}/deno`, "--version"]);
await Promise.all(
  STEPS.filter(({ name }) => wanted.length === 0 || wanted.includes(name)).map(async (step) => {
    const { passed, failed } = await step.run();
    total.passed += passed;
    total.failed += failed;
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(
      `${failed === 0 ? "ok  " : "FAIL"} ${step.name}: ${passed} passed, ${failed} failed, after ${seconds} s`,
    );
  }),
);
rmSync(TEMPORARY, { recursive: true, force: true, maxRetries: 3 });
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

/** Waits for a place among the processes that may run at once; places are given in the order asked for. */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= AT_ONCE) await new Promise<void>((go) => waiting.push(go));
  else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }
}

/** A step that either holds or does not: it counts as one test. */
async function command(name: string, argv: string[]): Promise<Outcome> {
  const { code, output } = await inTurn(() => execute(argv));
  if (code !== 0) console.log(`--- ${name}\n${output}`);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/**
 * Runs test files in a few processes. Each takes a share of the files, since loading the libraries anew for each file costs
 * more than the tests do.
 */
async function tests(
  name: string,
  argv: string[],
  files: string[],
  line: { passed: RegExp; failed: RegExp },
): Promise<Outcome> {
  const shares = AT_ONCE;
  const outcomes = await Promise.all(
    Array.from({ length: shares }, async (_, share): Promise<Outcome> => {
      const own = files.filter((_file, at) => at % shares === share);
      const { code, output } = await inTurn(() => execute([...argv, ...own]));
      const passed = Number(line.passed.exec(output)?.[1] ?? 0);
      const failed = Number(line.failed.exec(output)?.[1] ?? 0);
      const ran = passed + failed > 0;
      if (code !== 0 || !ran) console.log(`--- ${name}\n${output}`);
      // A run that ends badly without a failed test (a crash, no test found) has failed all the same.
      return { passed, failed: code !== 0 || !ran ? Math.max(1, failed) : failed };
    }),
  );
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
  };
}

function execute(argv: string[]): Promise<{ code: number; output: string }> {
  return new Promise((done) => {
    const [file = "", ...args] = argv;
    const child = spawn(file, args, {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NO_COLOR: "1", MCP_SKILLS_TEST_SERVERS: process.execPath, TMPDIR: TEMPORARY },
    });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.on("error", (error) => done({ code: 127, output: `${file}: ${error.message}` }));
    child.on("close", (code) => done({ code: code ?? 1, output: Buffer.concat(chunks).toString() }));
  });
}

async function copyForNode(): Promise<void> {
  rmSync(NODE_COPY, { recursive: true, force: true });
  mkdirSync(NODE_COPY, { recursive: true });
  for (const entry of ["skills", "runtime", "test", "examples", ".mcp.json", "package.json"]) {
    cpSync(join(ROOT, entry), join(NODE_COPY, entry), {
      recursive: true,
      filter: (file) => !/(?<!\.d)\.ts$/.test(file),
    });
  }
  symlinkSync(join(ROOT, "node_modules"), join(NODE_COPY, "node_modules"));
  const options = [
    "--noEmit",
    "false",
    "--noCheck",
    "--rewriteRelativeImportExtensions",
    "--sourceMap",
    "--inlineSources",
  ];
  const { code, output } = await execute([`${BIN}/tsc`, ...options, "--rootDir", ROOT, "--outDir", NODE_COPY]);
  if (code !== 0) console.log(`--- node, removing the types\n${output}`);
  const tables = await execute(["node", join(NODE_COPY, "scripts/tables.js")]);
  if (tables.code !== 0) console.log(`--- node, tables\n${tables.output}`);
}

function testFiles(folder: string): string[] {
  return readdirSync(resolve(ROOT, folder), { recursive: true })
    .map((file) => resolve(ROOT, folder, String(file)))
    .filter((file) => /\.test\.[jt]s$/.test(file))
    .sort();
}
