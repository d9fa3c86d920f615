import assert from "node:assert/strict";
import type { CollectionAttempted, CollectionEnded, CollectionWait } from "../../src/carriers/collections/workflow.js";
import { until } from "../support/until.js";
import { detailsOf, listedAs, refusalOf, workflowEnvironment } from "../support/workflow-environment.js";

const LONG_MS = 7_200_000;
const waits = (waits_for: CollectionWait, wait_ms: number): CollectionAttempted => ({
  ...{ why: "14 of 20 loaded", next: { attempt: 1, wait_ms, waits_for } },
});
const again = (attempt: number, wait_ms: number): CollectionAttempted => ({
  ...{ why: "No connection", next: { attempt, wait_ms } },
});

const describeCollection = async () => ({
  ...{ what: "collection of UPS on 2026-05-06", warehouse_id: 1, warehouse_code: "MAIN", attempts: 0 },
  missing_attributes: [],
});

describe("the workflow of a collection", () => {
  const run = workflowEnvironment();

  /** Attempts that end like this, one after the other. */
  function attempts(...outcomes: CollectionAttempted[]) {
    const asked: number[] = [];
    const attemptManifest = async (collectionId: number) => {
      asked.push(collectionId);
      return outcomes[asked.length - 1] as CollectionAttempted;
    };
    return { asked, activities: { describeCollection, attemptManifest } };
  }

  const outcomeOf = { collected: "collected", empty: "stopped", gone: "stopped" };
  for (const ended of ["collected", "empty", "gone"] satisfies CollectionEnded[])
    it(`waits for its cut-off, its manifest and the truck until it is ${ended}`, async () => {
      const { asked, activities } = attempts(waits("cut_off", 50), again(2, 50), waits("truck", 50), {
        ...{ ended, why: null },
      });
      await run(activities, async ({ start }) => {
        const handle = await start("carrierCollection", [7]);
        assert.deepEqual(await handle.result(), { collection_id: 7, ended });
        assert.deepEqual(asked, [7, 7, 7, 7]);
        const listed = await listedAs(handle);
        assert.deepEqual([listed.status, listed.stage, listed.outcome], ["COMPLETED", "ended", outcomeOf[ended]]);
      });
    });

  it("fails with the reason where the carrier refuses the manifest", async () => {
    const { activities } = attempts({ ended: "manifest_failed", why: "Refunded shipments cannot be added" });
    await run(activities, async ({ start }) => {
      const handle = await start("carrierCollection", [7]);
      assert.equal(
        await refusalOf(handle.result()),
        "the manifest of collection of UPS on 2026-05-06 was not made: Refunded shipments cannot be added",
      );
      assert.deepEqual(await listedAs(handle), { status: "FAILED", stage: "ended", outcome: "failed" });
    });
  });

  for (const [waitsFor, where, next] of [
    ["cut_off", "takes labels until its cut-off", "its manifest is asked for at"],
    ["closing", "takes labels until somebody closes it", "its row is read again at"],
    ["truck", "has its manifest and waits for the truck", "its row is read again at"],
  ] as const)
    it(`says that it ${where}, and looks at its row when told`, async () => {
      const { asked, activities } = attempts(waits(waitsFor, LONG_MS), { ended: "collected", why: null });
      await run(activities, async ({ start }) => {
        const handle = await start("carrierCollection", [7]);
        await until(async () => (await detailsOf(handle)).includes(where));
        const details = await detailsOf(handle);
        assert.ok(details.includes(next) && /14 of 20 loaded at \d{4}-.* UTC\n/.test(details), details);
        assert.equal((await listedAs(handle)).stage, "collecting");
        await handle.signal("changed");
        await handle.result();
        assert.equal(asked.length, 2);
      });
    });

  it("says why the carrier made no manifest, and when it is asked again; ends when it is cancelled", async () => {
    const { activities } = attempts(again(2, LONG_MS));
    await run(activities, async ({ start }) => {
      const handle = await start("carrierCollection", [7]);
      await until(async () => /attempt 1 failed: No connection\n.*attempt 2 of/.test(await detailsOf(handle)));
      assert.equal((await listedAs(handle)).stage, "retrying");
      await handle.cancel();
      await handle.result().catch(() => {});
      assert.equal((await listedAs(handle)).status, "CANCELLED");
    });
  });
});
