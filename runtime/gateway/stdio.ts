/** The gateway over stdin and stdout: one client, and nothing left when it goes. */
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { isJSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import { ENDING_SIGNALS } from "../core/ending-signals.ts";
import { within } from "../inventory/child.ts";
import type { Gateway } from "./gateway.ts";

/** How long what was asked before stdin ended may still be answered, in milliseconds. */
const LAST_ANSWERS_MS = 1000;

/**
 * Serves one session until its client closes stdin or stops reading stdout, or the process is told to end; then the gateway
 * and every server behind it is closed.
 */
export async function serveOverStdio(gateway: Gateway): Promise<void> {
  const { stdin, stdout } = process;
  const session = gateway.openSession();
  const transport = new StdioServerTransport();
  const answered = answersOf(transport);
  let end = () => {};
  const ended = new Promise<void>((done) => {
    end = done;
  });
  // Whoever listened before may leave at once, and the servers behind the gateway would stay.
  stdout.removeAllListeners("error");
  stdout.on("error", end);
  let leaving = false;
  const leave = () => {
    if (leaving) return;
    leaving = true;
    void within(answered(), LAST_ANSWERS_MS).then(end);
  };
  // Which of the two comes first, or at all, differs by runtime and by how the client went.
  for (const event of ["end", "close"]) stdin.once(event, leave);
  stdin.once("error", end);
  for (const signal of ENDING_SIGNALS) process.once(signal, end);
  void session.closed.then(end);
  await session.server.connect(transport);
  await ended;
  await gateway.close();
  for (const signal of ENDING_SIGNALS) process.off(signal, end);
  stdin.destroy();
}

/** Watches a transport before it is connected; what it gives resolves when every request has been answered. */
function answersOf(transport: Transport): () => Promise<void> {
  const open = new Set<string | number>();
  let settle = () => {};
  transport.onmessage = (message) => {
    if (isJSONRPCRequest(message)) open.add(message.id);
  };
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    await send(message, options);
    if (!("method" in message) && message.id !== undefined) open.delete(message.id);
    if (open.size === 0) settle();
  };
  return () =>
    new Promise((done) => {
      settle = done;
      if (open.size === 0) done();
    });
}
