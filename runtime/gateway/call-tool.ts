/** `call_tool`: any tool by name, loaded or not, through the same gate. */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { PackError, printable } from "../core/errors.ts";
import { nearest } from "../core/nearest.ts";
import { qualifiedName, splitQualifiedName } from "../core/tool.ts";
import type { RequestExtra } from "./feature.ts";
import { gatedCall } from "./gate-call.ts";
import { textArgument } from "./own-arguments.ts";
import type { SessionState } from "./session-state.ts";
import { stableName } from "./stable-name.ts";

export async function callDeferred(
  args: Record<string, unknown>,
  session: SessionState,
  extra: RequestExtra,
): Promise<CallToolResult> {
  const name = nameIn(args);
  const given = args.arguments ?? args.args ?? {};
  if (typeof given !== "object" || Array.isArray(given)) {
    throw new PackError("invalid-input", '"arguments" is no object', { fix: "Give the tool's arguments as an object" });
  }
  const { book } = await session.tools.now();
  // A name that is not known goes through the gate as well, which says why it cannot be called.
  const tool = book.named(name);
  const split = tool === undefined ? splitQualifiedName(name) : { server: tool.server, tool: tool.name };
  const isServerKnown = book.inventory.servers.some((server) => server.name === split?.server);
  if (split === null || (tool === undefined && !isServerKnown && !book.denied(name))) {
    const near = nearest(
      name,
      book.tools.map((one) => stableName(one.server, one.name)),
    );
    throw new PackError("unknown-tool", `There is no tool "${printable(name)}"`, {
      fix: near === undefined ? "find_tools searches what there is" : `Did you mean ${near}?`,
    });
  }
  return gatedCall(session, { ...split, args: given as Record<string, unknown>, promised: false }, extra);
}

/** Models that know other gateways say `tool`, or server and tool apart. */
function nameIn(args: Record<string, unknown>): string {
  const { name, server } = args;
  if (name === undefined && typeof server === "string") return qualifiedName(server, textArgument(args, "tool"));
  return textArgument(args, name === undefined && args.tool !== undefined ? "tool" : "name");
}
