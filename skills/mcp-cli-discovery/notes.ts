/** What a short note beside a name says of it: the rest of a list's entry, another cell of its row, a bracket after it. */
import type { Reading } from "./reading.ts";

/** That a tool is there or to be used, that it is not, or neither. */
export type Verdict = "says" | "denies" | "neither";

/** The tokens that are looked at. */
const NOTE = 12;

/**
 * `(not set up)`, `| not yet |`, `: disabled`. What a note forbids to do with the tool leaves it there. Under a `column` that
 * asks whether it is there, "no" is an answer.
 */
export function restVerdict({ tokens, roles, starts }: Reading, from: number, column = ""): Verdict {
  const asked = /status|available|enabled|installed|state|active|ready/i.test(column);
  let denied = false;
  for (let at = from; at < Math.min(tokens.length, from + NOTE); at++) {
    const { kind, lower } = tokens[at] as { kind: string; lower: string };
    const role = roles[at];
    if (asked && at === from && /^(?:no|false|off|n|none|never)$/.test(lower) && tokens.length - from <= 2)
      return "denies";
    if (kind === "mark") {
      if (lower === ")" || denied) return denied ? "denies" : "says";
      continue;
    }
    if (/^(?:mcps?|clis?)$/.test(lower)) continue;
    if (role === "deny") denied ||= starts[at] === true;
    else if (role === "present") return denied ? "denies" : "says";
    else if (role === "absent") return denied ? "says" : "denies";
    else if (role === "past" || role === "some-day" || role === "condition") return "neither";
    else if (denied) {
      // "no token yet" puts it off; "not for production" says what not to do with it.
      const rest = tokens.slice(at, from + NOTE);
      const end = rest.findIndex((token) => token.kind === "mark");
      return rest.slice(0, end === -1 ? rest.length : end).some((token) => token.lower === "yet") ? "denies" : "says";
    } else if (role === undefined || role === "thing") return "says";
  }
  return denied ? "denies" : "says";
}
