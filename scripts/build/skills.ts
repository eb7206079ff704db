/** Each skill as a folder that any installer can copy: its text, one script with everything inside, its tables, its licences. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { knownTables, parsedCopy } from "../../runtime/core/tables.ts";
import { bundle, HOOK_REST, hookParts, licenceNotes } from "./bundle.ts";
import { type Built, ENTRIES, ROOT } from "./places.ts";

const SOURCE = join(ROOT, "skills");

export async function buildSkills(outdir: string): Promise<Built[]> {
  const built: Built[] = [];
  for (const name of readdirSync(SOURCE).sort()) {
    if (!existsSync(join(SOURCE, name, "SKILL.md"))) continue;
    const folder = join(outdir, name);
    rmSync(folder, { recursive: true, force: true });
    copyText(name, folder);
    const packages = new Set(await buildScript(name, folder));
    if (name === "using-mcp") for (const inside of await buildHook(folder)) packages.add(inside);
    await writeTables(name, folder);
    writeFileSync(join(folder, "scripts", "LICENCES.txt"), licenceNotes([...packages].sort()));
    for (const file of readdirSync(join(folder, "scripts")).filter((file) => file.endsWith(".mjs"))) {
      built.push({ name: `${name}/scripts/${file}`, bytes: statSync(join(folder, "scripts", file)).size });
    }
  }
  return built;
}

/** Everything of the folder but modules, which the script replaces, and a copy of tables that may be there. */
function copyText(name: string, folder: string): void {
  cpSync(join(SOURCE, name), folder, {
    recursive: true,
    filter: (file) => !/\.ts$|[/\\]tables\.cache$/.test(file),
  });
  cpSync(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
  mkdirSync(join(folder, "scripts"), { recursive: true });
}

async function buildScript(name: string, folder: string): Promise<string[]> {
  const entry = writeEntry(`${name}.ts`, [
    `import * as skill from "../../../skills/${name}/${name}.ts";`,
    `import { runSkillScript } from "../../../runtime/skill-script.ts";`,
    `export * from "../../../skills/${name}/${name}.ts";`,
    "await runSkillScript(import.meta.url, skill);",
  ]);
  return bundle({ entries: [entry], outdir: join(folder, "scripts"), single: true });
}

/** The hooks of a host run from the installed skill whose rule they keep. */
async function buildHook(folder: string): Promise<string[]> {
  const entry = writeEntry("hook.ts", [
    `import { runHook } from "../../../runtime/hooks/run-hook.ts";`,
    "process.exitCode = await runHook(process.argv.slice(2));",
  ]);
  const prompt = writeEntry("hook-prompt.ts", [`export * from "../../../runtime/hooks/user-prompt-submit.ts";`]);
  const rest = writeEntry(
    "hook-rest.ts",
    Object.entries(HOOK_REST).map(([from, names]) => `export { ${names} } from "${from}";`),
  );
  writeFileSync(
    join(folder, "scripts/bunfig.toml"),
    "# A hook is started with this file, so that no other one counts.\n",
  );
  const packages: string[] = [];
  for (const script of [entry, prompt, rest]) {
    const plugins = script === rest ? [] : [hookParts];
    packages.push(...(await bundle({ entries: [script], outdir: join(folder, "scripts"), single: true, plugins })));
  }
  return packages;
}

function writeEntry(name: string, lines: string[]): string {
  mkdirSync(ENTRIES, { recursive: true });
  const file = join(ENTRIES, name);
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

/** The tables as data, with the text of the very SKILL.md beside it. */
async function writeTables(name: string, folder: string): Promise<void> {
  await import(pathToFileURL(join(SOURCE, name, `${name}.ts`)).href);
  const known = knownTables.get(join(SOURCE, name, "SKILL.md"));
  if (known === undefined) return;
  const source = readFileSync(join(folder, "SKILL.md"));
  writeFileSync(join(folder, "tables.cache"), parsedCopy({ data: known.data, source }));
}
