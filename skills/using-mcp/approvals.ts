/** Approvals: a person's yes to one call, bound to server, tool and exact arguments, good once, and not for long. */
import { canonicalJson } from "../../runtime/core/json-text.ts";
import { nodeCrypto } from "../../runtime/core/late-modules.ts";

/** The call that is asked about. `pin` is a hash of the tool's definition: a changed tool needs a new answer. */
export interface ApprovableCall {
  server: string;
  tool: string;
  args: unknown;
  pin?: string | undefined;
  session?: string | undefined;
}

export interface Approvals {
  /** Records a person's yes. */
  grant(call: ApprovableCall): void;
  /** Whether a yes to exactly this call is there; it is used up. */
  use(call: ApprovableCall): boolean;
}

/** How long an approval holds, in milliseconds. */
export const APPROVAL_TTL = 5 * 60_000;

/** Approvals of one session. `now` is the host's clock in milliseconds; the store itself reads none. */
export function createApprovals({ now, ttl = APPROVAL_TTL }: { now: () => number; ttl?: number }): Approvals {
  const granted = new Map<string, number>();
  return {
    grant(call) {
      const key = callHash(call);
      for (const [other, until] of granted) if (until <= now()) granted.delete(other);
      granted.set(key, now() + ttl);
    },
    use(call) {
      const key = callHash(call);
      const until = granted.get(key);
      granted.delete(key);
      return until !== undefined && now() < until;
    },
  };
}

/**
 * Asks a person through the host's callback and grants on exactly `true`; anything else, a throw included, is a no. What a
 * model or a tool's output says about a confirmation never gets here.
 */
export async function askPerson(
  approvals: Approvals,
  call: ApprovableCall,
  ask: (call: ApprovableCall) => unknown,
): Promise<boolean> {
  try {
    if ((await ask(call)) !== true) return false;
    approvals.grant(call);
    return true;
  } catch {
    return false;
  }
}

/** The SHA-256 of a call as canonical JSON: the order of keys changes nothing, any value does. */
export function callHash({ server, tool, args, pin, session }: ApprovableCall): string {
  return sha256({ server, tool, args, pin, session });
}

/** The SHA-256 of a tool's definition (its name aside): what a person has looked at on approving. */
export function definitionPin(tool: object): string {
  const { title, description, inputSchema, outputSchema, annotations } = tool as Record<string, unknown>;
  return sha256({ title, description, inputSchema, outputSchema, annotations });
}

/** What JSON cannot hold (a function, a cycle) throws: such a call is never approved. */
function sha256(value: unknown): string {
  return nodeCrypto().createHash("sha256").update(canonicalJson(value)).digest("hex");
}
