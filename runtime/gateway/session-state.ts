/** What the parts of one session share. */
import type { ClientCapabilities } from "@modelcontextprotocol/sdk/types.js";
import type { LogRecord, Mode, Permissions } from "../core/contracts.ts";
import type { DownstreamPool } from "./downstream-pool.ts";
import type { PoolUser } from "./downstream-slot.ts";
import type { SessionContext } from "./feature.ts";
import type { Clock, Limits } from "./limits.ts";
import type { Links } from "./links.ts";
import type { SessionLog } from "./session-log.ts";
import type { SessionTools } from "./session-tools.ts";

export interface SessionState {
  readonly context: SessionContext;
  readonly tools: SessionTools;
  readonly log: SessionLog;
  /** The resources that results of this session linked to. */
  readonly links: Links;
  readonly pool: DownstreamPool;
  /** This session, as the servers behind the gateway reach it. */
  readonly user: PoolUser;
  readonly mode: Mode | undefined;
  readonly permissions: Permissions | undefined;
  readonly limits: Limits;
  readonly clock: Clock;
  /** What the client said it can do. */
  capabilities(): ClientCapabilities;
  /** Takes one decision record. Where it throws, the call does not run. */
  decided(record: LogRecord): void;
}
