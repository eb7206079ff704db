/** Recall of each ranker over each set of requests. */
import { byMeaning, type Ranker, RIVALS } from "./rivals.ts";
import type { LabelledSet, Request } from "./sets.ts";

const PLACES = [1, 5, 8];

export async function qualityTable(
  sets: LabelledSet[],
  { meaning }: { meaning: boolean },
): Promise<Record<string, string>[]> {
  const rankers = { ...RIVALS, ...(meaning ? { "this index, with meaning": byMeaning } : {}) };
  const rows: Record<string, string>[] = [];
  for (const [name, make] of Object.entries(rankers)) {
    const row: Record<string, string> = { ranker: name };
    for (const { tools, requests } of sets) {
      const rank = await make(tools);
      const names = tools.map((tool) => tool.name);
      for (const part of requests) {
        const recalls = await recallOf(part.requests, rank, names);
        row[`${part.name}: R@${PLACES.join(", ")}`] = recalls.map((recall) => recall.toFixed(3).slice(1)).join(" ");
      }
    }
    rows.push(row);
  }
  return rows;
}

async function recallOf(requests: Request[], rank: Ranker, names: string[]): Promise<number[]> {
  const sums = PLACES.map(() => 0);
  for (const { query, relevant } of requests) {
    const found = (await rank(query, Math.max(...PLACES))).map((place) => names[place]);
    PLACES.forEach((places, at) => {
      const first = new Set(found.slice(0, places));
      sums[at] = (sums[at] ?? 0) + relevant.filter((name) => first.has(name)).length / relevant.length;
    });
  }
  return sums.map((sum) => sum / Math.max(1, requests.length));
}
