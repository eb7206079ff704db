/** Which detected tools serve research, and for what: SKILL.md's table "Research intents". */

export interface IntentRow {
  /** The kind of source, for a person. */
  source: string;
  /** Canonical names of MCP servers and names of programs of this kind. */
  mcps: string[];
  clis: string[];
  /** What they are asked for. */
  intents: string[];
  /** Words of a question by which it is one of these. */
  words: string[];
}

/** The intents that a tool serves, in table order; none where the table does not name it. */
export function intentsOf(name: string, rows: readonly IntentRow[]): string[] {
  const serving = rows.filter(({ mcps, clis }) => mcps.includes(name) || clis.includes(name));
  return [...new Set(serving.flatMap(({ intents }) => intents))];
}
