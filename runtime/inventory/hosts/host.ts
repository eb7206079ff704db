/** How one host (an agent, an editor, a desktop application) writes its MCP servers down: data, read by `configured.ts`. */
import type { ConfigFormat, ConfigObject } from "../config-format.ts";
import type { Notation } from "../expand.ts";

/**
 * A path starts with a root in angle brackets. `<project>` is every folder from the working directory up to the
 * repository's root; `<home>`, `<config>` (`$XDG_CONFIG_HOME` or `~/.config`) and `<appData>` (where the platform keeps
 * applications' settings) are the user's; any other root is an environment variable of that name with the default that
 * {@link Host.roots} gives. `*` stands for any name in one segment.
 */
export type PathTemplate = `<${string}>/${string}`;

export interface HostFile {
  /** Project files come with a repository, so their servers wait for the user's approval. */
  scope: "project" | "user";
  paths: readonly PathTemplate[];
  format: ConfigFormat;
  /** The keys that lead to the servers, from the file's root; `<project>` in one stands for the project's path. */
  root: readonly string[];
  /** Where this file is there, the host uses no server of any other: an administrator's list. */
  exclusive?: boolean;
  /** Whether the file may also be the map of servers itself. */
  bare?: boolean;
  /** Only on these platforms (`process.platform`); default all. */
  platforms?: readonly string[];
}

export interface EntryRules {
  /** Notations for variables beyond the common ones. */
  notations?: readonly Notation[];
  /** What a `url` without a type means; default `http`. */
  urlTransport?: "http" | "sse";
  /** The unit of a bare `timeout`; default milliseconds. */
  timeoutUnit?: "s" | "ms";
  /** Types of entries that are no MCP servers to start, such as a host's built-in tools: they are passed over. */
  skipTypes?: readonly string[];
  /** The key under which an entry may hold its fields a level deeper. */
  nested?: string;
  /** An entry that has only these keys is started by the host itself, and no other program knows how. */
  ownKeys?: readonly string[];
}

export interface Host {
  id: string;
  title: string;
  /** Strongest first, as the host ranks them. */
  files: readonly HostFile[];
  /** Defaults of the roots that an environment variable may move. Without a default the root exists only where it is set. */
  roots?: Readonly<Record<string, PathTemplate | null>>;
  entries?: EntryRules;
  /** Names that the file switches off beside the entries themselves. `project` is the folder the file is read for. */
  switchedOff?(root: ConfigObject, name: string, project: string): boolean;
  /** Tool lists that stand beside the entries. */
  toolLists?(root: ConfigObject, name: string): { deny?: string[] };
}

/** VS Code and the editors built from it that keep `User/` in a folder of their own name. */
export const CODE_EDITORS = ["Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"] as const;

/** Where an extension of such an editor keeps a settings file, on this machine or, over a remote connection, as its server. */
export function extensionFiles(extension: string, file: string): PathTemplate[] {
  const folder = `User/globalStorage/${extension}/settings/${file}`;
  return [
    ...CODE_EDITORS.map((editor): PathTemplate => `<appData>/${editor}/${folder}`),
    `<home>/.vscode-server/data/${folder}`,
  ];
}
