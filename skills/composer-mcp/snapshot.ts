/** What a host stores of a session's active tools, to restore it later: names and digests, nothing else. */
import { PackError } from "../../runtime/core/errors.ts";
import { isUsableId } from "./invocation.ts";

/** What made a tool active. */
export type Origin = "selection" | "search";

export interface ActiveTool {
  server: string;
  /** The tool's own name. */
  tool: string;
  /** Its definition when it became active. */
  pin: string;
  by: Origin;
}

export interface ActivationSnapshot {
  version: 1;
  /** In the order of activation. */
  tools: ActiveTool[];
}

/** The active tools of a snapshot. Throws a `PackError` `bad-snapshot` where it is none, or one of another version. */
export function readSnapshot(snapshot: unknown): ActiveTool[] {
  const { version, tools } = fieldsOf(snapshot);
  if (version === 1 && Array.isArray(tools) && tools.every(isActiveTool)) {
    return tools.map(({ server, tool, pin, by }) => ({ server, tool, pin, by }));
  }
  throw new PackError("bad-snapshot", "The session's active tools cannot be read", {
    fix: "Start the session without them, and select again",
  });
}

function isActiveTool(value: unknown): value is ActiveTool {
  const { server, tool, pin, by } = fieldsOf(value);
  return isUsableId(server) && isUsableId(tool) && typeof pin === "string" && (by === "selection" || by === "search");
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
