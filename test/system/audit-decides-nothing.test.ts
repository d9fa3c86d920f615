import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The files whose SQL names the audit log, and why: they write it, keep it or show it. */
const allowed: Record<string, string> = {
  "activities/command.ts": "writes it",
  "activities/outbound/sequencer.ts": "seals it",
  "src/platform/db/application-role.ts": "grants to the service what it may do with it",
  "src/sales-orders/next-step.ts": "shows who cancelled an order",
  "src/sales-orders/why.ts": "shows who holds an order, and who made its wave",
  "src/sales-orders/story.ts": "shows what was done with an order",
  "src/picking/admin-queries.ts": "shows short picks",
  "src/reports/dashboard/day.ts": "shows what was done in a day",
  "src/reports/dashboard/productivity.ts": "shows who did how much",
  "src/reports/dashboard/summary.ts": "shows how many short picks there were",
};

describe("the audit log", () => {
  it("decides nothing: other facts have tables of their own", () => {
    const found = ["activities", "src", "api", "workers"]
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
      )
      .filter((name) => name.endsWith(".ts") && !name.startsWith("src/reports/audit/"))
      .filter((name) => /(?<![\w'"`.])audit_log\b(?!\.)/.test(readFileSync(join(root, name), "utf8")));
    assert.deepEqual(found.sort(), Object.keys(allowed).sort());
  });
});
