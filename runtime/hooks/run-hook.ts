/**
 * A host's hook as a command: its JSON on stdin, the answer on stdout. It starts anew before every call, so what it loads is
 * counted in milliseconds. On any fault it asks rather than allows, and says why on stderr.
 */
import { resolve } from "node:path";
import { readAll, writeAll } from "../core/descriptors.ts";
import { describeError } from "../core/errors.ts";
import { homeFolder } from "../core/home-folder.ts";
import { inertJson } from "../core/json-text.ts";
import { type Dialect, formatAnswer, readPayload } from "./payload.ts";
import { type HookOptions, preToolUse } from "./pre-tool-use.ts";

/** A call's arguments may hold whole files; what is longer is asked about. */
const MAX_PAYLOAD_BYTES = 64 * 1024 * 1024;

export const HOOK_EVENTS = ["pre-tool-use", "user-prompt-submit", "session-start"] as const;

/** Runs `<event> [--mode M] [--log FILE]`. Gives the exit code: 0, or 2 for a call that is none of these. */
export async function runHook(argv: readonly string[]): Promise<number> {
  const [event = "", ...rest] = argv;
  const options = readOptions(rest);
  if (!(HOOK_EVENTS as readonly string[]).includes(event) || options === null) {
    writeAll(2, `mcp-skills hook takes ${HOOK_EVENTS.join(", ")}, with --mode and --log\n`);
    // Claude Code stops a call on exit code 2: a hook that was set up wrongly lets nothing pass.
    return 2;
  }
  let dialect: Dialect = "both";
  let prompt: string | undefined;
  try {
    const payload = readPayload(readAll(MAX_PAYLOAD_BYTES), process.env.CLAUDE_PROJECT_DIR);
    dialect = payload.dialect;
    prompt = payload.prompt;
    const place = {
      cwd: resolve(payload.folder),
      home: homeFolder(),
      env: process.env,
      platform: process.platform,
    };
    answer(await outcome(event, payload, { ...options, place, now: Date.now() }));
  } catch (error) {
    const reason = describeError(error);
    writeAll(2, `mcp-skills hook ${event}: ${reason}\n`);
    if (event === "pre-tool-use") {
      answer(
        formatAnswer(dialect, "PreToolUse", {
          permissionDecision: "ask",
          permissionDecisionReason: `mcp-skills could not decide: ${reason}`,
        }),
      );
    } else if (event === "user-prompt-submit" && (prompt === undefined || mayHoldSelection(prompt))) {
      answer({ decision: "block", reason: `The selection could not be checked: ${reason}` });
    }
  }
  return 0;
}

type Payload = ReturnType<typeof readPayload>;

async function outcome(event: string, payload: Payload, options: HookOptions): Promise<object | null> {
  if (event === "pre-tool-use") {
    const result = await preToolUse(payload, options);
    if (result === null) return null;
    const { decision, reason } = result;
    return formatAnswer(payload.dialect, "PreToolUse", {
      permissionDecision: decision === "confirm" ? "ask" : decision,
      permissionDecisionReason: `mcp-skills: ${reason}`,
    });
  }
  if (event === "session-start") {
    const { sessionStart } = await import("./session-start.ts");
    const context = await sessionStart(options);
    return context === null ? null : formatAnswer(payload.dialect, "SessionStart", { additionalContext: context });
  }
  if (!mayHoldSelection(payload.prompt)) return null;
  const { userPromptSubmit } = await import("./user-prompt-submit.ts");
  const found = await userPromptSubmit(payload, options);
  if (found === null) return null;
  if ("block" in found) return { decision: "block", reason: found.block };
  return formatAnswer(payload.dialect, "UserPromptSubmit", { additionalContext: found.context });
}

/** Whether a prompt has anything for its hook; where not, nothing of it is looked at. */
function mayHoldSelection(prompt: string | undefined): boolean {
  return prompt?.includes("/mcp:") === true;
}

/** Nothing is printed where there is nothing to say: the host then goes on as it would without the hook. */
function answer(value: object | null): void {
  if (value !== null) writeAll(1, `${inertJson(value)}\n`);
}

function readOptions(argv: readonly string[]): { mode?: string; log?: string } | null {
  const options: { mode?: string; log?: string } = {};
  for (let at = 0; at < argv.length; at += 2) {
    const [name, value] = [argv[at], argv[at + 1]];
    if (value === undefined) return null;
    if (name === "--mode") options.mode = value;
    else if (name === "--log") options.log = value;
    else return null;
  }
  return options;
}
