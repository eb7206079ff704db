/** SQL and its like, taken apart far enough to see whether a statement changes data, and whether that can be undone. */

export type StatementKind = "irreversible" | "write" | "read";

/** Statements that change something, by their form: a sentence that happens to begin with a verb has another. */
const WRITES =
  /\b(?:insert\s+(?:or\s+\w+\s+)?into|update\s+\S+\s+set|delete\s+from|merge\s+into|replace\s+into|upsert\s+into|alter\s+(?:table|database|schema|view|index|user|role|system|session)|copy\s+\S+\s+(?:from|to)|load\s+data|load\s+csv|refresh\s+materialized|attach\s+database|for\s+update)\b/;
const CREATES =
  /\bcreate\s+(?:or\s+replace\s+)?(?:(?:temp|temporary|unique|materialized|external|global|local)\s+)*(?:table|view|index|database|schema|function|procedure|trigger|user|role|type|extension|sequence|constraint)\b/;
const HEADS =
  /^(?:grant\s+\S|revoke\s+\S|call\s+\w|exec\s+\w|execute\s+\w|vacuum\s*$|reindex\b|mutation\b|set\s+\w+\s*=|lock\s+table|kill\s+\d|shutdown\s*$|select\b[\s\S]*\binto\s+(?:outfile|dumpfile|table|temp|#))/;
/** Cypher: `CREATE (n)`, `MERGE (n)`, `SET n.x`, `REMOVE n.x`, `DELETE n`. */
const CYPHER =
  /\b(?:create|merge)\s*\(|^(?:match|optional|unwind|with|call)\b[\s\S]*\b(?:set\s+\w+\s*[.:+=]|remove\s+\w+\s*[.:]|delete\s+\w)/;
const READ_HEADS =
  /^(?:select|with|show|describe|desc|explain|values|table|match|optional|unwind|return|pragma(?![\s\S]*=)|from|\(|\{|query\b|subscription\b|$)/;

/**
 * Judges a text that may hold several statements by the worst of them. Text that is no statement reads, unless `only`
 * says that nothing but statements is passed here: then what is not known to read writes.
 */
export function judgeStatements(text: string, only = false): StatementKind {
  const lower = text.toLowerCase();
  let worst: StatementKind = "read";
  // Engines differ on what a backslash quotes and on what is a comment: the worst reading counts.
  const readings = new Set(["'\\-*", "'-*", "'\\", "'"].map((marks) => withoutLiterals(lower, new Set(marks))));
  for (const reading of readings) {
    for (const part of reading.split(";")) {
      const statement = part.trim();
      if (isLoss(statement)) return "irreversible";
      const writes = [WRITES, CREATES, HEADS, CYPHER].some((form) => form.test(statement));
      if (writes || (only && !READ_HEADS.test(statement.replace(/^--[^\n]*\n|^\/\*[\s\S]*?\*\//, "").trim())))
        worst = "write";
    }
  }
  return worst;
}

function isLoss(statement: string): boolean {
  if (
    /\bdrop\s+(?:table|database|schema|view|materialized|index|column|user|role|collection|keyspace|constraint|function|trigger|sequence|type|extension|partition|tablespace|warehouse|stage|bucket|measurement|if\s+exists)\b/.test(
      statement,
    )
  ) {
    return true;
  }
  if (
    /^truncate\s+(?:table\s+)?[\w."`[\]]+(?:\s*,\s*[\w."`[\]]+)*(?:\s+(?:cascade|restart\s+identity|restrict))*$/.test(
      statement,
    )
  )
    return true;
  if (/\btruncate\s+table\b|\bdetach\s+delete\b|^(?:flushall|flushdb)\b/.test(statement)) return true;
  if (/\bwhere\b/.test(statement) && !/\bwhere\s+(?:true|1\s*=\s*1|1)\s*$/.test(statement)) return false;
  return (
    /\bdelete\s+from\s+\S/.test(statement) ||
    /\bupdate\s+\S+\s+set\s/.test(statement) ||
    /^match\b[\s\S]*\bdelete\s+\w/.test(statement)
  );
}

/**
 * The text with literals as blanks (what they say is no statement), and with comments as well where `marks` holds `-` for
 * `--` and `*` for `/* … *\/`; `\\` makes a backslash quote the next character. One pass; what is never closed hides
 * nothing and is read as it stands.
 */
function withoutLiterals(text: string, marks: ReadonlySet<string>): string {
  const open = new Set(marks);
  let plain = "";
  let at = 0;
  while (at < text.length) {
    const two = text.slice(at, at + 2);
    const mark = two === "--" ? "-" : two === "/*" ? "*" : text[at] === "'" ? "'" : "";
    const end = open.has(mark) ? endOf(text, at, mark, marks.has("\\")) : -1;
    if (end === -1) open.delete(mark);
    plain += end === -1 ? text[at] : " ";
    at = end === -1 ? at + 1 : end;
  }
  return plain;
}

/** Behind the comment or literal that opens at `from`, or -1 where nothing closes it. */
function endOf(text: string, from: number, mark: string, escapes: boolean): number {
  if (mark === "-") {
    const end = text.indexOf("\n", from);
    return end === -1 ? text.length : end;
  }
  if (mark === "*") {
    const end = text.indexOf("*/", from + 2);
    return end === -1 ? -1 : end + 2;
  }
  for (let at = from + 1; at < text.length; at++) {
    if (escapes && text[at] === "\\") at++;
    else if (text[at] === "'" && text[at + 1] === "'") at++;
    else if (text[at] === "'") return at + 1;
  }
  return -1;
}
