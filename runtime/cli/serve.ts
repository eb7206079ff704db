import { defineCommand } from "citty";
import { describeError } from "../core/errors.ts";
import { note } from "./io.ts";
import { packFolder } from "./pack-folder.ts";
import { GATEWAY_ARGS, gatewayFor } from "./serve-gateway.ts";
import { VERSION } from "./version.ts";

export const command = defineCommand({
  meta: {
    name: "serve",
    description: "Run as one MCP server over stdio in place of all configured ones: few tools, reads run, writes ask",
  },
  args: {
    ...GATEWAY_ARGS,
    handlers: { type: "boolean", description: "Serve the pack's own handlers as tools instead" },
  },
  async run({ args, rawArgs }) {
    if (args.handlers) {
      await serveHandlers();
      return 0;
    }
    const [{ serveOverStdio }, gateway] = await Promise.all([import("../gateway/stdio.ts"), gatewayFor(args, rawArgs)]);
    await serveOverStdio(gateway);
    return 0;
  },
});

async function serveHandlers(): Promise<void> {
  const [{ createHandlerServer, serveStdio }, { loadPack }] = await Promise.all([
    import("../gateway/handler-server.ts"),
    import("../pack.ts"),
  ]);
  const pack = await loadPack(packFolder());
  for (const error of pack.errors) note(describeError(error));
  await serveStdio(createHandlerServer(pack.handlers, { version: VERSION }));
}
