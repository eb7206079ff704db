/**
 * The least that lists the tools of all servers of a configuration file: no dependency, no check, no cache, the protocol by
 * hand. It is the floor that `bench:cli` measures against, and no example to follow: it trusts everything.
 *
 *   bun scripts/bench/bare-client.mjs mcp.json
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

const { mcpServers } = JSON.parse(readFileSync(process.argv[2], "utf8"));

function list([server, { command, args }]) {
  return new Promise((done) => {
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
    const tools = [];
    let rest = "";
    const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    child.stdout.setEncoding("utf8").on("data", (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop();
      for (const line of lines) if (line.startsWith("{")) take(JSON.parse(line));
    });
    function take({ id, result }) {
      if (id === 1) {
        send({ method: "notifications/initialized" });
        send({ id: 2, method: "tools/list", params: {} });
      } else if (id > 1) {
        tools.push(...result.tools);
        if (result.nextCursor) return send({ id: id + 1, method: "tools/list", params: { cursor: result.nextCursor } });
        child.kill();
        done(tools.map((tool) => ({ server, ...tool })));
      }
    }
    const clientInfo = { name: "bare", version: "0" };
    send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
  });
}

const tools = (await Promise.all(Object.entries(mcpServers).map(list))).flat();
process.stdout.write(`${JSON.stringify(tools)}\n`, () => process.exit(0));
