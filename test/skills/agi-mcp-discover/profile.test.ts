/** The shipped profile is the reference one, rules are read from Markdown, and a profile that cannot work is told at load. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { splitFrontmatter } from "../../../runtime/core/skill-text.ts";
import { readTables } from "../../../runtime/core/tables.ts";
import { readProfileFile } from "../../../runtime/inventory/profile-file.ts";
import {
  ALWAYS_HOT,
  classifyIntent,
  discover,
  loadTools,
  MAX_TOOLS,
  ON_DEMAND,
  readProfile,
} from "../../../skills/agi-mcp-discover/agi-mcp-discover.ts";
import { routerOf } from "../../../skills/agi-mcp-discover/intent.ts";
import { ROOT } from "../../support/cli.ts";
import { inventory, server } from "../../support/inventories.ts";

const folder = mkdtempSync(join(tmpdir(), "profile-"));
after(() => rmSync(folder, { recursive: true }));

const SKILL = readFileSync(join(ROOT, "skills/agi-mcp-discover/SKILL.md"), "utf8");

/** A profile of one's own, with some tables replaced by heading. */
function profileWith(tables: Record<string, string[]> = {}): string {
  const all: Record<string, string[]> = {
    "Always hot": ["| tool | what |", "|---|---|", "| list_notes | the notes |"],
    "On demand": ["| domain | tools |", "|---|---|", "| mail | send_mail, read_mail |", "| meta | find_tool |"],
    "Routing rules": ["| domain | keywords |", "|---|---|", "| mail | mail, reply |", "| meta | * |"],
    ...tables,
  };
  const file = join(folder, "profile.md");
  const text = Object.entries(all).map(([heading, rows]) => `## ${heading}\n\n${rows.join("\n")}\n`);
  writeFileSync(file, `# Mine\n\n${text.join("\n")}`);
  return file;
}

test("the shipped tables hold the reference profile, in order", () => {
  assert.equal(MAX_TOOLS, 8);
  assert.deepEqual(ALWAYS_HOT, [
    "arif_init",
    "arif_observe",
    "arif_think",
    "forge_probe",
    "forge_status",
    "well_assess_homeostasis",
    "agi_mcp_discover",
  ]);
  assert.deepEqual(Object.entries(ON_DEMAND), [
    [
      "geoscience",
      [
        "geox_basin_resolve",
        "geox_basin_profile",
        "geox_seismic_compute",
        "geox_petrophysics_generate",
        "geox_prospect_screen",
        "geox_deep_time_state",
        "geox_well_ingest",
      ],
    ],
    [
      "capital",
      [
        "capital_primitive_npv",
        "capital_primitive_irr",
        "capital_primitive_emv",
        "capital_health_runway",
        "capital_market_stock",
        "capital_diagnose",
      ],
    ],
    [
      "engineering",
      [
        "forge_shell",
        "forge_git",
        "forge_docker",
        "forge_filesystem_read",
        "forge_filesystem_write",
        "forge_health_check",
      ],
    ],
    ["vault", ["vault_append", "vault_read", "vault_search", "forge_vault_seal"]],
    ["meta", ["agent_search", "skill_load", "agent_status"]],
    ["evidence", ["forge_research", "forge_minimax_search", "forge_docs_lookup"]],
  ]);
});

test("the shipped rules are the reference ones, in order, first hit wins, else meta", async () => {
  const { body, bodyLine } = splitFrontmatter(SKILL, "SKILL.md");
  const { rules, fallback } = readProfile(await readTables(body, "SKILL.md", bodyLine));
  assert.deepEqual(
    [...rules.map(({ domain, keywords }) => [domain, keywords]), ["*", fallback]],
    [
      ["geoscience", ["basin", "geology", "seismic", "petrophysics", "well", "prospect"]],
      ["capital", ["npv", "irr", "emv", "capital", "invest", "valuation", "stock"]],
      ["engineering", ["code", "build", "deploy", "shell", "docker", "git", "test"]],
      ["vault", ["vault", "seal", "ledger", "archive"]],
      ["evidence", ["search", "research", "find"]],
      ["*", "meta"],
    ],
  );
  for (const { domain, keywords } of rules) {
    for (const keyword of keywords) assert.equal(classifyIntent(`about ${keyword.toUpperCase()}, please`), domain);
  }
  assert.equal(classifyIntent("search the archive of the basin"), "geoscience");
  assert.equal(classifyIntent("search the archive"), "vault");
  assert.equal(classifyIntent("good morning"), "meta");
});

