/**
 * A server over stdin and stdout that misbehaves in the one way its argument names. It speaks the protocol by hand, since a
 * library would refuse to do most of this. Which way is right to take each mode stands in the tests beside it.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const [mode = "ok", extra = ""] = process.argv.slice(2);
const SCHEMA = { type: "object", properties: { text: { type: "string" } } };
const tool = (name, rest = {}) => ({ name, description: `What ${name} does`, inputSchema: SCHEMA, ...rest });
const TWO = [tool("first"), tool("second")];
const line = (message) => `${JSON.stringify(message)}\n`;
const out = (text) => process.stdout.write(text);
const later = (ms, run) => setTimeout(run, ms);
const noTool = (key) => ({ ...tool("second"), [key]: undefined });

/** What `tools/list` answers, where the fault is in the list itself. */
const LISTS = {
  "duplicate-name": () => ({ tools: [tool("first"), tool("first", { description: "another" }), tool("second")] }),
  "empty-name": () => ({ tools: [tool(""), ...TWO] }),
  "long-name": () => ({ tools: [tool("x".repeat(5000)), ...TWO] }),
  "odd-name": () => ({ tools: [tool("größe_messen"), tool("日本"), ...TWO] }),
  "control-name": () => ({ tools: [tool("a\u001b[31mb\n"), ...TWO] }),
  "no-schema": () => ({ tools: [tool("first"), noTool("inputSchema")] }),
  "text-schema": () => ({ tools: [tool("first"), tool("second", { inputSchema: { type: "string" } })] }),
  "bad-output-schema": () => ({ tools: [tool("first"), tool("second", { outputSchema: { type: "array" } })] }),
  "dangling-ref": () => ({
    tools: [
      tool("first"),
      tool("second", { outputSchema: { type: "object", properties: { a: { $ref: "#/$defs/No" } } } }),
    ],
  }),
  "cyclic-ref": () => ({
    tools: [
      tool("first"),
      tool("second", {
        inputSchema: {
          type: "object",
          properties: { node: { $ref: "#/$defs/Node" } },
          $defs: { Node: { type: "object", properties: { next: { $ref: "#/$defs/Node" } } } },
        },
      }),
    ],
  }),
  "external-ref": () => ({
    tools: [tool("first"), tool("second", { inputSchema: { type: "object", properties: { a: { $ref: extra } } } })],
  }),
  "no-description": () => ({ tools: [tool("first"), noTool("description")] }),
  "null-description": () => ({ tools: [tool("first"), tool("second", { description: null })] }),
  "bad-entries": () => ({ tools: [null, 7, "text", [], {}, ...TWO] }),
  "no-array": () => ({ tools: { first: tool("first") } }),
  "many-tools": () => ({
    tools: Array.from({ length: 5000 }, (_, at) => tool(`tool_${at}`, { description: "d".repeat(2000) })),
  }),
  paged: ({ cursor = "0" }) => page(Number(cursor), Number(cursor) < 2 ? String(Number(cursor) + 1) : undefined),
  "same-cursor": () => ({ tools: TWO, nextCursor: "again" }),
  "endless-cursor": ({ cursor = "0" }) => page(Number(cursor), String(Number(cursor) + 1)),
  "empty-cursor": () => ({ tools: TWO, nextCursor: "" }),
  "null-cursor": () => ({ tools: TWO, nextCursor: null }),
  "number-cursor": () => ({ tools: TWO, nextCursor: 2 }),
};
const page = (number, nextCursor) => ({ tools: [tool(`tool_${number}`)], ...(nextCursor ? { nextCursor } : {}) });

