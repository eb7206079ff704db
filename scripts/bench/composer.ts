/**
 * How long a composer waits: filtering a menu at each keystroke, and checking a message. Times are in milliseconds.
 *
 * `bun run bench:composer [--entries 10000] [--json]`
 */
import { parseArgs } from "node:util";
import type { Server } from "../../runtime/core/contracts.ts";
import { catalogue, createMenu, findTokens, submit } from "../../skills/composer-mcp/composer-mcp.ts";
import { quantile } from "./quantile.ts";

interface Figures {
  what: string;
  runs: number;
  median: number;
  p99: number;
  max: number;
}

const VERBS = ["list", "get", "search", "create", "update", "delete", "send", "read", "export", "merge"];
const NOUNS = ["issue", "page", "message", "file", "event", "ticket", "invoice", "channel", "branch", "report"];

/** Servers of forty tools each, named as servers of the field name them; the same at every run. */
function servers(entries: number): Server[] {
  const perServer = 40;
  return Array.from({ length: Math.ceil(entries / (perServer + 1)) }, (_, at) => {
    const name = `${NOUNS[at % NOUNS.length]}-service-${at}`;
    const tools = Array.from({ length: perServer }, (_, tool) => ({
      server: name,
      name: `${VERBS[tool % VERBS.length]}_${NOUNS[(tool + at) % NOUNS.length]}_${tool}`,
    }));
    return { name, state: "ready", tools, flags: [], origins: [] };
  });
}

function time(what: string, runs: number, run: (at: number) => unknown): Figures {
  for (let at = 0; at < Math.min(runs, 20); at++) run(at);
  const times = Array.from({ length: runs }, (_, at) => {
    const start = performance.now();
    run(at);
    return performance.now() - start;
  });
  const place = (share: number) => Number(quantile(times, share).toFixed(3));
  return { what, runs, median: place(0.5), p99: place(0.99), max: place(1) };
}

const { values } = parseArgs({ options: { entries: { type: "string" }, json: { type: "boolean" } } });
const wanted = Number(values.entries ?? 10_000);
const inventory = { servers: servers(wanted), problems: [] };
const entries = catalogue(inventory).slice(0, wanted);
const menu = createMenu(entries);

/** What a person types key by key, good and bad matches among it. */
const typed = [
  "/mcp:issue-service-1:list",
  "create invoice",
  "lstissue",
  "service",
  "zzzz",
  "e",
  "get_branch_12",
].flatMap((text) => Array.from(text, (_, at) => text.slice(0, at + 1)));
const cited = "`\"'> ~~~ “".repeat(100_000);

const figures = [
  time(`catalogue of ${wanted} entries`, 20, () => catalogue(inventory)),
  time(`menu over ${entries.length} entries`, 20, () => createMenu(entries)),
  time(`filter ${entries.length} entries, one keystroke`, typed.length * 10, (at) =>
    menu.filter(typed[at % typed.length] ?? ""),
  ),
  time(`submit three selections, ${entries.length} entries`, 200, () =>
    submit({ text: `${entries[1]?.command} ${entries[500]?.command} ${entries.at(-1)?.command} go` }, entries),
  ),
  time("find tokens in a million hostile characters", 5, () => findTokens(`${cited} /mcp:a`)),
];

if (values.json) console.log(JSON.stringify(figures, null, 2));
else console.table(figures);
