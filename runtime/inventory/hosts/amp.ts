/**
 * Amp. Checked: sourcegraph/amp-examples-and-guides guides/mcp, and quotations of ampcode.com's manual and settings
 * page: the key is `amp.mcpServers`, with the dot in it, in `~/.config/amp/settings.json(c)`, `.amp/settings.json(c)`
 * (whose servers Amp starts after approval only) and the editor's settings; `amp.tools.disable` lists tools by name,
 * `mcp__<server>__<tool>` or a pattern with `*`, and `builtin:<tool>` means none of a server's. No public page was found
 * for an entry's `includeTools`, which is read as an allow list.
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
  toolLists(root, name) {
    const off = root["amp.tools.disable"];
    const deny = (Array.isArray(off) ? off : []).flatMap((pattern: unknown) => {
      if (typeof pattern !== "string" || pattern.startsWith("builtin:")) return [];
      if (pattern.startsWith(`mcp__${name}__`)) return [pattern.slice(`mcp__${name}__`.length)];
      // `mcp__*` or `mcp__gi*` covers the server whole; a full name of another server's tool covers nothing here.
      if (pattern.endsWith("*") && `mcp__${name}__`.startsWith(pattern.slice(0, -1))) return ["*"];
      return pattern.startsWith("mcp__") ? [] : [pattern];
    });
    return deny.length === 0 ? {} : { deny };
  },
};