/** How a message is written, where the fault is in the writing. */
const WRITERS = {
  noise: (text) => out(`Server 1.2.3 on stdio\n\n[info] {ready}\n{"level":"info"}\n${text}done\n`),
  "glued-noise": (text) => out(`Starting {v1} ... ${text}`),
  "glued-tail": (text) => out(`${text.trimEnd()} <- sent\n`),
  "glued-messages": (text) => out(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/x" })}${text}`),
  bom: (text) => out(`\uFEFF${text}`),
  crlf: (text) => out(`banner\r\n\r\n${text.trimEnd()}\r\n`),
  binary: (text) => out(Buffer.concat([Buffer.from([0, 255, 254, 128, 10, 27, 0, 10]), Buffer.from(text)])),
  batch: (text) => out(`[${text.trimEnd()}]\n`),
  "half-lines": (text) => {
    const bytes = Buffer.from(text);
    const step = (at) => {
      if (at >= bytes.length) return;
      out(bytes.subarray(at, at + 37));
      setImmediate(step, at + 37);
    };
    step(0);
  },
};

function answer(id, result) {
  const message = { jsonrpc: "2.0", id, result };
  if (mode === "text-id") message.id = String(id);
  if (mode === "wrong-id") message.id = id + 1000;
  if (mode === "null-error") message.error = null;
  (WRITERS[mode] ?? out)(line(message));
}

function refuse(id, code, message) {
  out(line({ jsonrpc: "2.0", id, error: { code, message } }));
}

function initialized(id) {
  const capabilities = mode === "no-tools" ? {} : { tools: { listChanged: true } };
  const protocolVersion = mode === "unknown-version" ? "2199-01-01" : "2025-11-25";
  answer(id, { protocolVersion, capabilities, serverInfo: { name: "fault", version: "1.0.0" } });
}

const changed = line({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
let waitingList;

function onInitialize(id) {
  if (mode === "hang-initialize") return;
  if (mode === "crash-initialize") return crash();
  if (mode === "error-initialize") return refuse(id, -32603, "no database");
  if (mode === "storm-early") out(changed.repeat(2000));
  if (mode === "slow") return later(300, () => initialized(id));
  initialized(id);
}

function onList(id, params) {
  if (mode === "hang-list") return;
  if (mode === "crash-list") return crash();
  if (mode === "error-list") return refuse(id, -32603, "the list is broken");
  if (mode === "no-tools") return refuse(id, -32601, "Method not found");
  if (mode === "huge-answer") return huge(id);
  if (mode === "crash-second-page" && params.cursor) return crash();
  if (mode === "error-second-page" && params.cursor) return refuse(id, -32602, "bad cursor");
  if (mode === "storm") out(changed.repeat(2000));
  if (mode === "stderr-flood")
    return process.stderr.write(`${"e".repeat(99)}\n`.repeat(40_000), () => answer(id, { tools: TWO }));
  if (mode === "slow") return later(300, () => answer(id, { tools: TWO }));
  if (mode === "requests") {
    waitingList = id;
    return out(
      line({ jsonrpc: "2.0", id: "s1", method: "roots/list" }) +
        line({ jsonrpc: "2.0", id: id, method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } }) +
        line({ jsonrpc: "2.0", id: "s3", method: "ping" }),
    );
  }
  const list = LISTS[mode] ?? (() => ({ tools: TWO }));
  const second = mode.endsWith("-second-page") ? { nextCursor: "2" } : {};
  answer(id, { ...list(params), ...second });
  if (mode === "dead-wrapper") later(20, () => process.exit(0));
}

/** 100 MB in one line, never a line's end. */
function huge(id) {
  const piece = "x".repeat(1 << 20);
  out(`{"jsonrpc":"2.0","id":${id},"result":{"tools":[],"_meta":{"a":"`);
  process.stdout.on("error", () => process.exit(0));
  const step = (left) => (left === 0 ? out(`"}}}\n`) : process.stdout.write(piece, () => step(left - 1)));
  step(100);
}

function crash() {
  process.stderr.write("the reason why\n", () => process.exit(7));
}

/** A child in this server's process group that outlives it, holds its pipes and ignores every polite end. */
function startGrandchild() {
  const deno = "Deno" in globalThis ? ["run", "--allow-all", "--no-check", "--quiet"] : [];
  spawn(process.execPath, [...deno, fileURLToPath(import.meta.url), "grandchild"], { stdio: "inherit" });
}

function serve() {
  const reader = createInterface({ input: process.stdin });
  reader.on("line", (text) => {
    const message = JSON.parse(text);
    if (message.method === "initialize") onInitialize(message.id);
    else if (message.method === "tools/list") onList(message.id, message.params ?? {});
    else if (message.id === "s3" && message.method === undefined) answer(waitingList, { tools: TWO });
  });
  const stays = ["ignore-end", "live-wrapper", "grandchild"].includes(mode);
  reader.on("close", () => (stays ? undefined : process.exit(0)));
}

if (["ignore-end", "live-wrapper", "grandchild"].includes(mode)) {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => {});
  setInterval(() => {}, 60_000);
}
if (mode.endsWith("-wrapper") || mode === "crash-wrapper") startGrandchild();
if (mode === "hang-start") setInterval(() => {}, 60_000);
else if (mode === "grandchild") {
  // Only lives.
} else if (mode === "crash-start" || mode === "crash-wrapper") later(30, crash);
else if (mode === "quiet-end") process.exit(0);
else if (mode === "stderr-flood-start") process.stderr.write(`${"e".repeat(99)}\n`.repeat(40_000), serve);
else serve();
