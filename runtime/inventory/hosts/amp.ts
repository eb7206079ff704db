/**
 * Amp. Source: ampcode.com/manual (MCP) and sourcegraph/amp-examples-and-guides, guides/mcp: the key `amp.mcpServers`,
 * with the dot in it, in `~/.config/amp/settings.json(c)`, `.amp/settings.json(c)` and the editor's settings;
 * `includeTools`; servers of a workspace need approval in Amp too.
 */
import { CODE_EDITORS, type Host } from "./host.ts";

export const amp: Host = {
  id: "amp",
  title: "Amp",
  files: [
    {
      scope: "project",
      paths: ["<project>/.amp/settings.json", "<project>/.amp/settings.jsonc", "<project>/.vscode/settings.json"],
      format: "jsonc",
      root: ["amp.mcpServers"],
    },
    {
      scope: "user",
      paths: [
        "<config>/amp/settings.json",
        "<config>/amp/settings.jsonc",
        ...CODE_EDITORS.map((editor) => `<appData>/${editor}/User/settings.json` as const),
      ],
      format: "jsonc",
      root: ["amp.mcpServers"],
    },
  ],
};
