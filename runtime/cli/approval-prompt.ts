/** Asks a person, once for each server that the project configures and he has not approved yet. */
import { createInterface } from "node:readline/promises";
import { printable } from "../core/errors.ts";
import { approveServers } from "../inventory/approvals.ts";
import type { Place } from "../inventory/host-files.ts";
import type { ServerConfig } from "../inventory/server-config.ts";

/** Anything but a clear yes leaves a server unapproved; it is asked about again the next time. */
export async function askForApproval(
  pending: readonly ServerConfig[],
  place: Place,
  { input, output }: { input: NodeJS.ReadableStream; output: NodeJS.WritableStream } = {
    input: process.stdin,
    output: process.stderr,
  },
): Promise<void> {
  const note = (text: string) => output.write(`${text}\n`);
  const count = pending.length === 1 ? "a server that is" : `${pending.length} servers that are`;
  note(`This project configures ${count} not approved yet. Approve only what you know: it runs as you.`);
  const terminal = createInterface({ input, output });
  const approved: ServerConfig[] = [];
  try {
    for (const [at, server] of pending.entries()) {
      const file = printable(server.origins[0]?.file ?? "", 200);
      note(`\n  ${printable(server.name, 60)}: ${printable(server.approval?.summary ?? "", 1000)}\n  from ${file}`);
      const rest = pending.length - at > 1 ? "/a for all" : "";
      const answer = (await terminal.question(`  Start it, now and later? [y/N${rest}] `)).trim().toLowerCase();
      if (answer === "a" && rest !== "") {
        approved.push(...pending.slice(at));
        break;
      }
      if (answer === "y" || answer === "yes") approved.push(server);
    }
  } finally {
    terminal.close();
  }
  approveServers(approved, place);
}
