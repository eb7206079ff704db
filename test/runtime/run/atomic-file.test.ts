/** Old or new, never a mix: whichever call fails, with whichever error. The failing calls wrap the real ones. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import * as files from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type FileCalls, writeAtomic } from "../../../runtime/run/atomic-file.ts";

const folder = mkdtempSync(join(tmpdir(), "mcp-skills-atomic-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** The real calls, of which the n-th fails with the given error instead of being made. */
function failingAt(n: number, code: string): { calls: FileCalls; made: () => number } {
  let made = 0;
  const step = () => {
    made += 1;
    if (made === n) throw Object.assign(new Error(`${code}: injected`), { code });
  };
  const open = async (...args: Parameters<typeof files.open>) => {
    step();
    const handle = await files.open(...args);
    return {
      writeFile: async (text: string) => {
        step();
        await handle.writeFile(text);
      },
      sync: async () => {
        step();
        await handle.sync();
      },
      close: async () => {
        await handle.close();
        step();
      },
    } as never;
  };
  const rename: typeof files.rename = async (from, to) => {
    step();
    await files.rename(from, to);
  };
  return { calls: { open, rename, unlink: files.unlink } as FileCalls, made: () => made };
}

test("a file is written whole, readable by its owner alone", async () => {
  const file = join(folder, "plain.txt");
  await writeAtomic(file, "new");
  assert.equal(readFileSync(file, "utf8"), "new");
  if (process.platform !== "win32") assert.equal(statSync(file).mode & 0o777, 0o600);
});

for (const code of ["ENOSPC", "EACCES", "EROFS", "EIO", "EXDEV", "EDQUOT"]) {
  test(`${code} at any call leaves the old text or the new one, and no temporary file`, async () => {
    const file = join(folder, `${code}.txt`);
    await writeAtomic(file, "old");
    const whole = failingAt(0, code);
    await writeAtomic(file, "old", whole.calls);
    assert.ok(whole.made() >= 8, "every call is counted");
    for (let n = 1; n <= whole.made(); n++) {
      await assert.rejects(writeAtomic(file, "new", failingAt(n, code).calls), {
        name: "PackError",
        code: "write-failed",
      });
      const text = readFileSync(file, "utf8");
      assert.ok(text === "old" || text === "new", `call ${n} left "${text}"`);
      await writeAtomic(file, "old");
    }
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.endsWith(".tmp")),
      [],
    );
  });
}
