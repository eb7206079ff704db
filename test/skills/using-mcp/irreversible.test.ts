/** What cannot be taken back, in words, commands, statements and arguments; and what can. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { gate, isIrreversible, shouldEscalate } from "../../../skills/using-mcp/using-mcp.ts";

const wrong = (expected: boolean, actions: unknown[]) =>
  actions.filter((action) => isIrreversible(action) !== expected).map((action) => JSON.stringify(action));
const commands = (...list: string[]) => list.map((command) => ({ command }));
const descriptions = (...list: string[]) => list.map((description) => ({ description }));

test("data loss", () => {
  const actions = [
    ...commands(
      "DROP TABLE accounts;",
      "drop database shop",
      "TRUNCATE logs",
      "truncate table logs",
      "DELETE FROM users",
    ),
    ...commands("update users set admin = true", "DELETE FROM users WHERE 1=1", "ALTER TABLE users DROP COLUMN name"),
    ...commands(
      "rm -rf build",
      "rm -fr /",
      "sudo /bin/rm -r x",
      "bash -c 'rm -rf ~'",
      "ls; rm -rf x",
      "xargs rm -rf",
      "echo $(rm -rf x)",
    ),
    ...commands(
      "terraform destroy -auto-approve",
      "kubectl -n shop delete pod x",
      "kubectl delete ns shop",
      "helm uninstall x",
    ),
    ...commands(
      "find . -name x -delete",
      "dropdb shop",
      "gh repo delete a/b --yes",
      "aws s3 rm s3://x --recursive",
      "git clean -fdx",
    ),
    ...commands(
      "git push origin :old",
      'psql -c "drop table x"',
      "redis-cli FLUSHALL",
      "curl -X DELETE https://example.org/a",
      "aws rds delete-db-cluster --db-cluster-identifier x",
      "mkfs.ext4 /dev/sda",
      "rails db:drop",
      "MATCH (n) DETACH DELETE n",
      "db.dropDatabase()",
    ),
    ...descriptions(
      "drop the users table",
      "a data-loss migration",
      "delete the repository",
      "remove the user's account",
    ),
    ...descriptions("wipe the disk", "Delete all records.", "permanently delete the file", "Purge the logs"),
    { type: "delete_account" },
    { type: "repo.delete" },
    { type: "migration", description: "drop the users table" },
  ];
  assert.deepEqual(wrong(true, actions), []);
});

test("production deploys, in any word order", () => {
  const actions = [
    ...descriptions(
      "deploy to production",
      "Deploy To PRODUCTION",
      "production deployment of the api",
      "to prod we ship",
      "roll out to production",
    ),
    ...commands(
      "kubectl apply -f app.yaml --context prod",
      "vercel --prod",
      "netlify deploy --prod",
      "npm publish",
      "npm run deploy:prod",
      "helm upgrade app chart -n production",
      "git push heroku main",
    ),
    { type: "deploy", description: "production" },
    { type: "production-deploy" },
  ];
  assert.deepEqual(wrong(true, actions), []);
});

test("force pushes", () => {
  const actions = [
    ...commands(
      "git push --force origin main",
      "git push -f",
      "GIT PUSH --FORCE",
      "git push origin +main",
      "git -C x push --force-with-lease",
      "git push --mirror",
    ),
    ...descriptions("force push over the remote branch", "Force-push it"),
    { type: "force-push" },
  ];
  assert.deepEqual(wrong(true, actions), []);
});

test("rotation of secrets, money, mass mail", () => {
  const actions = [
    ...descriptions(
      "rotate the API secret key",
      "revoke all tokens",
      "transfer 100 dollars to Ada",
      "wire $500 to the vendor",
      "send an email to 5,000 recipients",
      "pay the bill",
      "buy 10 shares",
    ),
    ...descriptions("send the newsletter to all subscribers", "email everyone", "refund the payment"),
    ...commands("aws secretsmanager rotate-secret --secret-id x"),
    { type: "secret-rotation" },
  ];
  assert.deepEqual(wrong(true, actions), []);
});

test("routine work is reversible", () => {
  const actions = [
    {},
    { type: "edit", description: "edit a file" },
    { type: "commit" },
    { type: "migration", description: "add a nullable column to the users table" },
    ...commands(
      "npm test",
      'git commit -m "wip"',
      "git commit -am 'drop support for old runtimes'",
      "git push origin feature-branch",
    ),
    ...commands(
      "git push -u origin feature/production-fix",
      "rm file.txt",
      "ls -la",
      "terraform plan",
      "kubectl get pods -n prod",
    ),
    ...commands(
      "ALTER TABLE users ADD COLUMN x int",
      "DELETE FROM users WHERE id = 3",
      "UPDATE users SET a = 1 WHERE id = 2",
    ),
    ...commands("CREATE TABLE x (id int)", "mkdir x && cp a b", "git checkout -f main", "docker build -t x ."),
    ...descriptions(
      "run the tests",
      "add a helper function",
      "deploy to staging",
      "remove all unused imports",
      "format the data",
    ),
    ...descriptions(
      "send an email to Ada",
      "fix a typo in the production docs",
      "refactor the token parser",
      "update the key handling",
    ),
  ];
  assert.deepEqual(wrong(false, actions), []);
});

test("what is no object is no action, and nothing throws", () => {
  for (const nothing of [null, undefined, "git push --force", 7, [], () => {}])
    assert.equal(isIrreversible(nothing), false);
  assert.equal(isIrreversible({ type: 4, command: {}, description: [] }), false);
  fc.assert(
    fc.property(fc.anything(), (action) => {
      assert.equal(typeof isIrreversible(action), "boolean");
      assert.equal(typeof shouldEscalate(action), "boolean");
    }),
    { numRuns: 200 },
  );
});

test("a statement hides in no literal and no comment", () => {
  const actions = commands(
    "SELECT '\\'; DROP TABLE x; --'",
    "SELECT 1 --1; DROP TABLE x",
    "/*! DROP TABLE x */",
    "select '; drop table x",
    "-- note\ntruncate logs",
  );
  assert.deepEqual(wrong(true, actions), []);
});

