/** The tools of a project's servers as they were listed before. A hook starts no server; what nobody listed is not known. */
import { readFileSync } from "node:fs";
import type { Inventory, Tool } from "../core/contracts.ts";
import { cacheFolder, LISTS_FOLDER, MAX_AGE_MS, othersCanWrite, readProjectLists } from "../inventory/cache-folder.ts";
import { type Place, pathOf } from "../inventory/host-files.ts";

/** A server's name as hosts put it into a tool's name. */
export function hostName(server: string): string {
  return server.replace(/[^A-Za-z0-9_-]/g, "_");
}

/** The names of the project's servers whose tools were listed. */
export function knownServers(place: Place): Promise<Record<string, string>> {
  return readProjectLists(place);
}

/** A server's tools, or `null` where the list is too old, damaged, or may have been written by others. */
export function listedTools(server: string, key: string, place: Place, now: number): Tool[] | null {
  try {
    const file = pathOf(place.platform).join(cacheFolder(place), LISTS_FOLDER, `${key}.json`);
    if (othersCanWrite(file, place)) return null;
    const list = JSON.parse(readFileSync(file, "utf8"));
    if (list.key !== key || !Array.isArray(list.tools) || !(now - list.listedAt <= MAX_AGE_MS)) return null;
    const named = list.tools.filter((tool: unknown) => typeof (tool as { name?: unknown } | null)?.name === "string");
    return named.map((tool: Tool) => ({ ...tool, server }));
  } catch {
    return null;
  }
}

/** Every server of the project with its listed tools. */
export async function knownInventory(place: Place, now: number): Promise<Inventory> {
  const servers = Object.entries(await knownServers(place)).flatMap(([name, key]) => {
    const tools = listedTools(name, key, place, now);
    return tools === null ? [] : [{ name, state: "ready" as const, tools, flags: [], origins: [] }];
  });
  return { servers, problems: [] };
}
