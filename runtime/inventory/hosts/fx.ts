/**
 * fx. Source: add-mcp's agent table: the key `mcp` in `~/.fx/mcp.json`.
 */
import type { Host } from "./host.ts";

export const fx: Host = {
  id: "fx",
  title: "fx",
  files: [
    { scope: "project", paths: ["<project>/.fx/mcp.json"], format: "jsonc", root: ["mcp"] },
    { scope: "user", paths: ["<home>/.fx/mcp.json"], format: "jsonc", root: ["mcp"] },
  ],
};
