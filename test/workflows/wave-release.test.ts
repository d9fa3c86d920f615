import assert from "node:assert/strict";
import type { NotReleased, ReleasedBefore, ScheduledRun } from "../../src/picking/waves/template-run.js";
import { until } from "../support/until.js";
import { detailsOf, listedAs, workflowEnvironment } from "../support/workflow-environment.js";

const START = { template_id: 7, template_name: "Parcels", warehouse_code: "NORTH" };

describe("the workflow of a release by the clock", () => {
  const run = workflowEnvironment();

  /** An activity that releases what is given, run by run; it notes the command ids. */
  function releasing(...runs: (Partial<ScheduledRun> | NotReleased)[]) {
    const asked: string[] = [];
    const told: unknown[] = [];
    const releaseTemplate = async (
      _: number,
      commandId: string,
      _late: number,
      before?: ReleasedBefore,
    ): Promise<ScheduledRun | NotReleased> => {
      const done = runs[asked.length] ?? {};
      asked.push(commandId);
      told.push(before ?? null);
      return "not_released" in done
        ? done
        : { warehouse_id: 1, cut_off_minutes: null, batches: 1, orders: 8, short: 3, ...done };
    };
    return { asked, told, doubles: { releaseTemplate } };
  }

  it("releases once where there is no cut-off, and says how many orders and how many are short", async () => {
    const { asked, doubles } = releasing({});
    await run(doubles, async ({ start }) => {
      const handle = await start("waveRelease", [START]);
      assert.deepEqual(await handle.result(), { ended: "completed", batches: 1, orders: 8, short: 3 });
      assert.match(
        await detailsOf(handle),
        /Parcels in NORTH has ended: completed\n.*released at .*: 8 order\(s\) in 1 batch\(es\), 3 short of stock\n/,
      );
    });
    assert.equal(asked.length, 1);
  });

  it("waits for its cut-off and releases what came in meanwhile, each under a command of its own", async () => {
    const { asked, told, doubles } = releasing({ cut_off_minutes: 0.02 }, { batches: 2, orders: 9, short: 0 });
    await run(doubles, async ({ start }) => {
      const handle = await start("waveRelease", [START]);
      assert.deepEqual(await handle.result(), { ended: "completed", batches: 3, orders: 17, short: 0 });
      assert.match(await detailsOf(handle), /3 short of stock; at the cut-off released at .*: 9 order\(s\)/);
    });
    assert.equal(new Set(asked).size, 2);
    assert.deepEqual(told, [null, { batches: 1, orders: 8 }]);
  });

  it("says what it waits for, and ends in order when its cancellation is requested", async () => {
    const { asked, doubles } = releasing({ cut_off_minutes: 60 });
    await run(doubles, async ({ start }) => {
      const handle = await start("waveRelease", [START]);
      await until(async () => /waits for its cut-off/.test(await detailsOf(handle)));
      assert.match(await detailsOf(handle), /Next:\*\* Releases what came in meanwhile at the cut-off, [\d: -]+UTC/);
      assert.match(await detailsOf(handle), /, unless the template is paused or deleted by then$/);
      assert.deepEqual(await listedAs(handle), { status: "RUNNING", stage: "to release", outcome: undefined });
      await handle.cancel();
      await assert.rejects(handle.result());
      assert.match(
        await detailsOf(handle),
        /has ended: cancelled\n.*Temporal UI; released at .*: 8 order.*\n.*what was released stays/,
      );
      assert.deepEqual(await listedAs(handle), { status: "CANCELLED", stage: "ended", outcome: "cancelled" });
    });
    assert.equal(asked.length, 1);
  });

  it("says when each release was", async () => {
    const { doubles } = releasing({ cut_off_minutes: 0.05 }, {});
    await run(doubles, async ({ start }) => {
      const handle = await start("waveRelease", [START]);
      await handle.result();
      const [first, second] = [...(await detailsOf(handle)).matchAll(/released at ([\d :-]+) UTC/g)].map(
        ([, at]) => at,
      );
      assert.ok(first && second && first < second, `${first}, ${second}`);
    });
  });

  for (const [not_released, why] of [
    ["deleted", /\*\*Why:\*\* the template was deleted/],
    ["paused", /\*\*Why:\*\* the template was paused/],
    ["warehouse_inactive", /\*\*Why:\*\* the warehouse is not active\n.*releases again once the warehouse is active/],
  ] as const)
    it(`releases nothing and says why: ${not_released}`, async () => {
      const { doubles } = releasing({ not_released });
      await run(doubles, async ({ start }) => {
        const handle = await start("waveRelease", [START]);
        assert.deepEqual(await handle.result(), { ended: "skipped", batches: 0, orders: 0, short: 0 });
        assert.match(await detailsOf(handle), why);
      });
    });

  it("says that nothing more was released where the template was deleted before its cut-off", async () => {
    const { doubles } = releasing({ cut_off_minutes: 0.02 }, { not_released: "deleted" });
    await run(doubles, async ({ start }) => {
      const handle = await start("waveRelease", [START]);
      assert.deepEqual(await handle.result(), { ended: "completed", batches: 1, orders: 8, short: 3 });
      assert.match(
        await detailsOf(handle),
        /8 order\(s\) in 1 batch\(es\), 3 short of stock; at the cut-off nothing more: the template was deleted\n/,
      );
    });
  });
});
