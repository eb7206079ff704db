/** One call of Bun's bundler, and the licences of the packages that went into what it gives. */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { BunPlugin } from "bun";
import { parsedCopy, parsedCopyOf, readTables } from "../../runtime/core/tables.ts";
import { readSynonyms } from "../../runtime/search/synonym-table.ts";
import { ROOT } from "./places.ts";

/**
 * A skill's module reads its tables beside itself. Bundled into the command line, it stands elsewhere and is told where its
 * folder lies: `skills/` beside the bundle's own folder.
 */
export const skillPlaces: BunPlugin = {
  name: "skill-places",
  setup(build) {
    build.onLoad({ filter: /[/\\]skills[/\\][a-z0-9-]+[/\\][a-z0-9-]+\.ts$/ }, ({ path }) => {
      const [, skill] = /[/\\]skills[/\\]([a-z0-9-]+)[/\\]/.exec(path) ?? [];
      const place = `new URL("../skills/${skill}/SKILL.md", import.meta.url).href`;
      return { loader: "ts", contents: readFileSync(path, "utf8").replaceAll("import.meta.url", place) };
    });
  },
};

/** The package's other build hides its parts from a bundler. */
const modules: BunPlugin = {
  name: "modules",
  setup(build) {
    const path = join(ROOT, "node_modules/jsonc-parser/lib/esm/main.js");
    build.onResolve({ filter: /^jsonc-parser$/ }, () => ({ path }));
    // The Markdown parser's log of itself: it looks through the whole environment, which Deno would ask about.
    build.onResolve({ filter: /^debug$/ }, () => ({ path: "debug", namespace: "silent" }));
    build.onLoad({ filter: /./, namespace: "silent" }, () => ({
      loader: "js",
      contents: "export default () => Object.assign(() => {}, { enabled: false });",
    }));
  },
};

/**
 * zod says of its functions that a call without a use may go; this bundler hears that of calls alone. Of the flow's schemas a
 * script keeps those that it uses.
 */
const unusedSchemas: BunPlugin = {
  name: "unused-schemas",
  setup(build) {
    build.onLoad({ filter: /[/\\]runtime[/\\]core[/\\]contracts\.ts$/ }, ({ path }) => ({
      loader: "ts",
      contents: readFileSync(path, "utf8").replace(/\bz\.\w+\(/g, "/* @__PURE__ */ $&"),
    }));
  },
};

/**
 * What a hook needs only where the parsed tables do not fit or settings have comments: four fifths of the code, which would
 * be read before every call. Names by package, or by module as the generated entry sees it.
 */
export const HOOK_REST: Record<string, string> = {
  "../../../skills/using-mcp/tables.ts": "readUsingMcpTables",
  "../../../runtime/core/schema-messages.ts": "",
  "mdast-util-from-markdown": "fromMarkdown",
  "micromark-extension-gfm-table": "gfmTable",
  "mdast-util-gfm-table": "gfmTableFromMarkdown",
  "mdast-util-to-string": "toString",
  "jsonc-parser": "parse, printParseErrorCode",
};

/** Leaves that, and what only prompts need, in files of their own beside the hook's. */
export const hookParts: BunPlugin = {
  name: "hook-parts",
  setup(build) {
    build.onResolve({ filter: /./ }, ({ path, kind }) => {
      if (kind !== "dynamic-import") return undefined;
      if (path === "./user-prompt-submit.ts") return { path: "./hook-prompt.mjs", external: true };
      return Object.keys(HOOK_REST).some((rest) => rest === path || basename(rest) === basename(path))
        ? { path: "./hook-rest.mjs", external: true }
        : undefined;
    });
  },
};

export interface BundleOptions {
  entries: string[];
  outdir: string;
  /** One file for each entry, with everything inside; else shared parts become files of their own. */
  single: boolean;
  plugins?: BunPlugin[];
}

/** Bundles for Node 20 and later, and gives the names of the packages inside. */
export async function bundle({ entries, outdir, single, plugins = [] }: BundleOptions): Promise<string[]> {
  const result = await Bun.build({
    entrypoints: entries,
    outdir,
    target: "node",
    format: "esm",
    minify: true,
    metafile: true,
    splitting: !single,
    plugins: [modules, unusedSchemas, ...plugins],
    naming: { entry: "[name].mjs", chunk: "chunk-[hash].mjs" },
  });
  const inputs = Object.keys(result.metafile?.inputs ?? {});
  if (inputs.some((input) => input.endsWith("runtime/search/synonyms.ts"))) await copySynonyms(outdir);
  const packages = inputs.flatMap((input) => /.*node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)/.exec(input)?.[1] ?? []);
  return [...new Set(packages)].sort();
}

/** The search reads its synonyms beside itself, wherever it stands. */
async function copySynonyms(outdir: string): Promise<void> {
  const source = join(ROOT, "runtime/search/synonyms.md");
  const target = join(outdir, "synonyms.md");
  cpSync(source, target);
  const text = readFileSync(source);
  const data = readSynonyms(await readTables(text.toString("utf8"), source));
  writeFileSync(parsedCopyOf(target), parsedCopy({ data, source: text }));
}

/** What the licences of bundled packages ask to be passed on with them. */
export function licenceNotes(packages: readonly string[]): string {
  const notes = packages.map((name) => {
    const folder = join(ROOT, "node_modules", name);
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, string>;
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined || !existsSync(join(folder, file)) ? "" : readFileSync(join(folder, file), "utf8");
    return `${name} ${manifest.version} (${manifest.license})\n\n${text.replaceAll("\r\n", "\n").trim()}\n`;
  });
  return `The files beside this one contain code of the following packages.\n\n${notes.join(`\n${"-".repeat(72)}\n\n`)}`;
}
