import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalName, detectTools } from "../../../skills/mcp-cli-discovery/mcp-cli-discovery.ts";

/** What the prompt alone names: MCP servers, then CLIs. */
function named(prompt: string): string[] {
  const { mcps, clis } = detectTools({ prompt });
  return [...mcps, ...clis].map(({ name }) => name);
}

test("mentions as people write them", () => {
  assert.deepEqual(named("we have the GitHub MCP"), ["github"]);
  assert.deepEqual(named("use `gh`"), ["gh"]);
  assert.deepEqual(named("the azd CLI is available"), ["azd"]);
  assert.deepEqual(named("you have access to Jira and Confluence via MCP"), ["jira", "confluence"]);
  assert.deepEqual(named("MCP servers: linear, sentry"), ["linear", "sentry"]);
});

test("what takes a mention back", () => {
  assert.deepEqual(named("don't use gh"), []);
  assert.deepEqual(named("we do not have the Slack MCP"), []);
  assert.deepEqual(named("without the browser MCP"), []);
  assert.deepEqual(named("once the Jira MCP is set up"), []);
  assert.deepEqual(named("We have the Slack MCP. Actually, do not use the Slack MCP."), []);
  assert.deepEqual(named("We have the Slack MCP, but don't use it."), []);
});

test("what is no mention", () => {
  assert.deepEqual(named("```sh\ngh pr list\n```"), []);
  assert.deepEqual(named("> use the GitHub MCP"), []);
  assert.deepEqual(named("Go and make it work, then find out who told it."), []);
});

test("names meet under one spelling", () => {
  for (const name of ["GitHub MCP", "github", "github-mcp", "mcp-server-github", "GitHub MCP Server", "git hub"]) {
    assert.equal(canonicalName(name), "github", name);
  }
  for (const listed of ["mcp__github__list_issues", "mcp_github_list_issues", "github-mcp-server-list_issues"]) {
    assert.deepEqual(
      detectTools({ prompt: "Use the GitHub MCP.", harnessTools: [listed] }).mcps,
      [{ name: "github", sources: ["prompt", "harness"] }],
      listed,
    );
  }
});

test("three sources are merged and none wins", () => {
  const { mcps, clis } = detectTools({
    prompt: "Use the GitHub MCP. Don't use gh.",
    copilotInstructions: "`gh` is installed. We have the Linear MCP.",
    harnessTools: [{ name: "mcp__linear__list" }, "mcp__github__get", "Read"],
  });
  assert.deepEqual(mcps, [
    { name: "github", sources: ["prompt", "harness"] },
    { name: "linear", sources: ["copilot-instructions", "harness"] },
  ]);
  assert.deepEqual(clis, [{ name: "gh", sources: ["copilot-instructions"] }]);
});

test("a harness's list never makes a CLI", () => {
  assert.deepEqual(detectTools({ harnessTools: ["gh", "kubectl", "Bash(gh:*)", "shell(git:*)"] }), {
    mcps: [],
    clis: [],
  });
});

test("input of the wrong type names nothing and never throws", () => {
  for (const value of [undefined, null, 7, "text", [], {}, () => {}]) {
    assert.doesNotThrow(() => detectTools(value as never));
    const input = { prompt: value, copilotInstructions: value, harnessTools: value };
    assert.doesNotThrow(() => detectTools(input));
  }
  assert.deepEqual(detectTools({ harnessTools: [null, 1, {}, { name: 3 }, []] }), { mcps: [], clis: [] });
});
