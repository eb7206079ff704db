/** The handoff: four lines in a ```` ```handoff ```` block by which an agent tells its orchestrator how the task ended. */
import { type Handoff, HandoffSchema } from "./contracts.ts";
import { PackError, printable } from "./errors.ts";
import { issuesOf } from "./handler.ts";
import { handoffLines } from "./results-text.ts";

const KEYS = ["status", "task", "notes", "iteration_count"] as const;

/** The four lines, without the fence around them. Throws `bad-handoff` where a field does not fit. */
export function formatHandoff(handoff: Handoff): string {
  return handoffLines(checkedHandoff(handoff));
}

/** Reads the four lines back, in any order, each exactly once. Throws `bad-handoff` with the line that is wrong. */
export function parseHandoff(body: string): Handoff {
  const fields = new Map<string, unknown>();
  for (const [index, line] of body.replace(/\n$/, "").split("\n").entries()) {
    const match = /^([a-z_]+): (\S.*)$/.exec(line);
    const key = match?.[1];
    if (key === undefined || fields.has(key) || !(KEYS as readonly string[]).includes(key)) {
      throw badHandoff(`line ${index + 1}, "${printable(line, 60)}", is not one of ${KEYS.join(", ")}, each once`);
    }
    fields.set(key, readValue(key, match?.[2] ?? ""));
  }
  return checkedHandoff(Object.fromEntries(fields));
}

function readValue(key: string, text: string): unknown {
  if (key === "iteration_count") return /^[1-9][0-9]*$/.test(text) ? Number(text) : text;
  if (key !== "notes") return text;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw badHandoff("notes is not one JSON string in double quotes", cause);
  }
}

export function checkedHandoff(value: unknown): Handoff {
  const checked = HandoffSchema.safeParse(value);
  if (!checked.success) throw badHandoff(issuesOf(checked.error), checked.error);
  return checked.data;
}

function badHandoff(detail: string, cause?: unknown): PackError {
  return new PackError("bad-handoff", `The handoff cannot be read: ${detail}`, {
    fix: "Write the four lines status, task, notes and iteration_count as mcp-cli-discovery's SKILL.md shows them",
    cause,
  });
}
