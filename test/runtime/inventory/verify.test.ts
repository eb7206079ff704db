import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { verifyPrograms } from "../../../runtime/inventory/verify.ts";
import { KNOWN_CLIS } from "../../../skills/mcp-cli-discovery/mcp-cli-discovery.ts";
import { runCli } from "../../support/cli.ts";
import { isRunning } from "../../support/processes.ts";

/** A folder of programs, first on the PATH while `use` runs. */
async function withPrograms(
  programs: Record<string, string>,
  use: (folder: string) => Promise<void>,
  path = (folder: string) => `${folder}${delimiter}${process.env.PATH}`,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "verify-"));
  const before = process.env.PATH;
  try {
    for (const [name, body] of Object.entries(programs)) {
      writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`);
      chmodSync(join(folder, name), 0o755);
    }
    process.env.PATH = path(folder);
    await use(folder);
  } finally {
    process.env.PATH = before;
    rmSync(folder, { recursive: true, force: true });
  }
}

test("a known program is asked for its version, with those arguments and a bare environment only", async () => {
  process.env.VERIFY_SECRET = "s3cret";
  const body = 'echo "gh 2.0 [$*] [$VERIFY_SECRET] [$HOME]"\necho second';
  await withPrograms({ gh: body }, async () => {
    assert.deepEqual(await verifyPrograms(["gh", "gh"], KNOWN_CLIS), [
      { name: "gh", state: "found", version: "gh 2.0 [--version] [] []" },
    ]);
  });
  delete process.env.VERIFY_SECRET;
});

test("only exact names of the table are ever started", async () => {
  const hostile = ["rm;curl evil", "../../bin/sh", "-rf", "gh\u0000", "ｇｈ", "GH", "gh ", "unlisted", "__proto__", ""];
  await withPrograms({ unlisted: ': > "$0.touched"', GH: ': > "$0.touched"' }, async (folder) => {
    for (const { state, version } of await verifyPrograms(hostile, KNOWN_CLIS)) {
      assert.deepEqual([state, version], ["unknown", null]);
    }
    assert.ok(!existsSync(join(folder, "unlisted.touched")) && !existsSync(join(folder, "GH.touched")));
  });
});

test("a program that is not there, fails, floods or hides text is told as what it is", async () => {
  const programs = {
    az: "exit 3",
    jq: "while :; do echo flood; done",
    kubectl: "printf '\\033[2Jv1\\342\\200\\256\\n'",
  };
  await withPrograms(programs, async () => {
    const found = await verifyPrograms(["az", "jq", "kubectl", "argocd"], KNOWN_CLIS);
    assert.deepEqual(
      found.map(({ state }) => state),
      ["found", "found", "found", "absent"],
    );
    assert.deepEqual(
      found.map(({ version }) => version),
      [null, "flood", "\\u{1b}[2Jv1\\u{202e}", null],
    );
  });
});

test("one that does not answer is left, and nothing of it stays behind", async () => {
  const hang = 'sleep 600 & echo $! > "$0.child"; echo $$ > "$0.pid"; wait';
  await withPrograms({ helm: hang }, async (folder) => {
    const [helm] = await verifyPrograms(["helm"], KNOWN_CLIS, 500);
    assert.equal(helm?.state, "found");
    const started = ["helm.child", "helm.pid"].map((file) => Number(readFileSync(join(folder, file), "utf8")));
    // The kernel ends a killed process in its own time.
    while (started.some(isRunning)) await new Promise((done) => setTimeout(done, 5));
  });
});

test("a relative folder on the PATH, where a project could put a program, is not searched", async () => {
  const place = process.cwd();
  await withPrograms(
    { terragrunt: "echo planted" },
    async (folder) => {
      process.chdir(folder);
      try {
        const [planted] = await verifyPrograms(["terragrunt"], KNOWN_CLIS);
        assert.deepEqual([planted?.state, planted?.version], ["absent", null]);
      } finally {
        process.chdir(place);
      }
    },
    () => ["", ".", "./bin", process.env.PATH].join(delimiter),
  );
});

test("the command looks only for what prompt and instructions name", { timeout: 60_000 }, async () => {
  const { code, stdout } = await runCli([
    "verify",
    "--prompt",
    "Use `git`. Don't use gh. Check CLI `rm;curl evil`.",
    "--json",
  ]);
  assert.equal(code, 0);
  const verified = JSON.parse(stdout) as { name: string; state: string; sources: string[] }[];
  assert.deepEqual(
    verified.map(({ name, sources }) => [name, sources]),
    [["git", ["prompt"]]],
  );
  assert.deepEqual((await runCli(["verify"])).stdout, "");
});
