import assert from "node:assert/strict";
import type { WorkflowHandle } from "@temporalio/client";
import fc from "fast-check";
import { waveWorkflowId } from "../../src/picking/wave.js";
import { problem } from "../../src/platform/problem.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { transferWorkflowId } from "../../src/transfers/workflow.js";
import type { pickWave, transferOrder } from "../../workflows/index.js";
import { LONG_HISTORY } from "../support/servers.js";
import { TransferRows } from "../support/transfer-rows.js";
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

const by = systemActor("test");
const Refused = problem("refused", 409, "not now");

type Handle = WorkflowHandle<typeof transferOrder>;

describe("the workflow of a transfer order", () => {
  const run = workflowEnvironment();
  const request = (rows: TransferRows) => ({ to_id: rows.id }) as Parameters<typeof transferOrder>[2];

  const begin = ({ startCreating }: Running, rows: TransferRows) =>
    startCreating("transferOrder", [rows.id, by, request(rows), false], transferWorkflowId(rows.id));
  /** A transfer order whose rows are there. */
  async function begun(running: Running, rows: TransferRows): Promise<Handle> {
    const { handle, created } = await begin(running, rows);
    await created;
    return handle;
  }
  const steps = {
    startPicking: (handle: Handle) => ask(handle, "startPicking", by),
    submit: (handle: Handle) => ask(handle, "submit", by),
    approve: (handle: Handle) => ask(handle, "approve", 7, by),
    reject: (handle: Handle, reason: string | null = null) => ask(handle, "reject", 7, reason, by),
    shortClose: (handle: Handle) => ask(handle, "shortClose", 3, by),
    cancel: (handle: Handle) => ask(handle, "cancel", by),
    remove: (handle: Handle) => ask(handle, "remove", by),
  };
  const endOf = async (handle: Handle) => (await handle.result()).ended;
  const waveOf = ({ client }: Running, rows: TransferRows) =>
    client.workflow.getHandle<typeof pickWave>(waveWorkflowId(rows.wave.plan.batch_id));
  const approval = { to_approval_id: 7, submitted_by: "ann", submitted_at: "2026-11-23T10:00:00Z", units: 5 };
  /** One whose picks were submitted. */
  function submitted(rows: TransferRows): TransferRows {
    rows.state = {
      ...{ ...rows.state, status: "AWAITING_APPROVAL", units_picked: 5 },
      ...{ approvals: [approval], reminder_ms: 3_600_000 },
    };
    return rows;
  }

  describe("begins", () => {
    it("and fails with a fault, which its first step says too", async () => {
      const rows = new TransferRows();
      rows.doubles.beginTransfer = async () => {
        throw new TypeError("x is not a function");
      };
      await run(rows.doubles, async (running) => {
        const { handle, created } = await begin(running, rows);
        assert.equal(await refusalOf(created), "x is not a function");
        assert.equal(await refusalOf(handle.result()), "x is not a function");
      });
    });

    it("and ends as repeated when its command had made another before", async () => {
      const [rows, before] = [new TransferRows(), new TransferRows()];
      rows.doubles.beginTransfer = before.doubles.beginTransfer;
      await run(rows.doubles, async (running) => {
        const { handle, created } = await begin(running, rows);
        assert.equal(((await created) as { to_id: number }).to_id, before.id);
        assert.equal(await endOf(handle), "repeated");
        assert.match(await detailsOf(handle), new RegExp(`Next:.* see transfer-order-${before.id}`));
      });
    });

    it("from its rows when it is told an id alone, and ends at once when they say so", async () => {
      const rows = new TransferRows();
      await run(rows.doubles, async (running) => {
        submitted(rows);
        const handle = await running.start("transferOrder", [rows.id, by]);
        await until(async () => (await listedAs(handle)).stage === "to approve");
        rows.state.status = "CLOSED";
        const late = await running.start("transferOrder", [rows.id, by]);
        assert.equal(await endOf(late), "closed");
        assert.match(await detailsOf(late), /Why:\*\* its rows say so/);
        assert.deepEqual(rows.asked, ["resume", "resume"]);
      });
    });
  });

  describe("goes on", () => {
    it("with a batch whose process runs already", async () => {
      const rows = new TransferRows();
      await run(rows.doubles, async (running) => {
        const wave = await running.start(
          "pickWave",
          [{ batchId: rows.wave.plan.batch_id }, by],
          waveOf(running, rows).workflowId,
        );
        const handle = await begun(running, rows);
        await steps.startPicking(handle);
        assert.equal((await wave.describe()).status.name, "RUNNING");
        await steps.cancel(handle);
        assert.equal(await endOf(handle), "cancelled");
        assert.equal((await wave.result()).ended, "cancelled");
      });
    });

    it("and tells the batches that beginning to pick released", async () => {
      const [rows, other] = [new TransferRows(), new TransferRows()];
      rows.superseded = [1, other.wave.plan.batch_id];
      const resumeWave = (id: number) => (id === other.wave.plan.batch_id ? other : rows).wave.doubles.resumeWave(id);
      await run({ ...rows.doubles, resumeWave }, async (running) => {
        const earlier = waveOf(running, other);
        await running.start("pickWave", [{ batchId: other.wave.plan.batch_id }, by], earlier.workflowId);
        const handle = await begun(running, rows);
        await steps.startPicking(handle);
        assert.equal((await earlier.result()).ended, "superseded");
        assert.match(await detailsOf(earlier), /Next:.* the stock stays reserved; picking can be started again/);
        await steps.remove(handle);
        assert.equal((await waveOf(running, rows).result()).ended, "cancelled");
        assert.match(await detailsOf(waveOf(running, rows)), /Why:\*\* deleted by system\n/);
      });
    });

    it("after a step that was refused or failed", async () => {
      const rows = submitted(new TransferRows());
      await run(rows.doubles, async (running) => {
        const handle = await begun(running, rows);
        for (const error of [Refused(), new TypeError("x is not a function")]) {
          rows.refuse = error;
          for (const step of Object.values(steps)) assert.equal(await refusalOf(step(handle)), error.message);
        }
        rows.refuse = undefined;
        await steps.approve(handle);
        assert.equal(await endOf(handle), "closed");
      });
    });

    it("and takes nothing back for the answer to a repeated request", async () => {
      const rows = new TransferRows();
      const first = rows.doubles.startTransferPicking(rows.id, by);
      await run({ ...rows.doubles, startTransferPicking: () => first }, async (running) => {
        const handle = await begun(running, rows);
        rows.picked();
        await steps.submit(handle);
        await steps.startPicking(handle);
        assert.deepEqual(await listedAs(handle), { status: "RUNNING", stage: "to approve", outcome: undefined });
        await assert.rejects(waveOf(running, rows).describe(), /not found/i);
      });
    });
  });

  describe("ends", () => {
    it("as cancelled when that is requested in the Temporal UI, with its batch", async () => {
      const rows = new TransferRows();
      await run(rows.doubles, async (running) => {
        const handle = await begun(running, rows);
        await steps.startPicking(handle);
        await handle.cancel();
        await assert.rejects(handle.result());
        assert.equal(rows.state.status, "CANCELLED");
        assert.deepEqual(await listedAs(handle), { status: "CANCELLED", stage: "ended", outcome: "cancelled" });
        assert.match(await detailsOf(handle), /Why:\*\* cancellation was requested in the Temporal UI\n/);
        assert.equal((await waveOf(running, rows).result()).ended, "cancelled");
      });
    });

    it("not when that is requested after something was approved: it says why, and goes on to its end", async () => {
      const rows = submitted(new TransferRows());
      rows.state.units_approved = 1;
      await run(rows.doubles, async (running) => {
        const handle = await begun(running, rows);
        await handle.cancel();
        await until(async () => /which is not possible any more: some of it has arrived/.test(await detailsOf(handle)));
        assert.deepEqual(await listedAs(handle), { status: "RUNNING", stage: "to approve", outcome: undefined });
        await steps.approve(handle);
        assert.equal(await endOf(handle), "closed");
        assert.equal(rows.asked.filter((step) => step === "cancel by operator").length, 1);
      });
    });

    it("with the step that is under way when its cancellation is requested", async () => {
      const rows = submitted(new TransferRows());
      await run(rows.doubles, async (running) => {
        const handle = await begun(running, rows);
        const go = rows.hold();
        // Whether the request is still answered depends on which of the two Temporal records first.
        const approved = steps.approve(handle).catch(() => {});
        await until(() => rows.asked.includes("approve"));
        await handle.cancel();
        go();
        await approved;
        assert.equal(await endOf(handle), "closed");
      });
    });
  });

  describe("while an approval is open", () => {
    it("says when a reminder is due, records it, and says when the next one is", async () => {
      const rows = submitted(new TransferRows());
      rows.state.reminder_ms = 10;
      rows.remindMs = 3_600_000;
      await run(rows.doubles, async (running) => {
        const handle = await begun(running, rows);
        await until(() => rows.lookIds.length === 1);
        assert.deepEqual(rows.lookIds, [`${(await handle.describe()).runId}:remind:1`]);
        await until(async () => /1 approval\(s\) are open for long/.test(await detailsOf(handle)));
        assert.match(await detailsOf(handle), /a reminder is recorded at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
        const [made, first, look, next] = await summariesOf(handle);
        assert.equal(made, "Makes the transfer order and reserves its stock");
        assert.match(String(first), /^Records a reminder of what is still to approve at \d{4}-\d\d-\d\d .* UTC$/);
        assert.equal(look, "Looks which approvals are open, and records a reminder of those that are overdue");
        assert.match(String(next), /^Records a reminder/);
      });
    });

    it("ends as deleted when its rows are gone", async () => {
      const rows = submitted(new TransferRows());
      rows.state.reminder_ms = 10;
      rows.doubles.remindOfApproval = rows.doubles.resumeTransfer = async () => {
        throw Refused();
      };
      await run(rows.doubles, async (running) => {
        for (const told of [false, true]) {
          const handle = await begun(running, rows);
          if (told) await handle.signal("changed");
          assert.equal(await endOf(handle), "deleted");
          rows.renew();
        }
      });
    });

    it("waits for long where reminders are off, and looks at the rows all the same", async () => {
      const rows = submitted(new TransferRows());
      rows.state.reminder_ms = null;
      await run(rows.doubles, async (running) => {
        const handle = await begun(running, rows);
        assert.match(await detailsOf(handle), /no reminder is recorded/);
        await until(async () => /^Looks at the rows again at/.test(String((await summariesOf(handle))[1])));
      });
    });
  });

  it("begins a new history from its rows when its own grew long", async () => {
    const rows = submitted(new TransferRows());
    await run(rows.doubles, async (running) => {
      const handle = await begun(running, rows);
      const { runId } = await handle.describe();
      for (let sent = 0; sent < LONG_HISTORY; sent += 40)
        await Promise.all(Array.from({ length: 40 }, () => handle.signal("changed")));
      const newer = running.client.workflow.getHandle<typeof transferOrder>(handle.workflowId);
      await until(async () => (await newer.describe()).runId !== runId);
      await until(async () => /ann submitted 5 unit/.test(await detailsOf(newer)));
      assert.deepEqual(await listedAs(newer), { status: "RUNNING", stage: "to approve", outcome: undefined });
      await steps.approve(newer);
      assert.equal(await endOf(handle), "closed");
    });
  });

  it("ends as the first step said that ended it, whatever came in whatever order", async () => {
    const rows = new TransferRows();
    const ends: Record<string, string> = {
      ...{ approve: "closed", shortClose: "closed", cancel: "cancelled", remove: "deleted" },
    };
    type Step = keyof typeof steps;
    const names = Object.keys(steps) as Step[];
    await run(rows.doubles, async (running) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom(...names), { maxLength: 5 }),
          fc.constantFrom<Step>("approve", "shortClose", "cancel", "remove"),
          async (before, last) => {
            rows.renew();
            const handle = await begun(running, rows);
            let ended: string | undefined;
            for (const name of [...before, last]) {
              const done = await steps[name](handle).then(
                () => true,
                () => false,
              );
              if (!ended) assert.ok(done, name);
              if (done) ended ??= ends[name];
            }
            assert.equal(await endOf(handle), ended);
            await waveOf(running, rows)
              .terminate()
              .catch(() => {});
          },
        ),
        { numRuns: 12 },
      );
    });
  });
});
