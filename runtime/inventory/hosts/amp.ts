/**
 * Amp. Checked: sourcegraph/amp-examples-and-guides guides/mcp, and quotations of ampcode.com's manual: the key is
 * `amp.mcpServers`, with the dot in it, in `~/.config/amp/settings.json(c)`, `.amp/settings.json(c)` (whose servers
 * Amp starts after approval only) and the editor's settings. `includeTools` is from memory, not checked.
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
