/**
 * What the conformance suite expects a server to offer: its fixture tools, prompts and resources, as a feature of a gateway's
 * session. The names and texts are the suite's (`@modelcontextprotocol/conformance`, server scenarios).
 */
import { setTimeout as pause } from "node:timers/promises";
import type { CallToolResult, ElicitRequestFormParams, Tool } from "@modelcontextprotocol/sdk/types.js";
import { CreateMessageResultSchema, ElicitResultSchema } from "@modelcontextprotocol/sdk/types.js";
import type { FeatureFactory, RequestExtra, SessionContext } from "../../runtime/gateway/feature.ts";

/** A red pixel, and a sample of silence. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";

const text = (value: string) => ({ type: "text" as const, text: value });
const image = { type: "image" as const, data: PNG, mimeType: "image/png" };

type Run = (args: Record<string, unknown>, extra: RequestExtra, session: SessionContext) => Promise<CallToolResult>;

const TOOLS: { tool: Tool; run: Run }[] = [
  plain("test_simple_text", [text("This is a simple text response for testing.")]),
  plain("test_image_content", [image]),
  plain("test_audio_content", [{ type: "audio", data: WAV, mimeType: "audio/wav" }]),
  plain("test_embedded_resource", [
    embedded("test://embedded-resource", "text/plain", "This is an embedded resource content."),
  ]),
  plain("test_multiple_content_types", [
    text("Multiple content types test:"),
    image,
    embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
  ]),
  one("test_tool_with_logging", {}, async (_args, extra, session) => {
    for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await session.log({ level: "info", data }, extra);
      await pause(20);
    }
    return { content: [text("done")] };
  }),
  one("test_error_handling", {}, async () => ({
    content: [text("This tool intentionally returns an error for testing")],
    isError: true,
  })),
  one("test_tool_with_progress", {}, async (_args, extra) => {
    const progressToken = extra._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      await extra.sendNotification({
        method: "notifications/progress",
        params: { progressToken: progressToken as string, progress, total: 100 },
      });
      await pause(20);
    }
    return { content: [text("done")] };
  }),
  one("test_sampling", { prompt: { type: "string" } }, async ({ prompt }, extra) => {
    const messages = [{ role: "user" as const, content: text(String(prompt)) }];
    const answer = await extra.sendRequest(
      { method: "sampling/createMessage", params: { messages, maxTokens: 100 } },
      CreateMessageResultSchema,
    );
    return { content: [text(`LLM response: ${JSON.stringify(answer.content)}`)] };
  }),
  one("test_elicitation", { message: { type: "string" } }, ({ message }, extra) =>
    elicit(extra, "User response", String(message), {
      properties: { username: { type: "string" }, email: { type: "string" } },
      required: ["username", "email"],
    }),
  ),
  one("test_elicitation_sep1034_defaults", {}, (_args, extra) =>
    elicit(extra, "Elicitation completed", "Check the defaults", {
      properties: {
        name: { type: "string", default: "John Doe" },
        age: { type: "integer", default: 30 },
        score: { type: "number", default: 95.5 },
        status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
        verified: { type: "boolean", default: true },
      },
    }),
  ),
  one("test_elicitation_sep1330_enums", {}, (_args, extra) => {
    const titled = ["First", "Second", "Third"].map((title, at) => ({
      const: `value${at + 1}`,
      title: `${title} Option`,
    }));
    const options = ["option1", "option2", "option3"];
    return elicit(extra, "Elicitation completed", "Choose", {
      properties: {
        untitledSingle: { type: "string", enum: options },
        titledSingle: { type: "string", oneOf: titled },
        legacyEnum: {
          type: "string",
          enum: ["opt1", "opt2", "opt3"],
          enumNames: ["Option One", "Option Two", "Option Three"],
        },
        untitledMulti: { type: "array", items: { type: "string", enum: options } },
        titledMulti: { type: "array", items: { anyOf: titled } },
      },
    });
  }),
  {
    tool: {
      name: "json_schema_2020_12_tool",
      description: "Tool with JSON Schema 2020-12 features",
      inputSchema: {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        $defs: { address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
        properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
        additionalProperties: false,
      },
    },
    run: async () => ({ content: [text("done")] }),
  },
];

const PROMPTS: { name: string; args: string[]; messages(args: Record<string, string>): object[] }[] = [
  { name: "test_simple_prompt", args: [], messages: () => [text("This is a simple prompt for testing.")] },
  {
    name: "test_prompt_with_arguments",
    args: ["arg1", "arg2"],
    messages: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  {
    name: "test_prompt_with_embedded_resource",
    args: ["resourceUri"],
    messages: ({ resourceUri = "" }) => [
      embedded(resourceUri, "text/plain", "Embedded resource content for testing."),
      text("Please process the embedded resource above."),
    ],
  },
  {
    name: "test_prompt_with_image",
    args: [],
    messages: () => [image, text("Please analyze the image above.")],
  },
];

const RESOURCES = {
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { mimeType: "image/png", blob: PNG },
  "test://watched-resource": { mimeType: "text/plain", text: "Watched resource content" },
};

export const conformanceFeature: FeatureFactory = (session) => ({
  tools: {
    list: () => TOOLS.map(({ tool }) => tool),
    call: (params, extra) =>
      TOOLS.find(({ tool }) => tool.name === params.name)?.run(params.arguments ?? {}, extra, session),
  },
  prompts: {
    list: () =>
      PROMPTS.map(({ name, args }) => ({
        name,
        description: `The suite's ${name}`,
        arguments: args.map((argument) => ({ name: argument, description: argument, required: true })),
      })),
    get: (params) => {
      const prompt = PROMPTS.find(({ name }) => name === params.name);
      const messages = prompt?.messages(params.arguments ?? {});
      return messages && Promise.resolve({ messages: messages.map((content) => ({ role: "user", content })) as never });
    },
  },
  resources: {
    list: () =>
      Object.entries(RESOURCES).map(([uri, { mimeType }]) => ({ uri, name: uri, description: uri, mimeType })),
    templates: () => [{ uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" }],
    read(uri) {
      const found = RESOURCES[uri as keyof typeof RESOURCES];
      if (found !== undefined) return Promise.resolve({ contents: [{ uri, ...found }] });
      const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
      if (id === undefined) return undefined;
      const value = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
      return Promise.resolve({ contents: [{ uri, mimeType: "application/json", text: value }] });
    },
  },
  complete: ({ ref, argument }) =>
    ref.type === "ref/prompt" && ref.name === "test_prompt_with_arguments"
      ? Promise.resolve({
          completion: { values: ["paris", "park", "party"].filter((value) => value.startsWith(argument.value)) },
        })
      : undefined,
});

function one(name: string, properties: Record<string, object>, run: Run): { tool: Tool; run: Run } {
  const required = Object.keys(properties);
  return {
    tool: { name, description: `The suite's ${name}`, inputSchema: { type: "object", properties, required } },
    run,
  };
}

function plain(name: string, content: CallToolResult["content"]): { tool: Tool; run: Run } {
  return one(name, {}, async () => ({ content }));
}

function embedded(uri: string, mimeType: string, value: string) {
  return { type: "resource" as const, resource: { uri, mimeType, text: value } };
}

async function elicit(
  extra: RequestExtra,
  what: string,
  message: string,
  schema: { properties: object; required?: string[] },
): Promise<CallToolResult> {
  const params = { mode: "form", message, requestedSchema: { type: "object", ...schema } } as ElicitRequestFormParams;
  const { action, content } = await extra.sendRequest({ method: "elicitation/create", params }, ElicitResultSchema);
  return { content: [text(`${what}: action=${action}, content=${JSON.stringify(content ?? {})}`)] };
}
