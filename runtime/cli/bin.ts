#!/usr/bin/env node
/** Where the built command line starts. A hook runs before every call of a tool, so it loads nothing of the rest. */
const argv = process.argv.slice(2);
if (argv[0] === "hook") {
  const { runHook } = await import("../hooks/run-hook.ts");
  process.exitCode = await runHook(argv.slice(1));
} else {
  const { main } = await import("./main.ts");
  process.exitCode = await main(argv);
}
