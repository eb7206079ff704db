/**
 * A server for what the public ones do not do: it changes its mind, prints secrets, crashes, answers too much and never. What
 * a tool of it does stands in its name; `MARK` in the environment is what must not get out. It speaks the protocol by hand,
 * since a library would be most of its start.
 */
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const { MARK = "", NOTES = "" } = process.env;
const note = (text) => void (NOTES !== "" && appendFileSync(NOTES, `${text}\n`));
const says = (text, more = {}) => ({ content: [{ type: "text", text }], ...more });
let descriptionOfSet = "Set the note";
let extra = [];

const tool = (name, properties = {}, more = {}) => ({
  name,
  description: name.replaceAll("_", " "),
  inputSchema: { type: "object", properties },
  ...more,
});
const NUMBER = { type: "object", properties: { size: { type: "number" } }, required: ["size"] };

const tools = () => [
  tool("get_pid"),
  tool("set_note", { text: { type: "string" } }, { description: descriptionOfSet }),
  tool("get_new_description"),
  tool("get_more_tools"),
  tool("get_crash"),
  tool("get_error"),
  tool("get_failure"),
  tool("get_large", { size: { type: "number" } }),
  tool("get_large_number", { size: { type: "number" } }, { outputSchema: NUMBER }),
  tool("get_nothing"),
  tool("get_step"),
  ...extra,
];

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const toolsChanged = () => send({ method: "notifications/tools/list_changed" });

/** Each answers with a result, with nothing yet, or throws. */
const RUNS = {
  get_pid: () => says(String(process.pid)),
  set_note({ text }) {
    note(`set ${text}`);
    return says(`set to ${text}`);
  },
  get_new_description() {
    descriptionOfSet = "Set the note, and more";
    toolsChanged();
    return says("changed");
  },
  get_more_tools() {
    extra = [tool("get_extra")];
    toolsChanged();
    return says("more");
  },
  get_crash() {
    process.stderr.write(`cannot open /home/somebody/keys/${MARK}.pem with ${MARK}\n`, () => process.exit(7));
  },
  get_error: () => says(`The token ${MARK} is refused`, { isError: true }),
  get_failure() {
    throw new Error(`No such file: /home/somebody/data/notes.db for ${MARK}`);
  },
  get_large: ({ size }) => says("😀".repeat(size)),
  get_large_number: ({ size }) => says("done", { structuredContent: { size, padding: "x".repeat(size) } }),
  get_nothing: () => void note("waiting"),
  get_step(_args, token) {
    const progress = { progressToken: token, progress: 1, total: 2, message: "half" };
    if (token !== undefined) send({ method: "notifications/progress", params: progress });
    send({ method: "notifications/message", params: { level: "warning", logger: "steps", data: "a step" } });
    return says("stepped");
  },
  get_extra: () => says("extra"),
};

function onCall(id, { name, arguments: args = {}, _meta }) {
  note(`call ${name}`);
  try {
    const result = RUNS[name](args, _meta?.progressToken);
    if (result !== undefined) send({ id, result });
  } catch (error) {
    send({ id, error: { code: -32603, message: error.message } });
  }
}

const serverInfo = { name: "scripted", version: "1" };
const capabilities = { tools: { listChanged: true }, logging: {} };

const reader = createInterface({ input: process.stdin });
reader.on("line", (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (method === "initialize") {
    send({ id, result: { protocolVersion: params.protocolVersion, capabilities, serverInfo } });
  } else if (method === "tools/list") send({ id, result: { tools: tools() } });
  else if (method === "tools/call") onCall(id, params);
  else if (method === "notifications/cancelled") note("cancelled");
  else if (id !== undefined) send({ id, result: {} });
});
reader.on("close", () => process.exit(0));
