/**
 * The skill's judgement for a host's hook, which starts anew for every call: from the parsed copy of the tables, without a
 * Markdown parser and without a schema library. Where the copy does not fit, the whole skill is loaded instead.
 */
import { tablesCopy } from "../../runtime/core/tables.ts";
import { compileAccess } from "./access-words.ts";
import { compileCapabilities } from "./capability.ts";
import { classifyTools } from "./classify.ts";
import { decide, type GateRequest } from "./gate.ts";
import { compileIrreversible } from "./irreversible.ts";
import type { UsingMcpRows } from "./tables.ts";

type Skill = typeof import("./using-mcp.ts");

export interface QuickSkill {
  gate: Skill["gate"];
  classifyMcpTools: Skill["classifyMcpTools"];
}

export async function quickSkill(): Promise<QuickSkill> {
  const rows = tablesCopy(import.meta.url) as UsingMcpRows | null;
  if (rows === null) return import("./using-mcp.ts");
  const access = compileAccess(rows.access);
  return {
    gate(request: GateRequest) {
      const { decision, reason, evidence } = decide(request, {
        access,
        irreversible: compileIrreversible(rows.irreversible),
      });
      return { decision, reason, evidence };
    },
    classifyMcpTools: (tools, options) =>
      classifyTools(tools, { access, capabilities: compileCapabilities(rows.capabilities) }, options),
  };
}
