import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Published } from "../../bench/pages/figures.js";
import { pages, writePages } from "../../bench/pages/write.js";
import { writeMeasured } from "../../src/launcher/measured.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

describe("the pages of figures", () => {
  const docs = mkdtempSync(join(tmpdir(), "warehouse-pages-"));
  before(() => mkdirSync(`${docs}/figures`));
  after(() => rmSync(docs, { recursive: true }));
  const page = (name: string) => readFileSync(`${docs}/${name}.md`, "utf8");
  const measured = <Name extends keyof Published>(
    name: Name,
    command: string,
    figures: Exclude<Published[Name], undefined> extends { figures: infer Figures } ? Figures : never,
  ) => writeMeasured(`${docs}/figures/${name}.json`, command, figures);

  it("are what the program makes of the figures: `npm run pages` writes them", () => {
    for (const [path, text] of Object.entries(pages(`${root}docs`)))
      assert.equal(readFileSync(path, "utf8"), text, path);
  });

  it("are linked from the README", () => {
    const readme = readFileSync(`${root}README.md`, "utf8");
    for (const name of ["benchmarks", "contention"]) assert.ok(readme.includes(`(docs/${name}.md)`), name);
  });

  it("say how to measure what nobody has measured", () => {
    writePages(docs);
    assert.equal(
      page("contention").match(/^Not measured yet; `npm run bench -- --page --only contention` does\.$/gm)?.length,
      1,
    );
    assert.equal(page("benchmarks").match(/^Not measured yet; /gm)?.length, 4);
    assert.match(page("benchmarks"), /million orders was not measured; `npm run bench -- --house 1000 --page` does/);
  });

  it("tell what was measured, and by which command", () => {
    const row = { p95_ms_c1: 2, p99_ms_c1: 3.5, p95_ms_c16: 5, p99_ms_c16: 6, limit_rps: 2_000, ratio: 0.6 };
    measured("floor", "the floor's command", [
      { name: "lookup", rps: 1_230, p50_ms_c1: 1.5, p50_ms_c16: 4, ...row },
      { name: "order flow", rps: 50, p50_ms_c1: 900, p50_ms_c16: 1_250, ...row },
    ]);
    measured("contention", "the buyers' command", [
      {
        ...{ way: "till", buyers: 64, units: 2_000, sold: 2_000, left: 0, booked: 2_000, again: 7 },
        ...{ sold_per_s: 345, p50_ms: 180, p95_ms: 200, p99_ms: 240 },
      },
    ]);
    measured("recovery", "the cluster's command", { "an API is killed": 2.1 });
    const days = { seed: 7, held: 2, hours: 1, speed: 120, orders_in: 431, orders_shipped: 400, again: 12 };
    measured("simulation", "the days' command", {
      ...days,
      failed: { seed: 9, command: "repeat 9" },
      faults: { "a process is killed": 14 },
      invariants: ["stock is there"],
    });
    writeFileSync(`${docs}/operations.md`, "Before.\n\n<!-- npm run pages -->\nstale\n<!-- end -->\n\nAfter.\n");
    writePages(docs);
    const told = page("benchmarks").replaceAll(/ +/g, " ");
    for (const expected of [
      "| lookup | 1,230 | 1.5 | 3.5 | 4 | 6 | 2,000 | 0.6 |",
      "**180,000 orders an hour**",
      "| an API is killed | 2.1 |",
      "There were 2 from seed 7 on that held, with 431 orders in, 400 shipped,",
      "**Seed 9 failed**: `repeat 9` repeats it.",
      "| a process is killed | 14 |",
      "- stock is there",
      ...["floor's", "cluster's", "days'"].map((whose) => `by \`the ${whose} command\` on `),
    ])
      assert.ok(told.replaceAll("\n", " ").includes(expected), `${expected}\n\n${told}`);
    const buyers = page("contention").replaceAll(/ +/g, " ");
    assert.ok(buyers.includes("| 64 | 2,000 | 2,000 | 2,000 | 0 | 345 | 180 | 200 | 240 | 7 |"), buyers);
    const operations = page("operations").replaceAll(/ +/g, " ");
    assert.match(
      operations,
      /^Before\.\n\n<!-- npm run pages -->\n\n\| What happens .*\n\n<!-- end -->\n\nAfter\.\n$/s,
    );
    assert.ok(operations.includes("| an API is killed | 2.1 |") && !operations.includes("stale"), operations);
  });

  it("compare a house with the smallest warehouse", () => {
    const rest = {
      p95_ms_c1: 2,
      p99_ms_c1: 3,
      p50_ms_c16: 4,
      p95_ms_c16: 5,
      p99_ms_c16: 6,
      limit_rps: 2_000,
      ratio: 1,
    };
    const size = { items: 2_000, bins: 200, purchaseOrders: 500, salesOrders: 2_000, reserves: 0, events: 50_000 };
    writeMeasured(`${docs}/figures/house-1000.json`, "the house's command", {
      ...{ times: 1_000, small: size, large: { ...size, salesOrders: 1_000_000, reserves: 3 } },
      rows: [
        { name: "lookup", rps: 1_000, p50_ms_c1: 1, ...rest },
        { name: "lookup x1000", rps: 900, p50_ms_c1: 1.2, ...rest },
      ],
      lists: { asked: 321, within_30_ms: 320, slowest: [{ path: "/api/admin/items?q=a", first_ms: 31, ms: 9 }] },
    } satisfies Published["houses"][number]["figures"]);
    writePages(docs);
    const told = page("benchmarks").replaceAll(/\s+/g, " ");
    for (const expected of [
      "### A house of 1,000,000 orders",
      "| lookup | 1,000 | 900 | 1 | 1.2 | 1.2 |",
      "320 of 321 came within 30 ms",
      "| `/api/admin/items?q=a` | 31 | 9 |",
    ])
      assert.ok(told.includes(expected), `${expected}\n\n${told}`);
    assert.ok(!told.includes("was not measured"));
  });
});
