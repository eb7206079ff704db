/**
 * One configured server, as the rest of the inventory works with it, whichever host's file it came from. It may hold
 * secrets (environment, headers, arguments), so it stays in memory: it is never logged, cached or printed whole.
 */
import type { FailureKind, Origin } from "../core/contracts.ts";
import type { PackError } from "../core/errors.ts";

/** Where and how a server is reached; every variable is expanded. */
export type ServerTarget =
  | { transport: "stdio"; command: string; args: string[]; env: Record<string, string>; cwd?: string | undefined }
  | { transport: "http" | "sse"; url: string; headers: Record<string, string> };

export const CONFIG_STATES = [
  "enabled",
  "disabled",
  "needs-input",
  "needs-env",
  "needs-approval",
  "shadowed",
  "invalid",
] as const;
export type ConfigState = (typeof CONFIG_STATES)[number];

export interface ServerConfig {
  /** The key under which the host's file names it: the server's identity. */
  name: string;
  state: ConfigState;
  /** Why it is not enabled, for a person, and what to do; without secrets. */
  reason?: { kind: FailureKind; message: string; fix?: string | undefined } | undefined;
  /** Absent where the entry is invalid or a variable is missing. */
  target?: ServerTarget | undefined;
  /** The transport, also where there is no target. */
  transport?: ServerTarget["transport"] | undefined;
  /** Limit of this server in milliseconds, where its file sets one. */
  timeoutMs?: number | undefined;
  /** The host's own tool lists; absent means all tools. A name may end in `*`. */
  allowTools?: string[] | undefined;
  denyTools?: string[] | undefined;
  /** Every place that configures it, the one that counts first. */
  origins: Origin[];
  /** What the user approves or has approved; present on every entry of a project's file that could be started. */
  approval?: EntryApproval | undefined;
}

/** One exact entry of one project, and what it would do. */
export interface EntryApproval {
  /** The project's root, with symbolic links resolved. */
  project: string;
  /** SHA-256 over the host, the name and the entry as written; a changed entry has another one. */
  hash: string;
  /** What it would start or reach, as written: nothing is expanded, and what looks like a secret is left out. */
  summary: string;
}

/** All that is configured, in order, and the files and entries that could not be read. */
export interface Configured {
  servers: ServerConfig[];
  problems: PackError[];
}
