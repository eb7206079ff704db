/** The decision log: one JSON record a line, appended, for a person to read and a program to query. */
import { appendFileSync } from "node:fs";
import type { LogRecord } from "../core/contracts.ts";
import { PackError } from "../core/errors.ts";
import { inertJson } from "../core/json-text.ts";

/** A function that appends records to a file (made with mode 0600), or does nothing where no file is named. */
export function logTo(file: string | undefined): (record: LogRecord) => void {
  if (file === undefined) return () => {};
  return (record) => {
    try {
      appendFileSync(file, `${inertJson(record)}\n`, { mode: 0o600 });
    } catch (cause) {
      throw new PackError(
        "write-failed",
        `The log cannot be written (${(cause as { code?: string }).code ?? "unknown"})`,
        {
          file,
          fix: "Name a file in a folder that exists and can be written",
          cause,
        },
      );
    }
  };
}
