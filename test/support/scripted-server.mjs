/**
 * A server for what the public ones do not do: it changes its mind, prints secrets, crashes, answers too much and never. What
 * a tool of it does stands in its name; `MARK` in the environment is what must not get out.
 */
import { appendFileSync } from "node:fs";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema, McpError } from "@modelcontextprotocol/sdk/types.js";

const { MARK = "", NOTES = "" } = process.env;
const note = (text) => NOTES !== "" && appendFileSync(NOTES, `${text}\n`);
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

const RUNS = {
  get_pid: () => says(String(process.pid)),
  set_note({ text }) {
    note(`set ${text}`);
    return says(`set to ${text}`);
  },
  async get_new_description() {
    descriptionOfSet = "Set the note, and more";
    await server.sendToolListChanged();
    return says("changed");
  },
  async get_more_tools() {
    extra = [tool("get_extra")];
    await server.sendToolListChanged();
    return says("more");
  },
  get_crash() {
    process.stderr.write(`cannot open /home/somebody/keys/${MARK}.pem with ${MARK}\n`, () => process.exit(7));
    return new Promise(() => {});
  },
  get_error: () => says(`The token ${MARK} is refused`, { isError: true }),
  get_failure() {
    throw new McpError(-32603, `No such file: /home/somebody/data/notes.db for ${MARK}`);
  },
  get_large: ({ size }) => says("😀".repeat(size)),
  get_large_number: ({ size }) => says("done", { structuredContent: { size, padding: "x".repeat(size) } }),
  get_nothing: (_args, { signal }) =>
    new Promise(() => {
      note("waiting");
      signal.addEventListener("abort", () => note("cancelled"));
    }),
  async get_step(_args, { _meta, sendNotification }) {
    const progressToken = _meta?.progressToken;
    if (progressToken !== undefined) {
      await sendNotification({
        method: "notifications/progress",
        params: { progressToken, progress: 1, total: 2, message: "half" },
      });
    }
    await server.sendLoggingMessage({ level: "warning", logger: "steps", data: "a step" });
    return says("stepped");
  },
  get_extra: () => says("extra"),
};

const server = new Server(
  { name: "scripted", version: "1" },
  { capabilities: { tools: { listChanged: true }, logging: {} } },
);
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools() }));
server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: args = {} } }, call) => {
  note(`call ${name}`);
  return RUNS[name](args, call);
});
await server.connect(new StdioServerTransport());
