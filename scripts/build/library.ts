/** The command line and the library as modules without dependencies, and the types of the library. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundle, licenceNotes, skillPlaces } from "./bundle.ts";
import { type Built, ENTRIES, ROOT } from "./places.ts";

/** The modules that `exports` of package.json names; a skill's own module is its built script. */
const LIBRARY = [
  "runtime/flow.ts",
  "runtime/pack.ts",
  "runtime/core/contracts.ts",
  "runtime/core/handler.ts",
  "runtime/core/results-fence.ts",
  "runtime/search/index.ts",
];

export async function buildLibrary(outdir: string, types: string): Promise<Built[]> {
  await buildCommandLine(outdir, LIBRARY);
  writeTypes(types);
  const files = readdirSync(outdir).filter((file) => file.endsWith(".mjs"));
  const size = (names: string[]) => names.reduce((sum, file) => sum + statSync(join(outdir, file)).size, 0);
  return [
    { name: "mcp-skills.mjs", bytes: size(["mcp-skills.mjs"]) },
    { name: "everything", bytes: size(files) },
  ];
}

/**
 * `mcp-skills.mjs`. With further modules beside it, what it loads is in files of its own, so that each command starts with
 * what it needs; without, all is in the one file.
 */
export async function buildCommandLine(outdir: string, beside: readonly string[] = []): Promise<void> {
  rmSync(outdir, { recursive: true, force: true });
  const entries = [...beside, "runtime/cli/bin.ts"].map((file) => join(ROOT, file));
  const packages = await bundle({ entries, outdir, single: beside.length === 0, plugins: [skillPlaces] });
  writeFileSync(join(outdir, "LICENCES.txt"), licenceNotes(packages));
  renameSync(join(outdir, "bin.mjs"), join(outdir, "mcp-skills.mjs"));
  chmodSync(join(outdir, "mcp-skills.mjs"), 0o755);
}

function writeTypes(outdir: string): void {
  rmSync(outdir, { recursive: true, force: true });
  const skills = readdirSync(join(ROOT, "skills")).map((name) => `skills/${name}/${name}.ts`);
  const config = join(ENTRIES, "tsconfig.types.json");
  mkdirSync(ENTRIES, { recursive: true });
  writeFileSync(
    config,
    JSON.stringify({
      extends: "../../../tsconfig.json",
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        rootDir: ROOT,
        outDir: outdir,
        types: ["node"],
      },
      include: [],
      files: [...LIBRARY, ...skills].map((file) => join(ROOT, file)),
    }),
  );
  const { status, stdout } = spawnSync(join(ROOT, "node_modules/.bin/tsc"), ["-p", config], { encoding: "utf8" });
  if (status !== 0) throw new Error(`The types cannot be written:\n${stdout}`);
  // The compiler keeps the sources' extensions in declarations, where no consumer could resolve them.
  for (const file of readdirSync(outdir, { recursive: true }).map((file) => join(outdir, String(file)))) {
    if (!file.endsWith(".d.ts")) continue;
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace(/((?:from |import\()"\.[^"]*)\.ts"/g, '$1.js"'));
  }
}
