/** The promise that detection only reads: every program that it knows lies on the PATH as a trap, and nothing is started. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import { readTables } from "../../../runtime/core/tables.ts";
import { ROOT } from "../../support/cli.ts";

const folder = join(ROOT, "skills/mcp-cli-discovery");

test("the whole detection starts no process and touches no program on the PATH", { timeout: 60_000 }, async () => {
  const place = mkdtempSync(join(tmpdir(), "no-probing-"));
  try {
    const markdown = readFileSync(join(folder, "SKILL.md"), "utf8");
    const rows = (await readTables(markdown, "SKILL.md")).byHeading.get("Known CLIs")?.rows ?? [];
    const names = [...rows.map(({ cells }) => cells.cli ?? ""), "which", "where", "command", "sh"];
    for (const name of names) {
      writeFileSync(join(place, name), `#!/bin/sh\n: > "$0.touched"\n`);
      chmodSync(join(place, name), 0o755);
    }
    const inputs = ["untouched", "development"].flatMap((half) =>
      (parse(readFileSync(join(ROOT, `test/fixtures/detect/${half}.yaml`), "utf8")) as Record<string, unknown>[]).map(
        ({ text, tools }) => ({ prompt: text, copilotInstructions: text, harnessTools: tools }),
      ),
    );
    inputs.push({ prompt: names.join(" "), copilotInstructions: names.join(", "), harnessTools: names });
    writeFileSync(join(place, "inputs.json"), JSON.stringify(inputs));
    const { calls, found } = await runGuarded(join(place, "inputs.json"), place);
    assert.deepEqual(calls, []);
    assert.ok(found > 200, `${found} names found`);
    assert.deepEqual(
      readdirSync(place).filter((name) => name.endsWith(".touched")),
      [],
    );
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});

function runGuarded(inputs: string, path: string): Promise<{ calls: string[]; found: number }> {
  const module = ["ts", "js"]
    .map((extension) => join(folder, `mcp-cli-discovery.${extension}`))
    .find((file) => existsSync(file));
  const run = "Deno" in globalThis ? ["run", "--allow-all", "--no-check", "--quiet"] : [];
  const script = join(ROOT, "test/fixtures/detect/guarded.mjs");
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [...run, script, module ?? "", inputs], {
      env: { ...process.env, PATH: `${path}${delimiter}${process.env.PATH}` },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.on("error", fail);
    child.on("close", () => {
      try {
        done(JSON.parse(stdout));
      } catch (error) {
        fail(error);
      }
    });
  });
}
