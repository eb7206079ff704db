/** What a client can read: the pack's skills, the catalogue of what can be selected, and the report of this session. */
import { readFile } from "node:fs/promises";
import type { ReadResourceResult, Resource } from "@modelcontextprotocol/sdk/types.js";
import type { Skill } from "../core/skill.ts";
import type { SessionState } from "./session-state.ts";

export type SkillSource = () => Promise<readonly Pick<Skill, "name" | "description" | "file">[]>;

export const CATALOGUE = "mcp-skills://catalogue";
export const REPORT = "mcp-skills://report";

const skillUri = (name: string) => `skill://${name}/SKILL.md`;

export async function listResources(skills: SkillSource): Promise<Resource[]> {
  return [
    ...(await skills()).map(({ name, description }) => ({
      uri: skillUri(name),
      name,
      description,
      mimeType: "text/markdown",
    })),
    {
      uri: CATALOGUE,
      name: "catalogue",
      description: "The servers and tools that use_server and use_tool can select",
      mimeType: "application/json",
    },
    {
      uri: REPORT,
      name: "report",
      description: "What this session used: the results fence and the handoff",
      mimeType: "text/markdown",
    },
  ];
}

/** `undefined` for an address that is none of these. */
export async function readResource(
  uri: string,
  session: SessionState,
  skills: SkillSource,
): Promise<ReadResourceResult | undefined> {
  const give = (text: string, mimeType: string) => ({ contents: [{ uri, mimeType, text }] });
  if (uri === CATALOGUE) {
    const { loaded } = await session.tools.now();
    return give(JSON.stringify(loaded.catalogue(), null, 2), "application/json");
  }
  if (uri === REPORT) {
    const { book } = await session.tools.now();
    return give(session.log.report(book.inventory), "text/markdown");
  }
  const skill = (await skills()).find(({ name }) => skillUri(name) === uri);
  return skill === undefined ? undefined : give(await readFile(skill.file, "utf8"), "text/markdown");
}
