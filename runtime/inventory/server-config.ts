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

export type ConfigState =
  | "enabled"
  | "disabled"
  | "needs-input"
  | "needs-env"
  | "needs-approval"
  | "shadowed"
  | "invalid";

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
  /** The host's own tool lists; absent means all tools. */
  allowTools?: string[] | undefined;
  denyTools?: string[] | undefined;
  /** Every place that configures it, the one that counts first. */
  origins: Origin[];
}

/** All that is configured, in order, and the files and entries that could not be read. */
export interface Configured {
  servers: ServerConfig[];
  problems: PackError[];
}
