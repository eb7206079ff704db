/** The project's instructions for Copilot, one of the three sources of detection. */
import { describeError } from "../core/errors.ts";
import { readText } from "../inventory/read-text.ts";
import { note } from "./io.ts";

/** The file's text; empty where there is none, and where it cannot be read, which is told on stderr. */
export function copilotInstructions(): string {
  try {
    return readText(".github/copilot-instructions.md") ?? "";
  } catch (error) {
    note(`${describeError(error)}; detection goes on without it`);
    return "";
  }
}
