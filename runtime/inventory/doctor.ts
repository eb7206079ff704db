/**
 * What a person would want to know about his servers before an agent uses them. Pure over what is configured and what
 * the servers answered; text that came from a server or a file is made printable here.
 */
import type { Inventory, Server } from "../core/contracts.ts";
import { printable } from "../core/errors.ts";
import { isUnambiguousServer } from "../core/tool.ts";
import { costFindings, shadowFindings, textFindings } from "./doctor-tools.ts";
import type { Examiner, Finding } from "./finding.ts";
import { endpointOf } from "./merge.ts";
import type { Configured, ServerConfig } from "./server-config.ts";

/** All findings: errors first, then warnings, then notes, each in the order of the servers. */
export function diagnose(configured: Configured, inventory: Inventory, examiner: Examiner): Finding[] {
  const ready = inventory.servers.filter(({ state }) => state === "ready");
  const findings = [
    ...configured.problems.map(problemFinding),
    ...inventory.servers.flatMap((server) => stateFinding(server, configured)),
    ...nameFindings(configured.servers),
    ...ready.flatMap(({ name, flags }) =>
      flags.map(
        (flag): Finding => ({
          level: "warning",
          kind: "listing",
          server: name,
          ...(flag.tool === undefined ? {} : { tool: flag.tool }),
          message: printable(flag.message, 300),
        }),
      ),
    ),
    ...ready.flatMap((server) => server.tools.flatMap((tool) => textFindings(tool, examiner))),
    ...shadowFindings(ready),
    ...costFindings(ready, examiner),
  ];
  const rank = { error: 0, warning: 1, note: 2 };
  return findings.sort((left, right) => rank[left.level] - rank[right.level]);
}

function problemFinding({ message, place, fix }: Configured["problems"][number]): Finding {
  const told = place === "" ? message : `${printable(place, 300)}: ${message}`;
  return { level: "error", kind: "problem", message: told, ...(fix === undefined ? {} : { fix }) };
}

function stateFinding(server: Server, { servers }: Configured): Finding[] {
  if (server.failure === undefined) return [];
  const { kind, message, fix } = server.failure;
  const configured = servers.find(({ name, state }) => name === server.name && state !== "shadowed");
  const started = configured?.state === "enabled" || configured?.state === "invalid";
  return [
    {
      level: started ? "error" : "warning",
      kind: started ? "failed" : "not-started",
      server: server.name,
      message: printable(message, 500),
      fix: fix ?? NEXT_STEPS[kind] ?? "Start it by hand to see what it says",
    },
  ];
}

const NEXT_STEPS: Partial<Record<string, string>> = {
  timeout: "Raise --timeout, or start it by hand to see what it waits for",
  network: "Check the address and that the server runs",
  "not-found": "Install the program, or mend the command in its configuration",
  auth: "Put a token where its configuration says: in a header, out of an environment variable",
};

function nameFindings(servers: readonly ServerConfig[]): Finding[] {
  const findings: Finding[] = [];
  const byTarget = new Map<string, string>();
  const byModelName = new Map<string, string>();
  for (const { name, state, target, reason } of servers) {
    if (state === "shadowed") {
      const fix = reason?.fix ?? "Rename one of the two";
      findings.push({ level: "warning", kind: "shadowed-server", server: name, message: reason?.message ?? "", fix });
      continue;
    }
    const clash = byModelName.get(modelName(name));
    byModelName.set(modelName(name), name);
    if (!isUnambiguousServer(name)) {
      const message = "Its name holds a double underscore or ends in one, so its tools' names can be read two ways";
      findings.push({ level: "warning", kind: "ambiguous-name", server: name, message, fix: "Rename it" });
    } else if (clash !== undefined) {
      const message = `Models would see the same name as for ${printable(clash, 60)}`;
      findings.push({ level: "warning", kind: "ambiguous-name", server: name, message, fix: "Rename one of the two" });
    }
    if (target === undefined) continue;
    const twin = byTarget.get(endpointOf(target));
    byTarget.set(endpointOf(target), name);
    if (twin !== undefined) {
      const message = `It is the same server as ${printable(twin, 60)}: its tools are there twice`;
      findings.push({ level: "warning", kind: "same-target", server: name, message, fix: "Switch one of the two off" });
    }
  }
  return findings;
}

/** Names as models may see them: hosts replace what providers do not accept in a tool's name. */
function modelName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "_");
}
