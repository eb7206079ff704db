/** What is said after a name: its predicate, the note in brackets beside it, and how far a denial reaches. */
import { restVerdict, type Verdict } from "./notes.ts";
import { isClosed, type Reading } from "./reading.ts";
import type { Token } from "./tokens.ts";

export const LOOK_AHEAD = 12;

/** `asserted`: the predicate says that it is there; `used`: it is named as something to work with. */
export type Predicate = "denied" | "unreal" | "asserted" | "used" | null;

/** `is not set up`, `isn't available`, `: disabled`, `will be added`, `is installed`. `breaks` are the clauses' beginnings. */
export function predicateAt(reading: Reading, from: number, breaks: readonly boolean[]): Predicate {
  const { tokens, roles, starts } = reading;
  let denied = false;
  let verb = false;
  for (let at = from; at < Math.min(tokens.length, from + LOOK_AHEAD); at++) {
    const token = tokens[at] as Token;
    const role = roles[at];
    if (token.text === "(") at = closingBracket(tokens, at);
    if (token.text === "(" || token.text === ")") continue;
    // "GitHub MCP: enabled", "Slack MCP - not set up"
    if (at === from && /^(?::|[-–—=]+>?|→)$/.test(token.text) && isTold(roles[at + 1])) continue;
    if (breaks[at] === true && at > from) return denied && verb ? "denied" : null;
    if (role === "verb") verb = true;
    if (role === "deny" && starts[at] === true) {
      denied = true;
      verb ||= /n't$|^(?:does|do|did|can|cannot|must|may|should)$/.test(token.lower);
    } else if (role === "keep") return null;
    else if (role === "absent" && starts[at] === true) {
      const removesAnother = /^(?:a|an|the|some|any|all)$/.test(tokens[at + 1]?.lower ?? "");
      return !denied && !removesAnother && (verb || isNext(tokens, from, at)) ? "denied" : null;
    } else if (role === "present") {
      if (denied || takenBack(reading, at)) return "denied";
      return "asserted";
    } else if (role === "use") {
      if (denied) return "denied";
      return verb ? null : "used";
    } else if (role === "some-day") return "unreal";
    else if (role === "past") return verb || token.lower === "used" ? "unreal" : null;
    else if (role === "prepare") return verb ? "unreal" : null;
    else if (role === "condition") {
      if (denied) return verb ? "denied" : null;
      return /^(?:it|it's|they|that|this|is)$/.test(tokens[at + 1]?.lower ?? "") ? "unreal" : null;
    } else if (role === undefined) return verb && takenBack(reading, at) ? "denied" : null;
    else if (!isClosed(role)) return null;
  }
  return denied && verb ? "denied" : null;
}

function isTold(role: unknown): boolean {
  return role === "present" || role === "absent" || role === "deny" || role === "some-day";
}

function isNext(tokens: readonly Token[], from: number, at: number): boolean {
  return at === from || (at === from + 1 && tokens[from]?.kind === "mark");
}

function isPlain(roles: readonly unknown[]): boolean {
  return roles.every((role) => role === "turn" || role === "verb" || role === "function");
}

/** "is deployed but not reachable", "was announced but is not there yet". */
function takenBack({ roles }: Reading, present: number): boolean {
  const turn = roles.slice(present, present + 3).indexOf("turn");
  if (turn === -1) return false;
  const after = roles.slice(present + turn + 1, present + turn + 7);
  const [deny, absent] = [after.indexOf("deny"), after.indexOf("absent")];
  if (absent !== -1 && absent < 3 && isPlain(after.slice(0, absent))) return true;
  return deny !== -1 && deny < 3 && after.slice(deny).includes("present") && isPlain(after.slice(0, deny));
}

/** What stands in brackets right after a name: "(down)", "(no token yet)", "(not set up)". */
export function noteVerdict(reading: Reading, from: number): Verdict {
  return reading.tokens[from]?.text === "(" ? restVerdict(reading, from + 1) : "says";
}

function closingBracket(tokens: readonly Token[], from: number): number {
  for (let at = from; at < Math.min(tokens.length, from + 20); at++) if (tokens[at]?.text === ")") return at;
  return from;
}

/** "not for writes", "not to merge", "not unless asked": a part of the tool is denied, the tool is there. */
export function isQualified({ tokens }: Reading, end: number): boolean {
  const [next, then] = [tokens[end]?.lower ?? "", tokens[end + 1]?.lower ?? ""];
  if (next === "for") return !/^(?:this|that|it|anything|now|these|those|any|all|today)$/.test(then);
  return (
    /^(?:to|unless|except|outside|beyond|when|if|on|in|against|directly|alone|as|more)$/.test(next) &&
    !/^(?:this|that|it|here)$/.test(then)
  );
}
