/** Labelled sets: listings of tools, and requests that say which of them are right. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Tool } from "../../../runtime/core/contracts.ts";

export interface Request {
  query: string;
  relevant: string[];
}

export interface LabelledSet {
  name: string;
  tools: Tool[];
  requests: { name: string; requests: Request[] }[];
}

/** Every `x.tools.jsonl` of a folder with the requests in `x.*.jsonl`. */
export function findSets(folder: string): LabelledSet[] {
  const files = existsSync(folder) ? readdirSync(folder).sort() : [];
  return files
    .filter((file) => file.endsWith(".tools.jsonl"))
    .map((file) => {
      const start = file.slice(0, -"tools.jsonl".length);
      const requests = files.filter((other) => other.startsWith(start) && other.endsWith(".jsonl") && other !== file);
      return readSet(
        join(folder, file),
        requests.map((other) => join(folder, other)),
      );
    });
}

export function readSet(tools: string, requests: string[]): LabelledSet {
  return {
    name: basename(tools, ".tools.jsonl"),
    tools: lines<{ server: string; name: string; description?: string; props?: string[] }>(tools).map(
      ({ server, name, description, props = [] }) => ({
        server,
        name,
        ...(description === undefined ? {} : { description }),
        inputSchema: { type: "object", properties: Object.fromEntries(props.map((property) => [property, {}])) },
      }),
    ),
    requests: requests.map((file) => ({ name: basename(file, ".jsonl"), requests: lines<Request>(file) })),
  };
}

function lines<Line>(file: string): Line[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Line);
}
