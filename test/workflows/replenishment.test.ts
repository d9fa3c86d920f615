import assert from "node:assert/strict";
import type { Looked, WaitingReleased } from "../../src/picking/replenishment/workflow.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { until } from "../support/until.js";
import { detailsOf, listedAs, workflowEnvironment } from "../support/workflow-environment.js";

const LOOKED = { warehouse_code: "NORTH", faces: 2, open: 12, urgent: 3, made: 1, waves: 0, look_ms: 3_600_000 };
const BY = systemActor("test");

describe("the workflow of a warehouse's replenishment", () => {
  const run = workflowEnvironment();

  /** Activities that find what is given, look by look (the last one again and again); they note their command ids. */
  function looking(looks: Partial<Looked>[], releases: Partial<WaitingReleased>[] = []) {
    const asked: string[] = [];
    let releasing = 0;
    const lookForReplenishment = async (_: number, commandId: string): Promise<Looked> => {
      const found = looks[Math.min(asked.length, looks.length - 1)];
      asked.push(commandId);
      return { ...LOOKED, ...found };
    };
    const releaseWaitingWaves = async (): Promise<WaitingReleased> => ({
      ...{ released: 0, batches: 0, waves: 1 },
      ...releases[Math.min(releasing++, releases.length - 1)],
    });
    return { asked, doubles: { lookForReplenishment, releaseWaitingWaves }, released: () => releasing };
  }
  const EMPTY = { faces: 0, open: 0, urgent: 0, made: 0, waves: 0 };

  it("says what its looks found, looks again by its timer, and ends without faces", async () => {
    const { asked, doubles } = looking([{ look_ms: 30 }, { look_ms: 30 }, EMPTY]);
    await run(doubles, async ({ start }) => {
      const handle = await start("replenishment", [1, BY]);
      assert.deepEqual(await handle.result(), { warehouse_id: 1, ended: "completed" });
      assert.match(await detailsOf(handle), /Replenishment of NORTH has ended: completed\n.*has no pick face/);
    });
    assert.equal(asked.length, 3);
    assert.equal(new Set(asked).size, 3);
  });

  it("looks at once when it is told, and says when it looks next", async () => {
    const { asked, doubles } = looking([{}, EMPTY]);
    await run(doubles, async ({ start }) => {
      const handle = await start("replenishment", [1, BY]);
      await until(async () => /12 task\(s\) open, 3 urgent, 0 wave\(s\) wait/.test(await detailsOf(handle)));
      assert.match(
        await detailsOf(handle),
        /Next:\*\* Looks at the pick faces again at .*, or when a task ends or a release waits for one/,
      );
      assert.deepEqual(await listedAs(handle), { status: "RUNNING", stage: "to replenish", outcome: undefined });
      assert.equal(asked.length, 1);
      await handle.signal("changed");
      assert.deepEqual(await handle.result(), { warehouse_id: 1, ended: "completed" });
    });
  });

  it("releases the waves that wait, and says how many went on", async () => {
    const { doubles, released } = looking([{ waves: 2 }, EMPTY], [{ released: 1, batches: 3, waves: 1 }]);
    await run(doubles, async ({ start }) => {
      const handle = await start("replenishment", [1, BY]);
      await until(async () => /1 wave\(s\) went on in 3 batch\(es\)/.test(await detailsOf(handle)));
      assert.match(await detailsOf(handle), /1 wave\(s\) wait/);
      await handle.signal("changed");
      await handle.result();
    });
    assert.equal(released(), 1);
  });

  it("waits for half a day where only what is told counts", async () => {
    const { doubles } = looking([{ look_ms: null }, EMPTY]);
    await run(doubles, async ({ start }) => {
      const handle = await start("replenishment", [1, BY]);
      await until(async () => /Looks at the pick faces again/.test(await detailsOf(handle)));
      await handle.signal("changed");
      await handle.result();
    });
  });

  it("stays when its cancellation is requested, and says why", async () => {
    const { doubles } = looking([{}, {}, EMPTY]);
    await run(doubles, async ({ start }) => {
      const handle = await start("replenishment", [1, BY]);
      await until(async () => /12 task/.test(await detailsOf(handle)));
      await handle.cancel();
      await until(async () => /refused: the warehouse has pick faces/.test(await detailsOf(handle)));
      await handle.signal("changed");
      assert.deepEqual(await handle.result(), { warehouse_id: 1, ended: "completed" });
    });
  });
});
