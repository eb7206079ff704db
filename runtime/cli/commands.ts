/** Every command with one line on what it does. A command's module is imported when it runs. */
import type { CommandDef } from "citty";

export interface CommandEntry {
  summary: string;
  // biome-ignore lint/suspicious/noExplicitAny: citty's own type for a command of any arguments.
  load(): Promise<CommandDef<any>>;
  /** Help on what the arguments name, where a command has more to say than its options; null for the general help. */
  help?(rawArgs: string[]): Promise<string | null>;
}

export const COMMANDS: Record<string, CommandEntry> = {
  discover: {
    summary: "Connect to every configured server, classify its tools, report",
    load: () => import("./discover.ts").then((module) => module.command),
  },
  servers: {
    summary: "List every configured MCP server, and start none",
    load: () => import("./servers.ts").then((module) => module.command),
  },
  doctor: {
    summary: "Examine what is configured: failures, clashes, costs, hidden text",
    load: () => import("./doctor.ts").then((module) => module.command),
  },
  tools: {
    summary: "Say of every MCP tool what it is for and whether it reads or writes",
    load: () => import("./tools.ts").then((module) => module.command),
  },
  search: {
    summary: "Find MCP tools by what they do, with why each matched",
    load: () => import("./search.ts").then((module) => module.command),
  },
  load: {
    summary: "Choose at most eight tools for an intent, and say what that saves",
    load: () => import("./load.ts").then((module) => module.command),
  },
  route: {
    summary: "Say what serves a capability: a skill, an MCP tool, or the agent's own tools",
    load: () => import("./route.ts").then((module) => module.command),
  },
  gate: {
    summary: "Decide for one MCP call: allow, confirm or deny",
    load: () => import("./gate.ts").then((module) => module.command),
  },
  query: {
    summary: "Put a research question to one reading tool, and report",
    load: () => import("./query.ts").then((module) => module.command),
  },
  verify: {
    summary: "Look whether the CLIs that prompt and instructions name are installed",
    load: () => import("./verify.ts").then((module) => module.command),
  },
  catalog: {
    summary: "List what a composer can offer: servers and tools to select",
    load: () => import("./catalog.ts").then((module) => module.command),
  },
  submit: {
    summary: "Check a message's selections: JSON in, result or rejection out",
    load: () => import("./submit.ts").then((module) => module.command),
  },
  skills: {
    summary: "List the pack's skills",
    load: () => import("./skills.ts").then((module) => module.command),
  },
  run: {
    summary: "Run one handler: JSON in, JSON out",
    load: () => import("./run.ts").then((module) => module.command),
    help: (rawArgs) => import("./run.ts").then((module) => module.handlerHelp(rawArgs)),
  },
  schema: {
    summary: "Print the JSON Schema of what a run hands on",
    load: () => import("./schema.ts").then((module) => module.command),
  },
  persist: {
    summary: "Check an agent's final message and keep its report under a run",
    load: () => import("./persist.ts").then((module) => module.command),
  },
  runs: {
    summary: "List runs, or show what one expected and got",
    load: () => import("./runs.ts").then((module) => module.command),
  },
  install: {
    summary: "Install skills into a host's folder, with hooks where wanted",
    load: () => import("./install.ts").then((module) => module.command),
  },
  update: {
    summary: "Bring installed skills to what the pack has",
    load: () => import("./update.ts").then((module) => module.command),
  },
  uninstall: {
    summary: "Remove what was installed and nothing else",
    load: () => import("./uninstall.ts").then((module) => module.command),
  },
  list: {
    summary: "List installed skills: current, stale, modified, missing, foreign",
    load: () => import("./list.ts").then((module) => module.command),
  },
  validate: {
    summary: "Check skills, also against what other hosts drop or cut",
    load: () => import("./validate.ts").then((module) => module.command),
  },
  hook: {
    summary: "Answer a host's hook before a call, on a prompt, at a session's start",
    load: () => import("./hook.ts").then((module) => module.command),
  },
  serve: {
    summary: "Run as one MCP server in place of all configured ones",
    load: () => import("./serve.ts").then((module) => module.command),
  },
  trace: {
    summary: "Show every stage of the flow for one case",
    load: () => import("./trace.ts").then((module) => module.command),
  },
  completion: {
    summary: "Print a shell's completion script",
    load: () => import("./completion.ts").then((module) => module.command),
  },
};
