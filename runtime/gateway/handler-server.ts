/** An MCP server whose tools are the pack's registered handlers. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import { describeError, PackError } from "../core/errors.ts";
import { type HandlerContext, type HandlerRegistry, handlerSchemas, runHandler } from "../core/handler.ts";

/** Builds the server; the caller connects it to a transport. */
export function createHandlerServer(
  handlers: HandlerRegistry,
  options: { version: string; context?: HandlerContext },
): Server {
  const server = new Server({ name: "mcp-skill-pack", version: options.version }, { capabilities: { tools: {} } });
  const tools = handlers.all().map((handler) => {
    const { name, description, annotations } = handler;
    return { name, description, annotations, ...handlerSchemas(handler) } as Tool;
  });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }): Promise<CallToolResult> => {
    const handler = handlers.get(params.name);
    if (handler === undefined) return failure(new PackError("unknown-tool", "There is no tool of that name"));
    try {
      const output = await runHandler(handler, params.arguments ?? {}, { ...options.context, signal });
      return {
        content: [{ type: "text", text: JSON.stringify(output) }],
        structuredContent: output as Record<string, unknown>,
      };
    } catch (error) {
      return failure(error);
    }
  });
  return server;
}

/** A failed call is a result that the model sees and can act on (MCP specification 2025-11-25, "Error Handling"). */
function failure(error: unknown): CallToolResult {
  return { isError: true, content: [{ type: "text", text: describeError(error) }] };
}

/** Serves over stdio until the client goes away. */
export async function serveStdio(server: Server): Promise<void> {
  const closed = new Promise<void>((done) => {
    server.onclose = done;
    process.stdin.once("end", done);
  });
  await server.connect(new StdioServerTransport());
  await closed;
  await server.close();
}
