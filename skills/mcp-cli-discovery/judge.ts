/** What a statement says of the tools it names: that they are there, that they are not (or not to be used), or neither. */
import { type CueRole, isQuestion } from "./cues.ts";
import type { Verdict } from "./notes.ts";
import { isQualified, LOOK_AHEAD, noteVerdict, predicateAt } from "./predicate.ts";
import type { Mention, Reading } from "./reading.ts";
import type { Token } from "./tokens.ts";

/** One verdict a mention, in order. One pass over the tokens, with a bounded look to the right of each mention. */
export function judgeMentions(reading: Reading, mentions: readonly Mention[]): Verdict[] {
  const { tokens, roles, starts } = reading;
  const breaks = clauseBreaks(reading, mentions);
  const question = isQuestion(tokens, reading.tables.cues);
  const verdicts: Verdict[] = [];
  const outer: Clause[] = [];
  let clause = newClause();
  let next = 0;
  for (let at = 0; at < tokens.length; at++) {
    const mention = mentions[next];
    if (tokens[at]?.text === "(" && outer.length < 50) {
      outer.push(clause);
      clause = { ...newClause(), others: clause.others };
    } else if (tokens[at]?.text === ")" && outer.length > 0) clause = outer.pop() ?? newClause();
    else if (breaks[at] === true) clause = { ...newClause(), others: clause.others };
    if (mention !== undefined && at >= mention.from) {
      verdicts.push(question ? "neither" : judge(reading, mentions, next, clause, breaks));
      at = mention.to - 1;
      next++;
      continue;
    }
    if (starts[at] === true || roles[at] === undefined) hear(clause, roles[at], tokens[at] as Token);
  }
  return verdicts;
}

/** What has been heard so far in a clause. */
interface Clause {
  denied: boolean;
  used: boolean;
  only: boolean;
  /** "everything but": what is said of everything else is the contrary of what is said of this. */
  allBut: boolean;
  /** "other than": the same where nothing else is there. */
  except: boolean;
  /** It began with "when". */
  when: boolean;
  /** Put off, conditional, past, or a text about it. */
  unreal: boolean;
  /** It tells of somebody else; what follows in the sentence may still do so. */
  others: boolean;
  /** A word with a meaning of its own has come since the last of these. */
  content: boolean;
}

function newClause(): Clause {
  return {
    denied: false,
    used: false,
    only: false,
    allBut: false,
    except: false,
    when: false,
    unreal: false,
    others: false,
    content: false,
  };
}

function hear(clause: Clause, role: CueRole | undefined, token: Token): void {
  switch (role) {
    case "deny":
      // "without any doubt", "not only": phrases that take nothing back are "keep".
      clause.denied = true;
      clause.content = false;
      return;
    case "only":
      clause.only = true;
      return;
    case "all-but":
      clause.allBut = true;
      return;
    case "except":
      if (clause.denied) clause.only = true;
      else clause.except = true;
      clause.content = false;
      return;
    case "keep":
      clause.denied = false;
      return;
    case "some-day":
    case "prepare":
    case "condition":
    case "past":
    case "about":
      clause.unreal = true;
      clause.content = false;
      return;
    case "others":
      clause.others = true;
      return;
    case "absent":
      if (!clause.denied) clause.denied = true;
      return;
    case "use":
      // "Without a token use gh": a new verb after what was denied begins what is wanted.
      if (clause.content) {
        clause.denied = false;
        clause.unreal = false;
        clause.except = false;
      }
      clause.used = true;
      return;
    case "present":
      clause.used = true;
      return;
    case undefined:
      if (token.kind !== "mark") clause.content = true;
      return;
    default:
      if (token.lower === "when") clause.when = true;
  }
}

function judge(
  reading: Reading,
  mentions: readonly Mention[],
  index: number,
  clause: Clause,
  breaks: readonly boolean[],
): Verdict {
  const mention = mentions[index] as Mention;
  const end = groupEnd(reading.tokens, mentions, index);
  const after = predicateAt(reading, end, breaks);
  if (clause.only) return "says";
  if (clause.allBut) return after === "denied" ? "says" : "denies";
  if (clause.except) return leavesNothing(reading, end) ? "says" : "denies";
  const note = noteVerdict(reading, mention.to);
  if (note !== "says") return note;
  if (clause.unreal || clause.others || after === "unreal") return "neither";
  // "When the GitHub MCP is available": nobody says that it is.
  if (clause.when && after === "asserted") return "neither";
  if (clause.denied) return isQualified(reading, end) ? "neither" : "denies";
  if (after === "denied") return isQualified(reading, end) ? "neither" : "denies";
  if (mention.sure || clause.used || after === "asserted" || after === "used") return "says";
  return isCommand(reading, mention, breaks) ? "says" : "neither";
}

