/** The host's permission rules, as far as they concern MCP tools. Deny beats ask beats allow. */
import { isUnambiguousServer, qualifiedName, splitQualifiedName } from "../../runtime/core/tool.ts";

export type RuleList = "allow" | "ask" | "deny";

export interface RuleProblem {
  list: RuleList;
  rule: string;
  message: string;
}

/**
 * What a rule says about a tool. `foreign`: it is about the host's own tools (`Bash(rm:*)`). `unreadable`: it is meant for
 * MCP tools and cannot be read, so an allowance is ignored and a denial denies.
 */
export type RuleVerdict = "match" | "no-match" | "foreign" | "unreadable";

/**
 * Matches one rule: `mcp__server` and `mcp__server__*` cover exactly that server, `mcp__server__tool` one tool, and a `*` in
 * the tool's part any ending. Only `deny` and `ask` may leave the server open (`mcp__*`, `mcp__git*`, `*`).
 */
export function matchRule(list: RuleList, rule: unknown, server: string, tool: string): RuleVerdict {
  if (typeof rule !== "string") return "unreadable";
  if (rule === "*") return list === "allow" ? "unreadable" : "match";
  if (!/^\s*mcp__/i.test(rule)) return "foreign";
  if (!rule.startsWith("mcp__") || /[\s()[\]{}?]/.test(rule)) return "unreadable";
  const name = qualifiedName(server, tool);
  const parsed = splitQualifiedName(rule);
  const ruleServer = parsed?.server ?? rule.slice("mcp__".length);
  if (ruleServer === "" || ruleServer.includes("*")) {
    return list === "allow" ? "unreadable" : matchesGlob(rule, name) ? "match" : "no-match";
  }
  if (ruleServer.endsWith("__")) return "unreadable";
  // Two servers share such a name: a rule may only be read against it.
  if (!isUnambiguousServer(server)) {
    return list !== "allow" && (name === rule || name.startsWith(`${rule.replace(/(?:__)?\*$/, "")}__`))
      ? "match"
      : "no-match";
  }
  if (ruleServer !== server) return "no-match";
  return parsed === null || matchesGlob(parsed.tool, tool) ? "match" : "no-match";
}

/** Whether a text fits a pattern in which `*` stands for anything. Linear: each piece is looked for once. */
function matchesGlob(pattern: string, text: string): boolean {
  const pieces = pattern.split("*");
  const first = pieces.shift() ?? "";
  const last = pieces.pop();
  if (last === undefined) return pattern === text;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
  let at = first.length;
  for (const piece of pieces) {
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at <= text.length - last.length;
}

/** The rules of a list; what is no list counts as one unreadable rule. */
export function rulesOf(permissions: unknown, list: RuleList): unknown[] {
  if (typeof permissions !== "object" || permissions === null) return [];
  const rules = (permissions as Record<string, unknown>)[list];
  if (rules === undefined || rules === null) return [];
  return Array.isArray(rules) ? rules : [rules];
}

/** The rules of several sources together, such as a parent's and its subagent's: no source lifts another's denial. */
export function joinPermissions(...sources: unknown[]): Record<RuleList, unknown[]> {
  const of = (list: RuleList) => sources.flatMap((source) => rulesOf(source, list));
  return { allow: of("allow"), ask: of("ask"), deny: of("deny") };
}

/** Whether a deny rule covers a tool, or cannot be read: such a tool is not shown to a model either. */
export function isDenied(permissions: unknown, server: string, tool: string): boolean {
  return rulesOf(permissions, "deny").some((rule) => {
    const verdict = matchRule("deny", rule, server, tool);
    return verdict === "match" || verdict === "unreadable";
  });
}

/**
 * The rules that cannot be used as they are written, and those about a server that is not among `servers` (where given).
 * A person should see them: a misspelt denial protects nothing.
 */
export function permissionProblems(permissions: unknown, servers?: Iterable<string>): RuleProblem[] {
  const known = servers === undefined ? null : new Set(servers);
  return (["deny", "ask", "allow"] as const).flatMap((list) =>
    rulesOf(permissions, list).flatMap((rule): RuleProblem[] => {
      const text = typeof rule === "string" ? rule : (JSON.stringify(rule)?.slice(0, 80) ?? String(rule));
      if (matchRule(list, rule, "server", "tool") === "unreadable") {
        const effect = list === "allow" ? "it allows nothing" : "every MCP call is held until it is mended";
        return [{ list, rule: text, message: `cannot be read as a rule for MCP tools: ${effect}` }];
      }
      const server = splitQualifiedName(text)?.server ?? (text.startsWith("mcp__") ? text.slice(5) : null);
      if (known === null || server === null || server.includes("*") || known.has(server)) return [];
      return [{ list, rule: text, message: "names a server that is not configured" }];
    }),
  );
}
