/**
 * The pack's one error class. A person reads the sentence and the fix; a program reads the code.
 */
import { isPlainText } from "./plain-text.ts";

/** Where in a file the fault stands. Lines and columns count from 1. */
export interface SourcePlace {
  file?: string | undefined;
  line?: number | undefined;
  column?: number | undefined;
}

export interface PackErrorOptions extends SourcePlace {
  /** What to do about it: one sentence, an imperative. */
  fix?: string | undefined;
  cause?: unknown;
}

/** A built skill carries its own copy of this module; what it throws is a `PackError` all the same. */
const BRAND = Symbol.for("mcp-skill-pack.error");

/**
 * An expected failure with a stable `code` (lower-case words joined by hyphens), a sentence for a person and a `fix`.
 * Text taken from outside must be passed through {@link printable} before it goes into the message.
 */
export class PackError extends Error {
  override readonly name = "PackError";
  readonly code: string;
  readonly fix: string | undefined;
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(code: string, message: string, options: PackErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.fix = options.fix;
    this.file = options.file;
    this.line = options.line;
    this.column = options.column;
  }

  get [BRAND](): true {
    return true;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[BRAND] === true;
  }

  /** `file:line:column`, as far as it is known; the empty string when no file is known. */
  get place(): string {
    return [this.file, this.line, this.column].filter((part) => part !== undefined).join(":");
  }

  /** The error as plain data, without the stack and the cause: what `--json` prints. */
  toJSON(): Record<string, unknown> {
    const { code, message, fix, file, line, column } = this;
    return JSON.parse(JSON.stringify({ code, message, fix, file, line, column }));
  }
}

/** One readable line out of anything thrown: `place: message (fix)`. */
export function describeError(error: unknown): string {
  if (error instanceof PackError) {
    const place = error.place === "" ? "" : `${error.place}: `;
    // A file's name may come from outside just as a message's parts may.
    return printable(`${place}${error.message}${error.fix === undefined ? "" : ` (${error.fix})`}`, 4000);
  }
  return printable(error instanceof Error ? error.message : String(error), 500);
}

/** Anything that a reader does not see, or that moves what he sees: controls, bidi, zero-width, lone surrogates, private use. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Text from outside made safe for a terminal, a log or a message: what cannot be seen stands as `\u{…}`, and the whole is
 * cut to `limit` characters (default 200) with `…` at the end.
 */
export function printable(text: string, limit = 200): string {
  const cut = text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
  if (isPlainText(cut)) return cut;
  return cut.replace(UNSEEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
