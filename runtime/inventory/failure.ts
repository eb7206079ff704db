/** Anything that went wrong with a server or a call, as a kind for a program and a sentence for a person. */
import type { Failure, FailureKind } from "../core/contracts.ts";
import { printable } from "../core/errors.ts";

/** What is known beside the error itself. */
export interface FailureContext {
  /** What was tried: `start`, `initialize`, `tools/list`, `tools/call`. */
  phase: string;
  stderr?: string[];
  ended?: { code: number | null; signal: string | null } | null;
  /** Strings that must not appear in the message: values of environment and headers. */
  secrets?: string[];
  /** Whether the server said where a sign-in is to be had. */
  offersSignIn?: boolean;
}

const FIXES: Partial<Record<FailureKind, string>> = {
  auth: "Put a token where its configuration says: in a header, out of an environment variable",
  timeout: "Raise --timeout, or start the server by hand to see what it waits for",
  "not-found": "Install the program, or mend the command in its configuration",
  network: "Check the address and that the server runs",
};

/** The next step where a server has a sign-in of its own (OAuth): this pack opens no browser and keeps no login. */
const SIGN_IN =
  "Sign in to it in a host that knows OAuth, or put a token that you got there where its configuration says";

export function failureOf(error: unknown, context: FailureContext): Failure {
  const kind = kindOf(error, context);
  const fix = kind === "auth" && context.offersSignIn === true ? SIGN_IN : FIXES[kind];
  return { kind, message: messageOf(kind, error, context), ...(fix ? { fix } : {}) };
}

function kindOf(error: unknown, { ended }: FailureContext): FailureKind {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const text = typeof message === "string" ? message : String(error);
  if (code === "ENOENT" || code === "ENOTDIR") return "not-found";
  if (code === "EACCES" || code === "EPERM") return "permission";
  if (isHttpError(code)) return HTTP_KINDS[code] ?? "protocol";
  if (/\b401\b|unauthori[sz]ed|invalid_token/i.test(text)) return "auth";
  if (/\b403\b|forbidden/i.test(text)) return "permission";
  if (/\b429\b|too many requests|rate.?limit/i.test(text)) return "rate-limit";
  if (ended !== null && ended !== undefined) return "crashed";
  if (code === -32001 || (error as { name?: string })?.name === "TimeoutError" || /timed? ?out/i.test(text))
    return "timeout";
  if (
    /ECONNREFUSED|ENOTFOUND|ECONNRESET|EAI_AGAIN|fetch failed|Unable to connect|connection refused/i.test(
      `${code} ${text} ${causeOf(error)}`,
    )
  ) {
    return "network";
  }
  return "protocol";
}

const HTTP_KINDS: Partial<Record<number, FailureKind>> = { 401: "auth", 403: "permission", 429: "rate-limit" };

/** An answer's own status says more than whatever its page holds. */
function isHttpError(code: unknown): code is number {
  return typeof code === "number" && code >= 300 && code <= 599;
}

function causeOf(error: unknown): string {
  const { cause } = (error ?? {}) as { cause?: { code?: unknown; message?: unknown } };
  return cause === undefined || cause === null ? "" : `${cause.code} ${cause.message}`;
}

/** What Node prints below an error: frames of the stack, its own version, a closing brace. */
const AFTERWORD = /^\s+at |^Node\.js v\d|^[\s{}\]]*$/;

function messageOf(kind: FailureKind, error: unknown, { phase, stderr, ended, secrets = [] }: FailureContext): string {
  // Secrets go first: a text that is cut before would keep the beginning of one.
  const shown = (text: string, limit: number) => printable(redact(text, secrets), limit);
  const last = stderr?.filter((line) => !AFTERWORD.test(line)).at(-1);
  const said = last === undefined ? "" : `: ${shown(last, 300)}`;
  if (kind === "not-found") return "The command does not exist";
  if (kind === "crashed") {
    const how = ended?.signal ? `was ended by ${ended.signal}` : `exited with code ${ended?.code}`;
    return `The server ${how} during ${phase}${said}`;
  }
  if (kind === "timeout") return `The server did not answer ${phase} in time${said}`;
  if (kind === "auth") return "The server wants a login";
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
  if (name === "SyntaxError" || name === "ZodError") return `${phase} failed: the answer is no JSON-RPC message`;
  if (isHttpError(code)) return `${phase} failed with HTTP ${code}: ${shown(httpText(error), 200)}`;
  const text = error instanceof Error ? error.message : String(error);
  return `${phase} failed: ${shown(text.split("\n")[0] ?? "", 300)}`;
}

/** What the answer said, without the SDK's words before it. */
function httpText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (
    text
      .replace(/^Streamable HTTP error: /, "")
      .replace(/^Error POSTing to endpoint: /, "")
      .trim()
      .split("\n")[0] ?? ""
  );
}

/** The message with every secret and everything that looks like a token replaced. */
export function redact(message: string, secrets: readonly string[]): string {
  let clean = message;
  for (const secret of secrets) if (secret.length >= 4) clean = clean.replaceAll(secret, "[redacted]");
  return clean.replace(/\b(?:gh[pousr]_|sk-|xox[abprs]-|Bearer\s+)[A-Za-z0-9._-]{8,}/g, "[redacted]");
}
