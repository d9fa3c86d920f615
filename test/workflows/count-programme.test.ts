import assert from "node:assert/strict";
import type { MadeCounts } from "../../src/counting/programmes/run.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { until } from "../support/until.js";
import { detailsOf, listedAs, workflowEnvironment } from "../support/workflow-environment.js";

const START = { programme_id: 7, warehouse_code: "NORTH" };
const NONE = { doubt: 0, class_a: 0, class_b: 0, class_c: 0, empty: 0 };

describe("the workflow of a count programme", () => {
  const run = workflowEnvironment();
  const by = systemActor("run");
  const made = (fields: Partial<MadeCounts>): MadeCounts => ({
    ...{ warehouse_id: 1, counts: [], made: NONE, waiting: 0, by },
    seen: { numerator: 83, denominator: 120, percent: "69.16" },
    right: { numerator: 0, denominator: 0, percent: null },
    ...fields,
  });

  it("says what it made and why, what waits, and how much was seen", async () => {
    const counts = [1, 2, 3].map((n) => ({ count_id: 9_000_000 + n, bin_code: `A-${n}` }));
    const asked: unknown[] = [];
    const doubles = {
      makeDueCounts: async (...args: unknown[]) => {
        asked.push(args);
        return made({ counts, made: { ...NONE, doubt: 1, class_a: 1, empty: 1 }, waiting: 40 });
      },
      resumeCount: async (count_id: number) => ({
        ...{ warehouse_id: 1, warehouse_code: "NORTH" },
        counts: [{ count_id, bin_id: 1, bin_code: "A-1", status: "PENDING" as const, lines: 1, assigned_to: null }],
      }),
    };
    await run(doubles, async ({ start, client }) => {
      const handle = await start("countProgramme", [START]);
      assert.deepEqual(await handle.result(), { ended: "completed", counts: 3, waiting: 40 });
      const details = await detailsOf(handle);
      assert.match(details, /Count programme of NORTH has ended: completed\n/);
      assert.match(details, /3 count\(s\) made: 1 by doubt, 1 of class A, 1 empty; 40 bin\(s\) are due and wait\. /);
      assert.match(details, /83 of 120 \(69\.16 %\) bin\(s\); right in 90 days: 0 of 0 line\(s\)\n/);
      assert.deepEqual(await listedAs(handle), { status: "COMPLETED", stage: "ended", outcome: "completed" });
      for (const { count_id } of counts) {
        const count = client.workflow.getHandle(`cycle-count-${count_id}`);
        assert.equal((await count.describe()).status.name, "RUNNING");
        await count.terminate();
      }
    });
    assert.deepEqual(asked, [[7, `${(asked[0] as string[])[1]}`, 0]]);
  });

  it("makes the counts and says so though its cancellation is requested meanwhile", async () => {
    let [began, cancelled] = [false, false];
    const doubles = {
      makeDueCounts: async () => {
        began = true;
        await until(() => cancelled);
        return made({});
      },
    };
    await run(doubles, async ({ start }) => {
      const handle = await start("countProgramme", [START]);
      await until(() => began);
      await handle.cancel();
      cancelled = true;
      assert.deepEqual(await handle.result(), { ended: "completed", counts: 0, waiting: 0 });
      assert.match(await detailsOf(handle), /0 count\(s\) made; 0 bin\(s\) are due and wait/);
    });
  });

  it("makes nothing where the programme or its warehouse is gone or switched off, and says which", async () => {
    for (const [nothing_made, why] of [
      ["deleted", /programme was deleted\n.*no count was made/],
      ["paused", /programme was paused\n.*no count was made/],
      ["warehouse_inactive", /warehouse is not active\n.*once the warehouse is active/],
    ] as const)
      await run({ makeDueCounts: async () => ({ nothing_made }) }, async ({ start }) => {
        const handle = await start("countProgramme", [START]);
        assert.deepEqual(await handle.result(), { ended: "skipped", counts: 0, waiting: 0 });
        assert.match(await detailsOf(handle), why);
      });
  });
});
