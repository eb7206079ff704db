/** One thing that `doctor` found, and what it needs to judge with. */
import type { Tool } from "../core/contracts.ts";

export interface Finding {
  /** `error`: something configured does not work. `warning`: it works, and may harm or mislead. `note`: good to know. */
  level: "error" | "warning" | "note";
  kind:
    | "failed"
    | "not-started"
    | "problem"
    | "shadowed-server"
    | "same-target"
    | "ambiguous-name"
    | "shadowed-tool"
    | "names-other-tool"
    | "invisible-text"
    | "hidden-instruction"
    | "overlong-text"
    | "listing"
    | "costly";
  server?: string;
  tool?: string;
  message: string;
  fix?: string;
}

export interface Examiner {
  /** Estimated tokens of declarations. */
  tokensOf(tools: Tool[]): number;
  /** Why a text from a server is suspicious, or `null`. */
  suspicionOf(text: string): { kind: "overlong" | "invisible" | "instruction"; phrase?: string } | null;
}
