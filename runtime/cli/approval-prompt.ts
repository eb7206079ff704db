/** Asks a person, once for each server that the project configures and he has not approved yet. */
import { createInterface, type Interface } from "node:readline/promises";
import { printable } from "../core/errors.ts";
import { approveServers } from "../inventory/approvals.ts";
import type { Place } from "../inventory/host-files.ts";
import type { ServerConfig } from "../inventory/server-config.ts";

interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

/**
 * Anything but a clear yes leaves a server unapproved; it is asked about again the next time. The end of the input is a
 * no to all that is left, Ctrl-C ends the command.
 */
export async function askForApproval(
  pending: readonly ServerConfig[],
  place: Place,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<void> {
  const count = pending.length === 1 ? "a server that is" : `${pending.length} servers that are`;
  output.write(`This project configures ${count} not approved yet. Approve only what you know: it runs as you.\n`);
  const terminal = createInterface({ input, output });
  terminal.on("SIGINT", () => {
    terminal.close();
    process.kill(process.pid, "SIGINT");
  });
  try {
    approveServers(await chosen(pending, terminal, output), place);
  } finally {
    terminal.close();
  }
}

async function chosen(
  pending: readonly ServerConfig[],
  terminal: Interface,
  output: NodeJS.WritableStream,
): Promise<ServerConfig[]> {
  // A question to a closed terminal is never answered.
  const closed = new Promise<null>((done) => terminal.once("close", () => done(null)));
  const approved: ServerConfig[] = [];
  for (const [at, server] of pending.entries()) {
    const [name, file] = [printable(server.name, 60), printable(server.origins[0]?.file ?? "", 200)];
    output.write(`\n  ${name}: ${printable(server.approval?.summary ?? "", 1000)}\n  from ${file}\n`);
    const all = pending.length - at > 1;
    const question = `  Start it, now and later? [y/N${all ? "/a for all" : ""}] `;
    const answer = await Promise.race([terminal.question(question).catch(() => null), closed]);
    if (answer === null) break;
    const word = answer.trim().toLowerCase();
    if (word === "a" && all) return [...approved, ...pending.slice(at)];
    if (word === "y" || word === "yes") approved.push(server);
  }
  return approved;
}
