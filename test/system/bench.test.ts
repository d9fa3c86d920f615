import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { pluck, pluckAll } from "../support/pluck.js";

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
        "p99_ms_c1",
        "p50_ms_c16",
        "p95_ms_c16",
        "p99_ms_c16",
        "limit_rps",
        "ratio",
      ]);
      for (const figure of Object.values(figures)) assert.ok(typeof figure === "number" && figure > 0, `${figure}`);
    }
  }).timeout(120_000);

  it("names what there is when asked for something else", async () => {
    const asked = promisify(execFile)(process.execPath, [bench, "--only", "lookups"]);
    await assert.rejects(
      asked,
      /No lookups; there is start, webhooks, channels, contention, sync, buy labels, lookup, /,
    );
  });

  it("sells one item to many exactly, and writes a page of what it measured", async () => {
    const docs = mkdtempSync(join(tmpdir(), "warehouse-pages-"));
    await promisify(execFile)(process.execPath, [
      bench,
      ...["--page", "--quick", "--only", "contention", "--docs", docs],
    ]);
    const { figures, command } = JSON.parse(readFileSync(`${docs}/figures/contention.json`, "utf8"));
    const page = readFileSync(`${docs}/contention.md`, "utf8").replaceAll(/ +/g, " ");
    rmSync(docs, { recursive: true });
    assert.ok(page.replaceAll("\n", " ").includes(command), page);
    assert.deepEqual(pluckAll(figures, "way", "buyers"), [
      ...[16, 64, 256].map((buyers) => ["till", buyers]),
      ...[16, 64, 256].map((buyers) => ["order", buyers]),
    ]);
    for (const { buyers, units, sold, booked, left, sold_per_s, p50_ms, p95_ms, p99_ms, again } of figures) {
      assert.deepEqual({ sold, booked, left }, { sold: units, booked: units, left: 0 });
      const cells = [buyers, units, sold, booked, left, sold_per_s, p50_ms, p95_ms, p99_ms, again];
      assert.ok(page.includes(`| ${cells.map((cell) => cell.toLocaleString("en-US")).join(" | ")} |`), page);
    }
  }).timeout(120_000);
});
