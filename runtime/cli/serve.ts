import { defineCommand } from "citty";
import { ENDING_SIGNALS } from "../core/ending-signals.ts";
import { describeError, PackError, printable } from "../core/errors.ts";
import type { Gateway } from "../gateway/gateway.ts";
import { note, repeated } from "./io.ts";
import { packFolder } from "./pack-folder.ts";
import { GATEWAY_ARGS, gatewayFor } from "./serve-gateway.ts";
import { VERSION } from "./version.ts";

export const command = defineCommand({
  meta: {
    name: "serve",
    description:
      "Run as one MCP server, over stdio or HTTP, in place of all configured ones: few tools, reads run, writes ask",
  },
  args: {
    ...GATEWAY_ARGS,
    port: { type: "string", description: "Serve over Streamable HTTP on this port (0: any) instead of stdio" },
    listen: {
      type: "string",
      description: "Address for HTTP (default 127.0.0.1); off loopback a token in MCP_SKILLS_TOKEN is required",
      valueHint: "address",
    },
    "allow-host": {
      type: "string",
      description: "A further host name under which clients reach the server; may be repeated",
      valueHint: "name",
    },
    handlers: { type: "boolean", description: "Serve the pack's own handlers as tools instead" },
  },
  async run({ args, rawArgs }) {
    if (args.handlers) {
      await serveHandlers();
      return 0;
    }
    if (args.port !== undefined) {
      await serveOverHttp(args.port, args.listen, repeated(rawArgs, "allow-host"), () => gatewayFor(args, rawArgs));
      return 0;
    }
    if (args.listen !== undefined) throw new PackError("usage", "--listen needs --port", { fix: "Give both" });
    const [{ serveOverStdio }, gateway] = await Promise.all([import("../gateway/stdio.ts"), gatewayFor(args, rawArgs)]);
    await serveOverStdio(gateway);
    return 0;
  },
});

/** Serves until the process is told to end. The address goes to stderr, in a line that a script can wait for. */
async function serveOverHttp(
  port: string,
  address: string | undefined,
  hosts: string[],
  open: () => Promise<Gateway>,
): Promise<void> {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new PackError("usage", `"${printable(port, 40)}" is no port`, { fix: "Give a number from 0 to 65535" });
  }
  const token = process.env.MCP_SKILLS_TOKEN || undefined;
  const { checkAccess, serveHttp } = await import("../gateway/http.ts");
  checkAccess({ address, token });
  const gateway = await open();
  try {
    const http = await serveHttp(gateway, { port: Number(port), address, token, hosts });
    note(`listening on ${http.url}${token === undefined ? "" : ", with the token of MCP_SKILLS_TOKEN"}`);
    await new Promise<void>((done) => {
      for (const signal of ENDING_SIGNALS) process.once(signal, () => done());
    });
    await http.close();
  } finally {
    await gateway.close();
  }
}

async function serveHandlers(): Promise<void> {
  const [{ createHandlerServer, serveStdio }, { loadPack }] = await Promise.all([
    import("../gateway/handler-server.ts"),
    import("../pack.ts"),
  ]);
  const pack = await loadPack(packFolder());
  for (const error of pack.errors) note(describeError(error));
  await serveStdio(createHandlerServer(pack.handlers, { version: VERSION }));
}
