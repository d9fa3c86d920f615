import assert from "node:assert/strict";
import { countWorkflowId } from "../../src/counting/workflow.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { recallWorkflowId } from "../../src/recalls/workflow.js";
import { RecallRows } from "../support/recall-rows.js";
import { until } from "../support/until.js";
import {
  ask,
  detailsOf,
  listedAs,
  type Running,
  refusalOf,
  workflowEnvironment,
} from "../support/workflow-environment.js";

const by = { ...systemActor("test"), username: "ann" };
const request = { lot_ids: [7, 8], reason: "glass" };

describe("the workflow of a recall", () => {
  const run = workflowEnvironment();
  const begin = ({ startCreating }: Running, { recall_id }: RecallRows) =>
    startCreating("recall", [recall_id, by, request], recallWorkflowId(recall_id));
  async function begun(running: Running, rows: RecallRows) {
    const { handle, created } = await begin(running, rows);
    await created;
    return handle;
  }
  type Handle = Awaited<ReturnType<typeof begun>>;
  const tell = (handle: Handle) => ask(handle, "tell", { so_ids: [1], how: "by phone" }, by);
  const destroy = (handle: Handle, quantity: number) =>
    ask(handle, "destroy", { inventory_id: 1, quantity, reason: "glass" }, by);
  const close = (handle: Handle) => ask(handle, "close", { force: false }, by);
  const says = (handle: Handle, what: RegExp) => until(async () => what.test(await detailsOf(handle)));

  it("answers once it is open, then holds each lot, and stays open until each unit is accounted for", async () => {
    const rows = new RecallRows();
    await run(rows.doubles, async (running) => {
      const handle = await begun(running, rows);
      await until(() => rows.asked.length === 3);
      assert.deepEqual(rows.asked, ["open", "hold 7", "hold 8"]);
      await says(handle, /3 of 3 unit\(s\) are open \(2 to count, 0 picked for orders, 1 with customers to tell\)/);
      assert.deepEqual(await listedAs(handle), { status: "RUNNING", stage: "recalling", outcome: undefined });
      assert.match(await refusalOf(close(handle)), /3/);

      await tell(handle);
      await destroy(handle, 2);
      await says(handle, /0 of 3 unit\(s\) are open.*1 with customers who were told, 2 destroyed/);
      assert.equal((await listedAs(handle)).stage, "to close");
      await close(handle);
      assert.deepEqual(await handle.result(), { recall_id: rows.recall_id, ended: "closed" });
      assert.match(await detailsOf(handle), /closed by ann/);
    });
  });

  it("starts a count of each bin with units, part by part", async () => {
    const rows = new RecallRows();
    rows.toHold = [];
    rows.binsToCount = [2, 1];
    await run(rows.doubles, async (running) => {
      const handle = await begun(running, rows);
      await until(() => rows.asked.includes("resume"));
      assert.deepEqual(rows.asked, ["open", "count", "count", "resume"]);
      const counts = [1, 2, 3].map((n) => running.client.workflow.getHandle(countWorkflowId(rows.recall_id + n)));
      for (const count of counts) {
        assert.equal((await count.describe()).type, "cycleCount");
        await count.terminate().catch(() => {});
      }
      assert.equal((await listedAs(handle)).status, "RUNNING");
    });
  });

  it("reads its rows when they were changed without a step of it", async () => {
    const rows = new RecallRows();
    rows.toHold = [];
    await run(rows.doubles, async (running) => {
      const handle = await begun(running, rows);
      rows.units = { ...rows.units, to_count: 0, found: 2 };
      await handle.signal("changed");
      await says(handle, /1 of 3 unit\(s\) are open.*2 found/);
      rows.closedBy = "bob";
      await handle.signal("changed");
      assert.equal((await handle.result()).ended, "closed");
    });
  });

  it("when its cancellation is requested, stays while units are open, and else is closed", async () => {
    const [open, settled] = [new RecallRows(), new RecallRows()];
    settled.units = { ...settled.units, to_count: 0, found: 2, to_tell: 0, told: 1 };
    await run(open.doubles, async (running) => {
      const handle = await begun(running, open);
      await handle.cancel();
      await says(handle, /Cancellation was requested in the Temporal UI and refused: units are open/);
      assert.equal(open.asked.filter((one) => one === "close by operator").length, 1);
    });
    await run(settled.doubles, async (running) => {
      const handle = await begun(running, settled);
      await handle.cancel();
      assert.equal((await handle.result()).ended, "closed");
      assert.equal(settled.closedBy, "system");
    });
  });

  it("goes on from its rows when it is told an id alone, and holds what is not held yet", async () => {
    const rows = new RecallRows();
    rows.toHold = [8];
    await run(rows.doubles, async ({ start }) => {
      await start("recall", [rows.recall_id, by]);
      await until(() => rows.asked.length === 2);
      assert.deepEqual(rows.asked, ["resume", "hold 8"]);
    });
  });

  it("ends as repeated when its command had opened another recall before", async () => {
    const [rows, before] = [new RecallRows(), new RecallRows()];
    rows.made = before.state;
    await run(rows.doubles, async (running) => {
      const handle = await begun(running, rows);
      assert.equal((await handle.result()).ended, "repeated");
      assert.match(await detailsOf(handle), new RegExp(`see recall-${before.recall_id}`));
    });
  });

  it("is refused where a lot is unknown", async () => {
    const rows = new RecallRows();
    rows.unknown = true;
    await run(rows.doubles, async (running) => {
      const { handle, created } = await begin(running, rows);
      assert.match(await refusalOf(created), /not found/i);
      await refusalOf(handle.result());
      assert.equal((await listedAs(handle)).outcome, "refused");
    });
  });
});