const INFLECTED: [domain: string, texts: string[]][] = [
  ["geoscience", ["basins", "geological maps", "a geologist", "the wells", "drill this well.", "prospecting"]],
  ["capital", ["investments", "investing", "an investor", "IRRs", "valuations", "Stocks"]],
  ["engineering", ["coding", "builds", "deployments", "deployed", "unit_test", "testing", "git-log"]],
  ["vault", ["sealed", "archiving", "archived", "ledgers"]],
  ["evidence", ["searches", "researchers", "findings"]],
];

for (const [domain, texts] of INFLECTED) {
  test(`inflections lead to ${domain}: ${texts.join(", ")}`, () => {
    for (const text of texts) assert.equal(classifyIntent(text), domain, text);
  });
}

test("a keyword inside another word, or in an idiom, leads nowhere", () => {
  const texts = [
    "as well",
    "Well, hello",
    "a well-known song",
    "well done",
    "the latest",
    "a mirror",
    "digital",
    "decode",
  ];
  for (const text of [...texts, "irrelevant", "contest", "prétest", "encoder", "unsealed", "as\n  well as"]) {
    assert.equal(classifyIntent(text), "meta", text);
  }
  assert.equal(classifyIntent("the oil well, as well"), "geoscience");
});

test("where one place is left, the tool that the intent means takes it", () => {
  const last = (domain: string, intent: string) => discover(domain, intent).slice(7);
  assert.deepEqual(last("capital", "internal rate of return of the deal"), ["capital_primitive_irr"]);
  assert.deepEqual(last("capital", "net present value"), ["capital_primitive_npv"]);
  assert.deepEqual(last("capital", "expected monetary value of the farm"), ["capital_primitive_emv"]);
  assert.deepEqual(last("capital", "how long is our runway"), ["capital_health_runway"]);
  assert.deepEqual(last("engineering", "look into the docker container"), ["forge_docker"]);
  assert.deepEqual(last("vault", "seal it"), ["forge_vault_seal"]);
  assert.deepEqual(last("geoscience", "zzz"), ["geox_basin_resolve"]);
  assert.deepEqual(last("geoscience", ""), ["geox_basin_resolve"]);
  assert.deepEqual(last("nowhere", "seal it"), []);
});

test("rules are read from Markdown: an edited table changes the routing, an edited idiom as well", async () => {
  const routed = async (edit: (text: string) => string, intent: string) =>
    routerOf(readProfile(await readTables(edit(SKILL), "SKILL.md")))(intent);
  assert.equal(await routed((text) => text, "the volcano, as well"), "meta");
  assert.equal(await routed((text) => text.replace("basin, geology", "basin, volcano"), "the volcano"), "geoscience");
  assert.equal(await routed((text) => text.replace("| as well |\n", ""), "as well"), "geoscience");
});

test("a profile of one's own: what it names and has comes first, what is not there is told, the rest is filled up", async () => {
  const profile = await readProfileFile(profileWith());
  const installed = inventory(
    server("mail", ["read_mail", "send_mail", "list_folders"]),
    server("notes", ["list_notes", "add_note"]),
  );
  const loaded = loadTools(installed, "send the note by mail", { profile });
  assert.equal(loaded.domain, "mail");
  assert.deepEqual(
    loaded.chosen.map(({ name, by }) => [name, by]),
    [
      ["mcp__notes__list_notes", "always-hot"],
      ["mcp__mail__send_mail", "domain"],
      ["mcp__mail__read_mail", "domain"],
      ["mcp__notes__add_note", "search"],
      ["mcp__mail__list_folders", "search"],
    ],
  );
  const other = loadTools(installed, "what now", { profile, hot: ["mcp__mail__list_folders"] });
  assert.deepEqual(
    [other.domain, other.chosen.map(({ by }) => by), other.unplaced],
    ["meta", ["pin", "always-hot"], [{ name: "find_tool", asked: "profile", reason: "not-installed" }]],
  );
});

