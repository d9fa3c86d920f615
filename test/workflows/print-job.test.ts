import assert from "node:assert/strict";
import type { PrintAttempted, PrintEnded } from "../../src/printing/workflow.js";
import { until } from "../support/until.js";
import { detailsOf, listedAs, refusalOf, summariesOf, workflowEnvironment } from "../support/workflow-environment.js";

const again = (attempt: number, wait_ms: number): PrintAttempted => ({
  ...{ why: "No connection", next: { attempt, wait_ms } },
});
const LONG_MS = 7_200_000;

const doubles = {
  describePrint: async () => ({
    ...{ what: "bin label A-01", printer_name: "Bench 1", warehouse_id: 1, warehouse_code: "MAIN", attempts: 0 },
    missing_attributes: [],
  }),
  giveUpPrint: async () => ({ ended: "cancelled" as const, why: null }),
};

describe("the workflow of a print job", () => {
  const run = workflowEnvironment();

  /** Attempts that end like this, one after the other. */
  function attempts(...outcomes: PrintAttempted[]) {
    const asked: number[] = [];
    const attemptPrint = async (jobId: number) => {
      asked.push(jobId);
      return outcomes[asked.length - 1] as PrintAttempted;
    };
    return { asked, activities: { ...doubles, attemptPrint } };
  }

  const outcomeOf = { printed: "printed", stopped: "stopped", gone: "stopped" };
  for (const ended of ["printed", "stopped", "gone"] satisfies PrintEnded[])
    it(`tries until it is told that the job is ${ended}`, async () => {
      const { asked, activities } = attempts(again(2, 50), again(3, 50), { ended, why: null });
      await run(activities, async ({ start }) => {
        const handle = await start("printJob", [7]);
        assert.deepEqual(await handle.result(), { job_id: 7, ended });
        assert.deepEqual(asked, [7, 7, 7]);
        const listed = await listedAs(handle);
        assert.deepEqual([listed.status, listed.stage, listed.outcome], ["COMPLETED", "ended", outcomeOf[ended]]);
        const summaries = await summariesOf(handle);
        assert.ok(summaries.includes("Attempt 3 of 6: prints bin label A-01 on Bench 1"), `${summaries}`);
      });
    });

  it("fails with the reason, and says what to do", async () => {
    const { activities } = attempts({ ended: "failed", why: "The printer has aborted it" });
    await run(activities, async ({ start }) => {
      const handle = await start("printJob", [7]);
      assert.equal(
        await refusalOf(handle.result()),
        "Bench 1 did not print bin label A-01: The printer has aborted it",
      );
      assert.deepEqual(await listedAs(handle), { status: "FAILED", stage: "ended", outcome: "failed" });
      assert.match(await detailsOf(handle), /The printer has aborted it\n.*POST \/api\/printing\/jobs\/7\/again/);
    });
  });

  it("can be read while it waits, from the attempt of its row, and looks at it when it was changed", async () => {
    const { asked, activities } = attempts(again(4, LONG_MS), { ended: "stopped", why: null });
    const describePrint = async () => ({ ...(await doubles.describePrint()), attempts: 2 });
    await run({ ...activities, describePrint }, async ({ start }) => {
      const handle = await start("printJob", [7]);
      await until(async () => /attempt 3 failed: No connection\n.*attempt 4 of 6 at/.test(await detailsOf(handle)));
      assert.equal((await listedAs(handle)).stage, "retrying");
      await handle.signal("changed");
      assert.equal(((await handle.result()) as { ended: string }).ended, "stopped");
      assert.equal(asked.length, 2);
    });
  });

  it("goes on where somebody has it printed again while it ends", async () => {
    const { asked, activities } = attempts({ ended: "failed", why: "No paper" }, { ended: "printed", why: null });
    let signal = async () => {};
    const attemptPrint = async (jobId: number) => {
      if (asked.length === 0) await signal();
      return activities.attemptPrint(jobId);
    };
    await run({ ...activities, attemptPrint }, async ({ start }) => {
      let begun: (() => void) | undefined;
      const ready = new Promise<void>((resolve) => {
        begun = resolve;
      });
      signal = () => ready;
      const handle = await start("printJob", [7]);
      signal = async () => {};
      await handle.signal("changed");
      begun?.();
      assert.equal(((await handle.result()) as { ended: string }).ended, "printed");
    });
  });

  it("gives it up when it is cancelled in the UI, unless it had ended before", async () => {
    for (const [given, expected] of [
      [{ ended: "cancelled" as const, why: null }, "CANCELLED"],
      [{ ended: "printed" as const, why: null }, "COMPLETED"],
    ] as const) {
      const { activities } = attempts(again(2, LONG_MS));
      await run({ ...activities, giveUpPrint: async () => given }, async ({ start }) => {
        const handle = await start("printJob", [7]);
        await until(async () => /waits/.test(await detailsOf(handle)));
        await handle.cancel();
        await handle.result().catch(() => {});
        assert.equal((await listedAs(handle)).status, expected);
      });
    }
  });

  it("fails at once at a fault of ours", async () => {
    const attemptPrint = async () => {
      throw new TypeError("x is not a function");
    };
    await run({ ...doubles, attemptPrint }, async ({ start }) => {
      const handle = await start("printJob", [7]);
      assert.equal(await refusalOf(handle.result()), "Bench 1 has not printed bin label A-01 yet: x is not a function");
    });
  });
});
