/**
 * The portable profile: what a SKILL.md may hold so that every host shows it with the same name and the same description.
 * Each finding says which host or checker drops the skill, cuts it or reads something else; found by giving such files to
 * those programs (Claude Code 2.1, Copilot CLI 1.0, Gemini CLI 0.61, OpenCode 1.18, pi 0.73, skills 1.7, openskills 1.5,
 * skills-ref, skill-tools; VS Code by its documentation).
 */
import { basename, dirname } from "node:path";
import { parse } from "yaml";
import { PackError, printable } from "../core/errors.ts";
import { splitFrontmatter } from "../core/skill-text.ts";

const KNOWN_KEYS = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];
const MAX_BODY_LINES = 500;

/** Every deviation of a SKILL.md from the profile, as errors with file, line and fix; none where it is portable. */
export function portableFindings(bytes: Uint8Array, file: string): PackError[] {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const found: PackError[] = [];
  const add = (line: number, message: string, fix: string) =>
    found.push(new PackError("not-portable", message, { file, line, fix }));
  if (text.startsWith("\uFEFF"))
    add(1, "It starts with a byte order mark: Gemini CLI drops the skill", "Save it as UTF-8 without one");
  if (text.includes("\r"))
    add(
      1,
      "Its line ends are not line feeds: checksums differ, and some exporters lose the description",
      "Save it with LF",
    );
  let parts: ReturnType<typeof splitFrontmatter>;
  try {
    parts = splitFrontmatter(text, file);
  } catch (error) {
    if (error instanceof PackError) return [...found, error];
    throw error;
  }
  const lines = parts.yaml.split("\n");
  for (const [at, line] of lines.entries()) checkLine(line, lines[at - 1] ?? "", at + 2, add);
  checkName(fieldOf(lines, "name"), file, add);
  checkDescription(lines, add);
  if (parts.body.split("\n").length > MAX_BODY_LINES) {
    add(
      parts.bodyLine,
      `Its body has more than ${MAX_BODY_LINES} lines: skill-tools warns, and hosts cut long ones`,
      "Move parts to files beside it",
    );
  }
  return found;
}

type Add = (line: number, message: string, fix: string) => void;

function checkLine(line: string, before: string, place: number, add: Add): void {
  const top = /^([^\s:#][^:]*):(.*)$/.exec(line);
  const value = (top?.[2] ?? "").trim();
  if (line.includes("\t"))
    add(place, "It holds a tab: OpenCode drops the skill, or loses the value", "Indent with spaces");
  if (top?.[1] !== undefined && !KNOWN_KEYS.includes(top[1])) {
    add(
      place,
      `The key ${printable(top[1], 40)} is not of the specification: skills-ref and the upload to claude.ai refuse it`,
      "Move it under metadata",
    );
  }
  if (top?.[1] === "allowed-tools" && (value === "" || value.startsWith("["))) {
    add(
      place,
      "allowed-tools is a list: gh skill publish refuses it, and Copilot does not read it",
      "Write the names on one line, separated by spaces",
    );
  }
  if (/^(?:\S+: +|\s+\S+: +)[[{&*!]/.test(line)) {
    add(
      place,
      "It is written in flow style, or with an anchor or a tag: skills-ref refuses it",
      "Write one key: value a line",
    );
  }
  const nested = /^\s+([\w.-]+):(?: +(.*))?$/.exec(line);
  if (nested === null || /^description:/.test(before)) return;
  if ((nested[2] ?? "") === "") add(place, "metadata is nested: crush refuses the skill", "Use one level of keys");
  else if (!/^".*"$/.test(nested[2] ?? ""))
    add(
      place,
      "The value is not in double quotes: some readers turn it into a number, a date or true",
      "Put it into double quotes",
    );
  if (nested[1] === "internal" && /true/.test(nested[2] ?? ""))
    add(place, "metadata.internal hides the skill from skills", "Remove it");
}

function checkName(name: string | undefined, file: string, add: Add): void {
  const folder = basename(dirname(file));
  if (name === undefined) {
    add(2, "It has no name: skills-ref, VS Code and OpenCode drop the skill", `Add name: ${printable(folder, 64)}`);
    return;
  }
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) || name.length > 64) {
    add(
      2,
      `The name "${printable(name, 80)}" does not fit: VS Code drops the skill without a word, skills-ref and gh skill refuse it`,
      "Use lower-case letters, digits and single hyphens, 64 at most",
    );
  }
  if (name !== folder)
    add(
      2,
      "The name is not its folder's: VS Code drops the skill, skills-ref refuses it, pi warns",
      "Give both the same name",
    );
}

function checkDescription(lines: readonly string[], add: Add): void {
  const at = lines.findIndex((line) => line.startsWith("description:"));
  const value = fieldOf(lines, "description");
  const place = at + 2;
  if (value === undefined || value === "") {
    add(Math.max(place, 2), "It has no description: pi and Copilot leave it out", "Add description: …, on one line");
    return;
  }
  let told = false;
  const say = (message: string, fix: string) => {
    told = true;
    add(place, message, fix);
  };
  if (/^[|>]/.test(value))
    say(`It is a block: openskills shows "${value.slice(0, 2)}" instead`, "Write it on one line");
  else if (/^\s+\S/.test(lines[at + 1] ?? ""))
    say("It goes on over lines: openskills shows the first one only", "Write it on one line");
  if (/^["']/.test(value)) say("It is quoted: openskills shows the quotes", "Write it without quotes");
  else if (/^[`@*&!%[{]|^[-?:] /.test(value))
    say("It starts with a sign of YAML's own: OpenCode drops the skill", "Start it with a word");
  else if (/: |:$/.test(value))
    say('It holds ": " unquoted: OpenCode drops the skill without a word', "Write it without the colon");
  if (!/^["']/.test(value) && / #/.test(value))
    say('It holds " #": every YAML reader cuts it there', "Write it without the sign");
  if (value.includes("---")) say('It holds "---": skills-ref cuts it there', "Write a dash");
  if (/[<>]/.test(value)) say("It holds < or >: the upload to claude.ai refuses it", "Write it in words");
  if (value.length > 1024)
    say("It is longer than 1,024 UTF-16 units: pi, Copilot and skills-ref refuse it", "Shorten it");
  if (!told && readAsYaml(value) !== value)
    say("A YAML reader takes it for something else, such as a number, a list or nothing", "Write a sentence");
}

/** What a YAML reader makes of a plain value; `undefined` where it is an error to it. */
function readAsYaml(value: string): unknown {
  try {
    return parse(`description: ${value}\n`).description;
  } catch {
    return undefined;
  }
}

function fieldOf(lines: readonly string[], key: string): string | undefined {
  return lines
    .find((line) => line.startsWith(`${key}:`))
    ?.slice(key.length + 1)
    .trim();
}