test("with the reference profile and all its tools installed, seven are hot and the intent's tool takes the last place", async () => {
  const { body, bodyLine } = splitFrontmatter(SKILL, "SKILL.md");
  const profile = readProfile(await readTables(body, "SKILL.md", bodyLine));
  const installed = inventory(server("all", [...ALWAYS_HOT, ...Object.values(ON_DEMAND).flat()]));
  const intent = "what is the internal rate of return of this investment";
  const { tools, unplaced, domain } = loadTools(installed, intent, { profile });
  assert.deepEqual([tools.map(({ name }) => name), unplaced, domain], [discover("capital", intent), [], "capital"]);
  assert.equal(tools.at(-1)?.name, "capital_primitive_irr");
});

test("a name that several servers have is told and not guessed; its qualified name is one", async () => {
  const installed = inventory(server("a", ["list_notes"]), server("b", ["list_notes"]));
  const unclear = loadTools(installed, "", { profile: await readProfileFile(profileWith()) });
  assert.deepEqual([unclear.tools, unclear.unplaced[0]?.reason], [[], "ambiguous"]);
  const file = profileWith({ "Always hot": ["| tool | what |", "|---|---|", "| mcp__b__list_notes | notes |"] });
  const clear = loadTools(installed, "", { profile: await readProfileFile(file) });
  assert.deepEqual(
    clear.chosen.map(({ name }) => name),
    ["mcp__b__list_notes"],
  );
});

const WRONG: [what: string, tables: Record<string, string[]>, code: string, line: number][] = [
  [
    "a hot list that leaves no room",
    { "Always hot": ["| tool | what |", "|---|---|", ...[..."abcdefgh"].map((name) => `| ${name} | x |`)] },
    "no-room",
    5,
  ],
  ["a hot tool twice", { "Always hot": ["| tool | what |", "|---|---|", "| a | x |", "| a | y |"] }, "bad-row", 8],
  [
    "a tool that is hot and on demand",
    { "On demand": ["| domain | tools |", "|---|---|", "| mail | list_notes |", "| meta | b |"] },
    "bad-row",
    13,
  ],
  [
    "a domain twice",
    { "On demand": ["| domain | tools |", "|---|---|", "| mail | a |", "| mail | b |", "| meta | c |"] },
    "bad-row",
    14,
  ],
  [
    "a rule for a domain that has no tools",
    { "Routing rules": ["| domain | keywords |", "|---|---|", "| post | mail |"] },
    "bad-row",
    20,
  ],
  ["a cell with nothing in it", { "On demand": ["| domain | tools |", "|---|---|", "| mail | , |"] }, "bad-row", 13],
];

for (const [what, tables, code, line] of WRONG) {
  test(`a profile with ${what} is an error at load, with file, line and fix`, async () => {
    const file = profileWith(tables);
    await assert.rejects(readProfileFile(file), (error: Record<string, unknown>) => {
      assert.deepEqual([error.code, error.file, error.line], [code, file, line]);
      assert.match(String(error.fix), /\w/);
      return true;
    });
  });
}

test("a profile that is not there, or lacks a table, is told with its file", async () => {
  await assert.rejects(readProfileFile(join(folder, "none.md")), { code: "unreadable" });
  await assert.rejects(readProfileFile(folder), { code: "unreadable" });
  const empty = join(folder, "empty.md");
  writeFileSync(empty, "");
  await assert.rejects(readProfileFile(empty), { code: "no-table", file: empty });
});
