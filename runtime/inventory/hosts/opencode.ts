/**
 * opencode. Checked: opencode.ai/docs/config (sst/opencode, config.mdx) and /docs/mcp-servers: key `mcp` in
 * `opencode.json(c)` from the working directory up to the Git root, then `OPENCODE_CONFIG_DIR`, `OPENCODE_CONFIG`,
 * `~/.config/opencode`, and what an administrator sets; `type` local or remote, `command` is a list, `environment`,
 * `enabled`, `timeout` in milliseconds; `{env:VAR}` and `{file:path}`; `tools` switches `<server>_<tool>` off by glob.
 * The portable `.agents/mcp.json` is a bare map and wins.
 */
import { isObject } from "../config-format.ts";
import type { Host } from "./host.ts";

export const opencode: Host = {
  id: "opencode",
  title: "opencode",
  files: [
    { scope: "project", paths: ["<project>/.agents/mcp.json"], format: "jsonc", root: ["mcpServers"], bare: true },
    {
      scope: "project",
      paths: [
        "<project>/opencode.json",
        "<project>/opencode.jsonc",
        "<project>/.opencode/opencode.json",
        "<project>/.opencode/opencode.jsonc",
      ],
      format: "jsonc",
      root: ["mcp"],
    },
    { scope: "user", paths: ["<home>/.agents/mcp.json"], format: "jsonc", root: ["mcpServers"], bare: true },
    {
      scope: "user",
      paths: [
        "<OPENCODE_CONFIG_DIR>/opencode.json",
        "<OPENCODE_CONFIG_DIR>/opencode.jsonc",
        "<OPENCODE_CONFIG>/",
        "<config>/opencode/opencode.json",
        "<config>/opencode/opencode.jsonc",
        "<config>/opencode/config.json",
      ],
      format: "jsonc",
      root: ["mcp"],
    },
    {
      scope: "user",
      paths: ["<home>/.local/share/opencode/mcp-local.json"],
      format: "jsonc",
      root: ["<project>"],
    },
    {
      scope: "user",
      paths: ["</>/etc/opencode/opencode.json", "</>/etc/opencode/opencode.jsonc"],
      format: "jsonc",
      root: ["mcp"],
      platforms: ["linux"],
    },
  ],
  roots: { OPENCODE_CONFIG_DIR: null, OPENCODE_CONFIG: null },
  entries: { notations: ["curly"] },
  toolLists({ tools }, name) {
    const off = isObject(tools) ? Object.keys(tools).filter((glob) => tools[glob] === false) : [];
    const deny = off.flatMap((glob) => {
      if (glob === `${name}*`) return ["*"];
      return glob.startsWith(`${name}_`) ? [glob.slice(name.length + 1)] : [];
    });
    return deny.length === 0 ? {} : { deny };
  },
};
