/**
 * Read or write: what is not shown to be a read is a write. Write evidence from any source wins; a read needs a reading
 * verb, or a hint or description that says so with nothing against it.
 */
import type { Access, Annotations, Evidence } from "../../runtime/core/contracts.ts";
import { judgeName } from "./access-name.ts";
import { judgeSchema } from "./access-schema.ts";
import { isSuspicious, judgeText, saysReadOnly } from "./access-text.ts";
import { type AccessTables, roleOf } from "./access-words.ts";
import { isPlainName, splitWords } from "./words.ts";

/** One tool to judge; anything but the names may be missing or of a wrong type. */
export interface ToolToJudge {
  server: string;
  name: string;
  title?: unknown;
  description?: unknown;
  annotations?: unknown;
  inputSchema?: unknown;
}

export interface AccessVerdict {
  access: Access;
  /** The sources that decided, strongest first; `default` where none spoke. */
  evidence: Evidence[];
}

/**
 * Judges one tool, in time linear in its size. `believed` says whether what the server says of itself may lower the
 * verdict (default true): its read hint and its description. They may always raise it.
 */
export function judgeAccess(tool: ToolToJudge, tables: AccessTables, believed = true): AccessVerdict {
  if (!isPlainName(tool.name) || tool.name.startsWith("_")) return { access: "write", evidence: ["default"] };
  const description = typeof tool.description === "string" ? tool.description : "";
  const hints = hintsOf(tool.annotations);
  const name = judgeName(tool.name, tool.server, tables);
  const text = judgeText(description, tables);
  const schema = judgeSchema(tool.inputSchema, tables);
  const confined = believed && name === "read" && saysReadOnly(description);

  const against: Evidence[] = [];
  if (hints.writes || titleWrites(hints.title, tables)) against.push("annotation");
  if (name === "write" || titleWrites(tool.title, tables)) against.push("name");
  if (schema === "write" || (schema === "statement" && !confined) || (schema === "ambiguous" && name !== "read")) {
    against.push("schema");
  }
  if (text === "write" || isSuspicious(description, tables)) against.push("description");
  if (against.length > 0) return { access: "write", evidence: against };

  const shown: Evidence[] = [];
  if (hints.reads && believed) shown.push("annotation");
  if (name === "read" || name === "drawn" || (name === "view" && text !== "does")) shown.push("name");
  if (text === "read" && believed && (shown.length > 0 || name === "none" || name === "view"))
    shown.push("description");
  return shown.length > 0 ? { access: "read", evidence: shown } : { access: "write", evidence: ["default"] };
}

/** A title may raise a verdict by a writing verb in it, and no more. */
function titleWrites(title: unknown, tables: AccessTables): boolean {
  return (
    typeof title === "string" && splitWords(title.slice(0, MAX_TITLE)).some((word) => roleOf(word, tables) === "write")
  );
}

/** As much of a title as is looked at, in characters. */
const MAX_TITLE = 256;

/** Hints as the specification types them: only own properties that are exactly `true` or `false` count. */
function hintsOf(annotations: unknown): { reads: boolean; writes: boolean; title: unknown } {
  if (typeof annotations !== "object" || annotations === null) return { reads: false, writes: false, title: null };
  const own = (key: keyof Annotations) =>
    Object.hasOwn(annotations, key) ? (annotations as Annotations)[key] : undefined;
  return {
    reads: own("readOnlyHint") === true,
    writes: own("readOnlyHint") === false || own("destructiveHint") === true,
    title: own("title"),
  };
}
