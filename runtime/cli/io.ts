/** The command line's edge: results to stdout, everything else to stderr, colours and tables only where a person looks. */
import { fstatSync, readFileSync } from "node:fs";
import { styleText } from "node:util";
import { writeAll } from "../core/descriptors.ts";
import { PackError } from "../core/errors.ts";

/** Writes a result. A reader that closes the pipe early (`| head`) is no error: nothing is left to say, and nobody to say it to. */
export function print(text: string): void {
  if (!writeAll(1, text.endsWith("\n") ? text : `${text}\n`)) process.exit(0);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** Writes a line for a person beside the result: progress, warnings, logs. */
export function note(text: string): void {
  writeAll(2, `${text}\n`);
}

/** Whether a descriptor is a device, such as a terminal or the null device, and not a file, a pipe or a socket. */
export function isDevice(descriptor: 0 | 1 | 2): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}

/** Whether a person is at stdin (0), stdout (1, the default) or stderr (2); `--json` and pipes get plain data. */
export function isTerminal(descriptor: 0 | 1 | 2 = 1): boolean {
  if (!isDevice(descriptor)) return false;
  const stream = descriptor === 0 ? process.stdin : descriptor === 1 ? process.stdout : process.stderr;
  return stream.isTTY === true;
}

type Style = Parameters<typeof styleText>[0];

/** Colours a text where stdout is a terminal and `NO_COLOR` (no-color.org) is not set. */
export function colour(style: Style, text: string): string {
  const wanted = isTerminal() && (process.env.NO_COLOR ?? "") === "" && process.env.TERM !== "dumb";
  return wanted ? styleText(style, text) : text;
}

/**
 * A table without borders that fits the terminal: the last column wraps. Widths count what is seen, not code units.
 */
export async function formatTable(head: string[], rows: string[][]): Promise<string> {
  const { default: Table } = await import("cli-table3");
  const none = Object.fromEntries(
    [
      "top",
      "top-mid",
      "top-left",
      "top-right",
      "bottom",
      "bottom-mid",
      "bottom-left",
      "bottom-right",
      "left",
      "left-mid",
    ]
      .concat(["mid", "mid-mid", "right", "right-mid"])
      .map((name) => [name, ""]),
  );
  const longest = head.map((title, at) => Math.max(title.length, ...rows.map((row) => (row[at] ?? "").length)));
  const used = longest.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  const room = Math.max(20, (process.stdout.columns ?? 120) - used);
  const last = Math.min(room, longest.at(-1) ?? 0);
  const table = new Table({
    chars: { ...none, middle: "" },
    style: { head: [], border: [], "padding-left": 0, "padding-right": 2 },
    colWidths: [...longest.slice(0, -1).map(() => null), last + 2],
    wordWrap: true,
  });
  table.push(
    head.map((title) => colour("bold", title)),
    ...rows,
  );
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

/** A file's text, or stdin for `-`. Throws `unreadable` with the fix. */
export async function readInput(path: string): Promise<string> {
  if (path === "-") {
    const { text } = await import("node:stream/consumers");
    return text(process.stdin);
  }
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new PackError("unreadable", `The file cannot be read (${(cause as { code?: string }).code ?? "unknown"})`, {
      file: path,
      fix: "Check the path, or give - to read from stdin",
      cause,
    });
  }
}

/** JSON from a file or stdin. Throws `not-json` with the place. */
export async function readJsonInput(path: string): Promise<unknown> {
  const text = await readInput(path);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new PackError("not-json", "The input is not valid JSON", {
      file: path === "-" ? "stdin" : path,
      fix: "Give one JSON value",
      cause,
    });
  }
}

/** Every value of an option that may be given several times: `--config a --config b`, `--config=a`, `--config a b`. */
export function repeated(rawArgs: string[], name: string): string[] {
  const values: string[] = [];
  let open = false;
  for (const argument of rawArgs) {
    if (argument === `--${name}`) open = true;
    else if (argument.startsWith(`--${name}=`)) values.push(argument.slice(name.length + 3));
    else if (argument.startsWith("-") && argument !== "-") open = false;
    else if (open) values.push(argument);
  }
  return values;
}

/** Every value of an option that takes one value each time: `--pin a --pin b`, `--pin=a`. */
export function givenEach(rawArgs: string[], name: string): string[] {
  return rawArgs.flatMap((argument, at) => {
    if (argument.startsWith(`--${name}=`)) return [argument.slice(name.length + 3)];
    const value = rawArgs[at + 1];
    return argument === `--${name}` && value !== undefined ? [value] : [];
  });
}
