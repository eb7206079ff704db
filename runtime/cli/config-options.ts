/** The options of every command that reads the hosts' configuration, and what is configured under them. */
import type { ArgsDef } from "citty";
import { describeError, PackError } from "../core/errors.ts";
import { homeFolder } from "../core/home-folder.ts";
import type { Place } from "../inventory/host-files.ts";
import type { Configured } from "../inventory/server-config.ts";
import { isTerminal, note, repeated } from "./io.ts";

export const CONFIG_ARGS = {
  config: {
    type: "string",
    description: "Read this file instead of the hosts' own and trust what it starts; may be repeated",
    valueHint: "file",
  },
  host: { type: "string", description: "Only this host's files, such as cursor; may be repeated", valueHint: "id" },
  only: { type: "string", description: "Only this server; may be repeated", valueHint: "name" },
  "trust-project": {
    type: "boolean",
    description: "Approve the servers that this project configures, as they are now, and remember it",
  },
} as const satisfies ArgsDef;

export interface ConfigArgs {
  "trust-project"?: boolean | undefined;
}

/** This process's place: where the hosts' files are looked for. */
export function currentPlace(): Place {
  return { cwd: process.cwd(), home: homeFolder(), env: process.env, platform: process.platform };
}

/**
 * Reads what is configured. With `ask`, a person at a terminal is asked about each server of the project that he has not
 * approved; without a terminal they stay unapproved. Throws `usage` for an unknown host or server.
 */
export async function readConfig(args: ConfigArgs, rawArgs: string[], { ask = false } = {}): Promise<Configured> {
  const { readConfigured } = await import("../inventory/configured.ts");
  const place = currentPlace();
  const values = (name: string) => {
    const given = repeated(rawArgs, name);
    return given.length === 0 ? undefined : given;
  };
  const [configs, hosts, only] = ["config", "host", "only"].map(values);
  const configured = await readConfigured({
    ...place,
    ...(configs && { configs }),
    ...(hosts && { hosts: hosts.flatMap((value) => value.split(",")) }),
    ...(only && { only }),
    trustProject: args["trust-project"] === true,
  });
  const pending = configured.servers.filter(({ state }) => state === "needs-approval");
  if (ask && pending.length > 0 && isTerminal(0) && isTerminal(2)) {
    const { askForApproval } = await import("./approval-prompt.ts");
    try {
      await askForApproval(pending, place);
    } catch (error) {
      if (!(error instanceof PackError)) throw error;
      note(`warning: ${describeError(error)}`);
    }
  }
  return configured;
}
