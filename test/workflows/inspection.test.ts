import assert from "node:assert/strict";
import { InspectionNotFound } from "../../src/lots/inspections/problems.js";
import { inspectionWorkflowId } from "../../src/lots/inspections/workflow.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { InspectionRows } from "../support/inspection-rows.js";
import { until } from "../support/until.js";
import {
  ask,
  detailsOf,
  listedAs,
  type Running,
  refusalOf,
  summariesOf,
  workflowEnvironment,
} from "../support/workflow-environment.js";

const by = { ...systemActor("test"), username: "rita" };

describe("the workflow of an inspection", () => {
  const run = workflowEnvironment();
  const begin = ({ start }: Running, { inspection_id }: InspectionRows) =>
    start("inspection", [inspection_id, by], inspectionWorkflowId(inspection_id));
  type Handle = Awaited<ReturnType<typeof begin>>;
  const decide = (handle: Handle, quantity: number | null) =>
    ask(handle, "decide", { decision: "release", quantity, reason: "whole" }, by);
  const says = (handle: Handle, what: RegExp) => until(async () => what.test(await detailsOf(handle)));

  it("goes on until all units are decided about, and says what was decided", async () => {
    const rows = new InspectionRows();
    await run(rows.doubles, async (running) => {
      const handle = await begin(running, rows);
      await decide(handle, 2);
      await says(handle, /of MUG in MAIN: 1 unit\(s\) to decide about; release: 2 by rita/);
      assert.match(await detailsOf(handle), /ann put them in quarantine: seal broken/);
      assert.deepEqual(await listedAs(handle), { status: "RUNNING", stage: "to inspect", outcome: undefined });
      await decide(handle, null);
      assert.deepEqual(await handle.result(), { inspection_id: rows.inspection_id, ended: "closed" });
      assert.match(await detailsOf(handle), /has ended: closed.*release: 2 by rita, release: 1 by rita/s);
    });
  });

  it("refuses a decision about more than there is, and goes on", async () => {
    const rows = new InspectionRows();
    await run(rows.doubles, async (running) => {
      const handle = await begin(running, rows);
      await refusalOf(decide(handle, 4));
      assert.equal(rows.open, 3);
      await decide(handle, 3);
      assert.equal((await handle.result()).ended, "closed");
    });
  });

  it("tells again that it waits, and that its time is over, once each", async () => {
    const [waits, overdue] = [new InspectionRows(), new InspectionRows()];
    waits.reminder_ms = 1;
    overdue.deadline_ms = 1;
    for (const [rows, told] of [
      [waits, /a reminder was told/],
      [overdue, /its time is over: that was told/],
    ] as const)
      await run(rows.doubles, async (running) => {
        const handle = await begin(running, rows);
        await says(handle, told);
        assert.deepEqual(rows.asked, ["resume", "remind"]);
        const [, timer, reminder] = await summariesOf(handle);
        assert.match(`${timer}`, /^Tells that the goods still wait for a decision at /);
        assert.equal(reminder, "Tells that the goods still wait for a decision");
        await decide(handle, null);
        assert.equal((await handle.result()).ended, "closed");
      });
  });

  it("reads its rows when they were changed without a step of it, and ends where nothing is left", async () => {
    const rows = new InspectionRows();
    await run(rows.doubles, async (running) => {
      const handle = await begin(running, rows);
      await says(handle, /3 unit\(s\) to decide about/);
      rows.open = 0;
      await handle.signal("changed");
      assert.equal((await handle.result()).ended, "closed");
      assert.match(await detailsOf(handle), /its units are not there any more/);
    });
  });

  it("stays when its cancellation is requested: people decide about goods", async () => {
    const rows = new InspectionRows();
    await run(rows.doubles, async (running) => {
      const handle = await begin(running, rows);
      await says(handle, /3 unit/);
      await handle.cancel();
      await says(handle, /Cancellation was requested in the Temporal UI and refused: people decide about goods/);
      await decide(handle, null);
      assert.equal((await handle.result()).ended, "closed");
    });
  });

  it("ends as refused where there is no such inspection", async () => {
    const rows = new InspectionRows();
    rows.refuse = InspectionNotFound();
    await run(rows.doubles, async (running) => {
      const handle = await begin(running, rows);
      assert.equal((await handle.result()).ended, "refused");
      assert.equal((await listedAs(handle)).outcome, "refused");
    });
  });
});
