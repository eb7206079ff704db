/** Which tools a mode allows, as a host says it. */
import { isUnambiguousServer } from "../../runtime/core/tool.ts";

/** Full host tool names, `mcp__<server>` or `mcp__<server>__*`; or a function that is true for a full host tool name. */
export type Allowed = Iterable<string> | ((mcpToolName: string) => boolean);

/**
 * The test for one tool of a server; everything is allowed where nothing was said, and nothing where what was said is not
 * understood. Names are compared exactly. A server whose id holds `__` has no rule of its own: it would read as a tool's name.
 */
export function allowedTest(allowed: Allowed | undefined): (mcpToolName: string, serverId: string) => boolean {
  if (allowed === undefined) return () => true;
  if (typeof allowed === "function") {
    return (name) => {
      try {
        return allowed(name) === true;
      } catch {
        return false;
      }
    };
  }
  const isList = typeof allowed === "object" && allowed !== null && Symbol.iterator in allowed;
  const rules = new Set<unknown>(isList ? allowed : []);
  return (name, serverId) =>
    rules.has(name) ||
    (isUnambiguousServer(serverId) && (rules.has(`mcp__${serverId}`) || rules.has(`mcp__${serverId}__*`)));
}
