/** A long request taken apart: `find the flaky test, then file an issue and tell the channel` asks for three things. */
import { wordsOf } from "./words.ts";

/** Text beyond this is not taken apart. */
const LONGEST_REQUEST = 32_768;

/** Where a sentence or a line ends. Not after a single letter, as in `e.g.`, nor inside a number or an address. */
const SENTENCE_END = /(?<![\s.(]\p{L})[.!?…]+(?=[\s"')\]]|$)|[。！？；，]|;(?=\s|$)|\n/gu;

/** Words that say that something else follows. */
const THEN = /,? (?:and )?then\b,?|(?:,| and|, and) (?:afterwards|after that|finally|lastly|next|also)\b,?/giu;

/** What stands before a noun: the word between it and an `and` or a comma is a verb. */
const BEFORE_NOUN =
  "a|an|the|this|that|these|those|it|them|me|us|him|her|my|our|your|his|its|their|all|each|every|any|some|both";
/** Words that can stand there and are no verbs. */
const NO_VERB =
  "about|above|across|after|also|among|around|as|at|because|before|between|but|by|during|even|except|for|from|if|in|into|is|are|was|were|like|maybe|near|not|of|on|only|or|over|perhaps|since|so|than|that|though|through|to|under|until|upon|when|where|whether|which|while|who|with|within|without";
const AND_VERB = new RegExp(
  `(?:, (?:and )?| and )(?=(?:please )?(?!(?:${NO_VERB}|${BEFORE_NOUN}) )\\p{L}{2,20} (?:${BEFORE_NOUN}) )`,
  "giu",
);

/**
 * The clauses of a request, in order, at most `limit` (default 16): sentences and lines, what follows a `then`, and what
 * follows an `and` or a comma where it starts with a verb. What holds no word that a search would read joins its
 * neighbour. A request of one part gives itself. Takes time in proportion to the text, of which 32,768 characters are read.
 */
export function clausesOf(request: string, limit = 16): string[] {
  // One space or one line break for each run of them, so that no pattern has to look further than one character.
  const text = request.slice(0, LONGEST_REQUEST).replace(/\s+/gu, (run) => (run.includes("\n") ? "\n" : " "));
  const clauses: string[] = [];
  let begun = "";
  for (const sentence of text.split(SENTENCE_END)) {
    for (const part of sentence.split(THEN).flatMap((piece) => piece.split(AND_VERB))) {
      begun = `${begun} ${part}`.trim();
      if (wordsOf(begun).length === 0) continue;
      if (clauses.length === limit) return clauses;
      clauses.push(begun);
      begun = "";
    }
  }
  if (begun === "" || clauses.length === limit) return clauses;
  if (clauses.length === 0) return [begun];
  clauses.push(`${clauses.pop()} ${begun}`);
  return clauses;
}
