import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { document } from "../support/operations.js";

const run = promisify(execFile);
const { resolve } = createRequire(import.meta.url);
const quiet = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", SCARF_ANALYTICS: "false" };

describe("the linters of OpenAPI find nothing in the document:", function () {
  // Each starts a large program.
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), "openapi-"));
  const file = join(folder, "openapi.json");
  before(() => writeFileSync(file, JSON.stringify(document)));
  after(() => rmSync(folder, { recursive: true }));

  /** What a command of a package says; it fails the test with its output where it ends with an error. */
  async function lint(script: string, args: string[]): Promise<string> {
    const env = { ...process.env, ...quiet };
    const failed = (error: { stdout?: string }) => assert.fail(error.stdout || String(error));
    const { stdout } = await run(process.execPath, [script, ...args], { cwd: folder, env }).catch(failed);
    return stdout;
  }

  it("spectral:oas", async () => {
    const rules = join(folder, "spectral.json");
    writeFileSync(rules, JSON.stringify({ extends: ["spectral:oas"] }));
    const script = resolve("@stoplight/spectral-cli/dist/index.js");
    const found = await lint(script, ["lint", file, "--ruleset", rules, "--format", "json", "--fail-severity", "hint"]);
    assert.match(found, /^\[\]/);
  });

  it("Redocly's recommended rules", async () => {
    const config = join(folder, "redocly.yaml");
    // Where a browser is led elsewhere, that is a 303, which is no success to Redocly.
    // Probes are neither limited nor refused; of all other routes openapi.test.ts says that they tell a 4XX.
    writeFileSync(
      config,
      "extends: [recommended]\nrules: { operation-4xx-response: off, operation-2xx-response: off }\n",
    );
    const script = join(dirname(resolve("@redocly/cli/package.json")), "bin/cli.js");
    const { totals, problems } = JSON.parse(await lint(script, ["lint", file, "--config", config, "--format", "json"]));
    assert.deepEqual({ totals, problems }, { totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] });
  });
});