/** Where the list ends that the mention is part of: what is said after it holds for all of it. */
function groupEnd(tokens: readonly Token[], mentions: readonly Mention[], index: number): number {
  let end = mentions[index]?.to ?? 0;
  for (let other = index + 1; other < Math.min(mentions.length, index + 12); other++) {
    const from = mentions[other]?.from ?? 0;
    const between = tokens.slice(end, from);
    if (from - end > 3 || !between.every(({ lower }) => /^(?:and|or|nor|&|,|\/|the|our|both|a|an)$/.test(lower))) break;
    end = mentions[other]?.to ?? end;
  }
  return end;
}

/** "other than the Exa MCP we have nothing". */
function leavesNothing({ tokens }: Reading, from: number): boolean {
  return tokens.slice(from, from + LOOK_AHEAD).some(({ lower }) => /^(?:nothing|no|none|nobody)$/.test(lower));
}

/** A program's name as the verb: "grep the log". */
function isCommand({ tokens }: Reading, { from, to }: Mention, breaks: readonly boolean[]): boolean {
  const starts =
    from === 0 ||
    breaks[from] === true ||
    breaks[from - 1] === true ||
    /^(?:and|then|please)$/.test(tokens[from - 1]?.lower ?? "");
  return (
    starts &&
    tokens[from]?.text === tokens[from]?.lower &&
    /^(?:the|a|an|it|this|that|these|through|into|out|for)$/.test(tokens[to]?.lower ?? "")
  );
}

/** Whether a new clause begins at each token. */
function clauseBreaks({ tokens, roles, starts }: Reading, mentions: readonly Mention[]): boolean[] {
  const breaks: boolean[] = new Array(tokens.length).fill(false);
  const begins = new Map(mentions.map((mention) => [mention.from, mention]));
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    if (token.kind === "mark") {
      if (/^(?:[;.!?|–—→]|[-=]+>?)$/.test(token.text)) breaks[at] = true;
      else if (token.text === ":" && !leadsToName(tokens, begins, at + 1)) breaks[at] = true;
      else if (token.text === "," && commaBreaks(tokens, roles, begins, at + 1)) breaks[at] = true;
    } else if (roles[at] === "turn" && starts[at] === true) breaks[at] = true;
    else if (/^(?:and|then)$/.test(token.lower) && beginsVerb(tokens, roles, at + 1)) breaks[at] = true;
  }
  return breaks;
}

function beginsVerb(tokens: readonly Token[], roles: readonly (CueRole | undefined)[], at: number): boolean {
  const role = roles[at];
  return role === "use" || role === "deny" || /^(?:you|we|i|it|they|please|there)$/.test(tokens[at]?.lower ?? "");
}

function leadsToName(tokens: readonly Token[], begins: ReadonlyMap<number, Mention>, from: number): boolean {
  for (let at = from; at < from + 3; at++) {
    if (begins.has(at)) return true;
    if (!/^(?:the|a|an|our|your|\[)$/.test(tokens[at]?.lower ?? "")) return false;
  }
  return false;
}

/** A comma ends the clause, except within a list of tools that no verb of its own follows. */
function commaBreaks(
  tokens: readonly Token[],
  roles: readonly (CueRole | undefined)[],
  begins: ReadonlyMap<number, Mention>,
  from: number,
): boolean {
  let at = from;
  while (at - from < 3 && /^(?:and|or|nor|the|a|an|our|your|also)$/.test(tokens[at]?.lower ?? "")) at++;
  const mention = begins.get(at);
  if (mention === undefined) return true;
  const after = tokens[mention.to];
  if (after === undefined || after.kind === "mark" || /^(?:and|or|nor|&)$/.test(after.lower)) return false;
  // A program's name as the verb: "open the ticket, curl the address".
  if (/^(?:the|a|an|it|this|that|these|those)$/.test(after.lower)) return true;
  const role = roles[mention.to];
  return role === "verb" || role === "use" || role === undefined || (role === "deny" && after.lower !== "for");
}
