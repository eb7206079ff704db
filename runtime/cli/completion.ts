import { defineCommand } from "citty";
import { PackError } from "../core/errors.ts";

const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;

export const command = defineCommand({
  meta: { name: "completion", description: "Print a shell's completion script" },
  args: {
    shell: { type: "positional", required: false, description: `The shell: ${SHELLS.join(", ")}` },
  },
  async run({ args }) {
    const shell = SHELLS.find((name) => name === args.shell);
    if (shell === undefined) {
      throw new PackError("usage", "Name the shell", {
        fix: `One of: ${SHELLS.join(", ")}. For bash: source <(mcp-skills completion bash)`,
      });
    }
    const { RootCommand } = await import("@bomb.sh/tab");
    // The script asks `mcp-skills complete -- <words>` at every tab.
    new RootCommand().setup("mcp-skills", "mcp-skills", shell);
    return 0;
  },
});
