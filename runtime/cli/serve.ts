import { defineCommand } from "citty";
import { describeError } from "../core/errors.ts";
import { loadPack } from "../pack.ts";
import { note } from "./io.ts";
import { packFolder } from "./pack-folder.ts";
import { VERSION } from "./version.ts";

export const command = defineCommand({
  meta: { name: "serve", description: "Run as an MCP server over stdio: every handler of the pack is a tool" },
  async run() {
    const [{ createHandlerServer, serveStdio }, pack] = await Promise.all([
      import("../gateway/handler-server.ts"),
      loadPack(packFolder()),
    ]);
    for (const error of pack.errors) note(describeError(error));
    await serveStdio(createHandlerServer(pack.handlers, { version: VERSION }));
    return 0;
  },
});
