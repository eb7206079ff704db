/**
 * Continue. Checked: continuedev/continue docs/customize/deep-dives/mcp.mdx: blocks in `.continue/mcpServers/*.yaml`
 * whose `mcpServers` is a list with names, JSON files of other hosts beside them, and the same list in `config.yaml`;
 * `${{ secrets.X }}` and `${{ inputs.X }}` are filled in by Continue alone.
 */
import type { Host } from "./host.ts";

export const continueDev: Host = {
  id: "continue",
  title: "Continue",
  files: [
    {
      scope: "project",
      paths: ["<project>/.continue/mcpServers/*.yaml", "<project>/.continue/mcpServers/*.yml"],
      format: "yaml",
      root: ["mcpServers"],
    },
    { scope: "project", paths: ["<project>/.continue/mcpServers/*.json"], format: "jsonc", root: ["mcpServers"] },
    {
      scope: "user",
      paths: [
        "<home>/.continue/config.yaml",
        "<home>/.continue/mcpServers/*.yaml",
        "<home>/.continue/mcpServers/*.yml",
      ],
      format: "yaml",
      root: ["mcpServers"],
    },
    { scope: "user", paths: ["<home>/.continue/mcpServers/*.json"], format: "jsonc", root: ["mcpServers"] },
  ],
  entries: { ownKeys: ["name", "uses", "with", "override"] },
};
