/**
 * Mastra Code. Source: add-mcp's agent table: `.mastracode/mcp.json` in the project, then in the home.
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
