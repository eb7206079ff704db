/**
 * Mastra Code. Checked: mastra-ai/mastra, the feature notes of mastracode: `.mastracode/mcp.json` in the project, then
 * in the home; `command` entries or `url` entries.
 */
import type { Host } from "./host.ts";

export const mastraCode: Host = {
  id: "mastra-code",
  title: "Mastra Code",
  files: [
    { scope: "project", paths: ["<project>/.mastracode/mcp.json"], format: "jsonc", root: ["mcpServers"] },
    { scope: "user", paths: ["<home>/.mastracode/mcp.json"], format: "jsonc", root: ["mcpServers"] },
  ],
};
