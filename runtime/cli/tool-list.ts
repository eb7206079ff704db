/** Lists of MCP tools as an agent has them: JSON, or qualified names one a line. */
import type { ListedTool } from "../core/contracts.ts";
import { PackError } from "../core/errors.ts";
import { splitQualifiedName } from "../core/tool.ts";
import { isDevice } from "./io.ts";

export interface ToolList {
  tools: ListedTool[];
  /** Lines and entries that are no MCP tool. They are never trimmed or folded into one. */
  left: number;
}

/**
 * Reads a list: a JSON array of names or tools, `{ "tools": […] }`, or plain lines, each a qualified name, with a
 * description after a tab where there is one. Throws `not-json` for a text that begins as JSON and is none.
 */
export function parseToolList(text: string): ToolList {
  const entries = /^\s*[[{]/.test(text) ? jsonEntries(text) : lineEntries(text);
  const tools = entries.filter(
    (entry): entry is ListedTool =>
      typeof entry === "object" &&
      entry !== null &&
      typeof (entry as ListedTool).name === "string" &&
      splitQualifiedName((entry as ListedTool).name) !== null,
  );
  return { tools, left: entries.length - tools.length };
}

function jsonEntries(text: string): unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new PackError("not-json", "The list begins as JSON and is not valid JSON", {
      fix: 'Give a JSON array, { "tools": […] }, or one qualified name a line',
      cause,
    });
  }
  const list = Array.isArray(value) ? value : (value as { tools?: unknown }).tools;
  if (!Array.isArray(list)) {
    throw new PackError("not-json", "The JSON holds no list of tools", {
      fix: 'Give a JSON array, or { "tools": […] }',
    });
  }
  return list.map((entry: unknown) => (typeof entry === "string" ? { name: entry } : entry));
}

function lineEntries(text: string): ListedTool[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [name = "", description] = line.split("\t", 2);
      return description === undefined ? { name } : { name, description };
    });
}

/**
 * What is piped into stdin, or `null` where nothing is: on a terminal or another device, at once closed, or silent for a quarter of a second
 * (a harness may leave a pipe open for ever). Whoever is slower says `--input -`.
 */
export function readPiped(given?: NodeJS.ReadStream): Promise<string | null> {
  if (given === undefined && isDevice(0)) return Promise.resolve(null);
  const stdin = given ?? process.stdin;
  if (stdin.isTTY) return Promise.resolve(null);
  return new Promise((done) => {
    let text = "";
    const finish = (value: string | null) => {
      clearTimeout(timer);
      stdin.removeAllListeners("data").removeAllListeners("end").removeAllListeners("error");
      stdin.pause();
      stdin.unref?.();
      done(value);
    };
    const timer = setTimeout(() => finish(null), 250);
    stdin.setEncoding("utf8");
    stdin.on("data", (part) => {
      clearTimeout(timer);
      text += part;
    });
    stdin.on("end", () => finish(text.trim() === "" ? null : text));
    stdin.on("error", () => finish(null));
  });
}
