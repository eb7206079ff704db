/**
 * Visual Studio Code. Checked: microsoft/vscode-docs docs/agents/reference/mcp-configuration.md (key `servers`,
 * `inputs`, `envFile`, `${input:id}`) and the variables reference (`${workspaceFolder}`, `${userHome}`, …); a
 * workspace file before the user's. User profiles keep a file of their own. What `${input:id}` asks for is kept by the
 * editor and cannot be read from outside.
 */
import type { Host } from "./host.ts";

export const vscode: Host = {
  id: "vscode",
  title: "VS Code",
  files: [
    { scope: "project", paths: ["<project>/.vscode/mcp.json"], format: "jsonc", root: ["servers"] },
    {
      scope: "user",
      paths: ["Code", "Code - Insiders", "VSCodium"].flatMap(
        (editor) => [`<appData>/${editor}/User/mcp.json`, `<appData>/${editor}/User/profiles/*/mcp.json`] as const,
      ),
      format: "jsonc",
      root: ["servers"],
    },
  ],
};
