/** What an entry says before anything in it is expanded: to compare entries, and to show a person what he approves. */
import { isObject } from "./config-format.ts";
import { addressOf, commandOf } from "./target.ts";

/** The command with its arguments, or the address, as one text that differs where they differ. */
export function writtenTarget(raw: unknown): string | undefined {
  if (!isObject(raw)) return undefined;
  const written = commandOf(raw);
  return written === null ? (addressOf(raw) ?? undefined) : JSON.stringify([written.command, ...written.args]);
}

const SECRET_NAME = /key|token|secret|passw|auth|credential|bearer/i;

/**
 * One line for a person: the command, its arguments and the names of the environment, or the address without its query.
 * Values that look like secrets by the name of their option stand as `***`.
 */
export function describeTarget(raw: unknown): string {
  if (!isObject(raw)) return "";
  const written = commandOf(raw);
  if (written === null)
    return (
      addressOf(raw)
        ?.replace(/[?#].*$/s, "?…")
        .replace(/\/\/[^/@]*@/, "//***@") ?? ""
    );
  const args = written.args.map((arg) => (typeof arg === "string" ? arg : JSON.stringify(arg)));
  const shown = args.map((arg, at) => {
    const [name = "", value] = arg.split(/=(.*)/s);
    if (value !== undefined) return SECRET_NAME.test(name) ? `${name}=***` : arg;
    const before = args[at - 1] ?? "";
    return before.startsWith("-") && !before.includes("=") && SECRET_NAME.test(before) ? "***" : arg;
  });
  const names = isObject(written.env) ? Object.keys(written.env) : [];
  return [[written.command, ...shown].join(" "), ...(names.length === 0 ? [] : [`(sets ${names.join(", ")})`])].join(
    " ",
  );
}