test("what a literal says is no statement", () => {
  const decision = (sql: string) => gate({ tool: { name: "mcp__db__query" }, args: { sql } }).decision;
  assert.equal(decision("SELECT 'drop table x; delete from y'"), "allow");
  assert.equal(decision("SELECT * FROM notes WHERE text = 'it''s; drop table x'"), "allow");
});

test("the arguments of a call count: method, flags, paths, recipients, targets", () => {
  const decision = (name: string, args: unknown) =>
    gate({ tool: { name: `mcp__a__${name}` }, args, mode: "fully-agentic" }).decision;
  const irreversible: [string, unknown][] = [
    ["http_request", { method: "DELETE", url: "https://example.org/a" }],
    ["remove_path", { path: "/" }],
    ["remove_path", { path: "x", recursive: true }],
    ["remove_path", { options: { hardDelete: true } }],
    ["push_branch", { force: true }],
    ["deploy_app", { environment: "production" }],
    ["send_message", { to: Array.from({ length: 30 }, (_, at) => `user${at}`) }],
    ["transfer_funds", { amount: 5 }],
    ["rotate_key", {}],
    ["delete_file", { path: "a.txt" }],
    ["type_text", { text: "rm -rf /" }],
    ["batch", { calls: [{ input: { sql: "drop table x" } }] }],
  ];
  for (const [name, args] of irreversible)
    assert.equal(decision(name, args), "confirm", `${name} ${JSON.stringify(args)}`);
  const reversible: [string, unknown][] = [
    ["http_request", { method: "POST", url: "https://example.org/a" }],
    ["remove_label", { label: "bug" }],
    ["push_branch", { force: false }],
    ["deploy_app", { environment: "staging" }],
    ["send_message", { to: ["ada"] }],
    ["create_issue", { title: "How do we delete the repository and deploy to production?" }],
    ["write_file", { path: "notes.md", content: "We should drop the users table." }],
  ];
  for (const [name, args] of reversible) assert.equal(decision(name, args), "allow", `${name} ${JSON.stringify(args)}`);
});

test("what is too large to look through is not shown to be harmless", () => {
  const decision = (args: unknown) =>
    gate({ tool: { name: "mcp__a__create_x" }, args, mode: "fully-agentic" }).decision;
  assert.equal(decision({ command: "x ".repeat(50_000) }), "confirm");
  assert.equal(decision({ list: Array.from({ length: 10_000 }, (_, at) => at) }), "confirm");
  assert.equal(decision({ content: "x ".repeat(50_000) }), "allow");
});

test("a situation goes to a person when it is irreversible, at its bound, or a judgement in interactive mode", () => {
  const edit = { type: "edit", description: "edit a file" };
  const push = { command: "git push --force" };
  assert.equal(shouldEscalate({ action: push, mode: "fully-agentic" }), true);
  assert.equal(shouldEscalate({ action: edit, mode: "fully-agentic", boundExhausted: true }), true);
  assert.equal(shouldEscalate({ action: edit, mode: "interactive", judgmentGate: true }), true);
  assert.equal(shouldEscalate({ action: edit, mode: "autonomous-guardrailed", judgmentGate: true }), false);
  assert.equal(shouldEscalate({ action: edit, mode: "interactive" }), false);
  for (const nothing of [null, undefined, 3, "x", {}]) assert.equal(shouldEscalate(nothing), false);
});
