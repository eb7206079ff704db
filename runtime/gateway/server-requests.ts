/**
 * What a server behind the gateway asks or tells of itself, on its way to the client: sampling, elicitation and roots as
 * requests, log messages as notifications. A request reaches one session's client only: the one whose connection it is.
 */
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  type ClientCapabilities,
  CreateMessageRequestSchema,
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  type LoggingMessageNotification,
  LoggingMessageNotificationSchema,
  type ServerRequest,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { printable } from "../core/errors.ts";
import type { ClientSide } from "../inventory/open.ts";

/** Who hears a server. */
export interface Hearer {
  /** What its client can be asked; empty where no request may reach it. */
  capabilities: ClientCapabilities;
  /** Asks the client, and gives the answer as it came. */
  ask(request: ServerRequest, signal: AbortSignal): Promise<Record<string, unknown>>;
  log(message: LoggingMessageNotification["params"]): void;
  /** The server's tools are others now. */
  toolsChanged(): void;
  elicitationCompleted(elicitationId: string): void;
  closed(): void;
}

/** The part of a client's capabilities that a server behind the gateway can make use of. */
export function passedCapabilities({ sampling, elicitation, roots }: ClientCapabilities): ClientCapabilities {
  return { ...(sampling && { sampling }), ...(elicitation && { elicitation }), ...(roots && { roots }) };
}

/** Our side of the session with a server: what the client can do is offered to the server, and nothing else is. */
export function clientSideFor(server: string, hearer: Hearer): ClientSide {
  const { capabilities } = hearer;
  return {
    capabilities,
    prepare(client: Client) {
      client.onclose = () => hearer.closed();
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => hearer.toolsChanged());
      client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
        const logger = params.logger === undefined ? server : `${server}/${params.logger}`;
        hearer.log({ ...params, logger: printable(logger) });
      });
      client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) =>
        hearer.elicitationCompleted(params.elicitationId),
      );
      if (capabilities.sampling !== undefined) {
        client.setRequestHandler(CreateMessageRequestSchema, async ({ params }, { signal }) => {
          const { _meta, task: _task, ...asked } = params;
          return (await hearer.ask({ method: "sampling/createMessage", params: asked }, signal)) as never;
        });
      }
      if (capabilities.elicitation !== undefined) {
        client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) => {
          const { _meta, task: _task, ...asked } = params;
          // A person has to see who asks: a server could word its question as if it were the gateway's.
          const message = `The MCP server "${printable(server, 100)}" asks: ${params.message}`;
          return (await hearer.ask({ method: "elicitation/create", params: { ...asked, message } }, signal)) as never;
        });
      }
      if (capabilities.roots !== undefined) {
        client.setRequestHandler(ListRootsRequestSchema, async (_request, { signal }) => {
          return (await hearer.ask({ method: "roots/list" }, signal)) as never;
        });
      }
    },
  };
}
