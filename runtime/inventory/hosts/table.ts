/** Every host, the most specific to coding first: where two configure one name in the same scope, the earlier one counts. */
import { amp } from "./amp.ts";
import { antigravity } from "./antigravity.ts";
import { claudeCode } from "./claude-code.ts";
import { claudeDesktop } from "./claude-desktop.ts";
import { claudeSettings } from "./claude-settings.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { continueDev } from "./continue.ts";
import { copilotCli } from "./copilot-cli.ts";
import { cursor } from "./cursor.ts";
import { factory } from "./factory.ts";
import { fx } from "./fx.ts";
import { geminiCli } from "./gemini-cli.ts";
import { goose } from "./goose.ts";
import { grok } from "./grok.ts";
import type { Host } from "./host.ts";
import { inspector } from "./inspector.ts";
import { jetbrains } from "./jetbrains.ts";
import { kiloCode } from "./kilo-code.ts";
import { kimi } from "./kimi.ts";
import { kiro } from "./kiro.ts";
import { mastraCode } from "./mastra-code.ts";
import { mcporter } from "./mcporter.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { rooCode } from "./roo-code.ts";
import { vscode } from "./vscode.ts";
import { warp } from "./warp.ts";
import { windsurf } from "./windsurf.ts";
import { zed } from "./zed.ts";

export const HOSTS: readonly Host[] = [
  claudeCode,
  vscode,
  copilotCli,
  cursor,
  claudeSettings,
  codex,
  geminiCli,
  opencode,
  windsurf,
  cline,
  rooCode,
  kiloCode,
  kiro,
  zed,
  jetbrains,
  continueDev,
  goose,
  amp,
  warp,
  antigravity,
  factory,
  grok,
  kimi,
  mastraCode,
  pi,
  fx,
  claudeDesktop,
  mcporter,
  inspector,
];
