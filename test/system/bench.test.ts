import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { pluck } from "../support/pluck.js";

const bench = fileURLToPath(new URL("../../bench/main.js", import.meta.url));

describe("npm run bench", () => {
  it("prints a row of figures for each wanted case, and nothing else", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      bench,
      ...["--quick", "--json", "--only", "lookup,receive"],
    ]);
    const { rows } = JSON.parse(stdout) as { rows: Record<string, unknown>[] };
    assert.deepEqual(pluck(rows, "name"), ["lookup", "receive"]);
    for (const { name: _, ...figures } of rows) {
      assert.deepEqual(Object.keys(figures), [
        "rps",
        "p50_ms_c1",
        "p95_ms_c1",
        "p50_ms_c16",
        "p95_ms_c16",
        "limit_rps",
        "ratio",
      ]);
      for (const figure of Object.values(figures)) assert.ok(typeof figure === "number" && figure > 0, `${figure}`);
    }
  }).timeout(120_000);

  it("names what there is when asked for something else", async () => {
    const asked = promisify(execFile)(process.execPath, [bench, "--only", "lookups"]);
    await assert.rejects(asked, /No lookups; there is start, webhooks, channels, sync, lookup, /);
  });
});
