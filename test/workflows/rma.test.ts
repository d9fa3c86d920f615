import assert from "node:assert/strict";
import type { WorkflowHandle } from "@temporalio/client";
import fc from "fast-check";
import { systemActor } from "../../src/platform/system-actor.js";
import { OverReturn } from "../../src/returns/problems.js";
import { returnWorkflowId } from "../../src/returns/workflow.js";
import type { rma } from "../../workflows/index.js";
import { ReturnRows } from "../support/return-rows.js";
import { LONG_HISTORY } from "../support/servers.js";
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

const by = { ...systemActor("test"), username: "bob" };
const request = { original_so_id: 1, lines: [{ item_id: 1, quantity: 3 }] };

type Handle = WorkflowHandle<typeof rma>;

describe("the workflow of a return", () => {
  const run = workflowEnvironment();

  const begin = ({ startCreating }: Running, { so_id }: ReturnRows) =>
    startCreating("rma", [so_id, by, request], returnWorkflowId(so_id));
  async function begun(running: Running, rows: ReturnRows): Promise<Handle> {
    const { handle, created } = await begin(running, rows);
    await created;
    return handle;
  }
  const receive = (handle: Pick<Handle, "executeUpdate">, quantity: number) =>
    ask(handle, "receive", { item_id: 1, quantity, warehouse_id: 1, bin_id: 1 }, by);
  const voidIt = (handle: Pick<Handle, "executeUpdate">) => ask(handle, "void", by);
  const endOf = async (handle: Handle) => (await handle.result()).ended;

  it("reads its rows when they were changed without a step of it, and ends where they say so", async () => {
    const rows = new ReturnRows();
    await run(rows.doubles, async (running) => {
      const handle = await begun(running, rows);
      await receive(handle, 2);
      rows.received = 0;
      await handle.signal("changed");
      await until(async () => /waits for 3 unit/.test(await detailsOf(handle)));
      await receive(handle, 1);
      rows.ordered = 1;
      await handle.signal("changed");
      assert.equal(await endOf(handle), "received");
      assert.match(await detailsOf(handle), /its rows say that it was received/);
    });
  });

  it("ends when it is overdue by its rows, and goes on when it is told so too late", async () => {
    const [touched, partly, untouched] = [new ReturnRows(), new ReturnRows(), new ReturnRows()];
    for (const [rows, comes, ended] of [
      [touched, 1, undefined],
      [partly, 1, "received"],
      [untouched, 0, "voided"],
    ] as const)
      await run(rows.doubles, async (running) => {
        const handle = await begun(running, rows);
        if (comes) await receive(handle, comes);
        rows.overdue = ended !== undefined;
        await handle.signal("overdue");
        if (ended === undefined) {
          await until(() => rows.asked.includes("expire"));
          await receive(handle, 2);
          assert.equal(await endOf(handle), "received");
          assert.doesNotMatch(await detailsOf(handle), /30 days/);
        } else {
          assert.equal(await endOf(handle), ended);
          assert.match(await detailsOf(handle), /nothing came for 30 days \(setting returns_expire_days\)/);
        }
      });
  });

  it("passes over the answer to a request that was repeated", async () => {
    const rows = new ReturnRows();
    const { receiveReturn } = rows.doubles;
    let first: Awaited<ReturnType<typeof receiveReturn>> | undefined;
    rows.doubles.receiveReturn = async (input, who) => {
      if (first && input.notes === "again") return first;
      const answer = await receiveReturn(input, who);
      first ??= answer;
      return answer;
    };
    await run(rows.doubles, async (running) => {
      const handle = await begun(running, rows);
      for (const _ of [1, 2]) await receive(handle, 1);
      const before = await detailsOf(handle);
      await ask(handle, "receive", { item_id: 1, quantity: 1, warehouse_id: 1, bin_id: 1, notes: "again" }, by);
      assert.equal(await detailsOf(handle), before);
      await receive(handle, 1);
      assert.equal(await endOf(handle), "received");
      const receives = Array(4).fill("Receives units that came back: stock rises");
      assert.deepEqual(await summariesOf(handle), ["Makes the return", ...receives]);
    });
  });

  it("fails as a fault when its first step is one", async () => {
    const rows = new ReturnRows();
    rows.refuse = new TypeError("broken");
    await run(rows.doubles, async (running) => {
      const { handle, created } = await begin(running, rows);
      assert.match(await refusalOf(created), /broken/);
      assert.match(await refusalOf(handle.result()), /broken/);
    });
  });

  it("is refused without search attributes where it cannot read which ones the namespace lacks", async () => {
    const rows = new ReturnRows();
    rows.refuse = OverReturn({ sku: "MUG", requested: 3, remaining: 1, shipped: 1, returned: 0 });
    let asked = 0;
    const attributesMissingHere = async () => {
      asked++;
      throw new Error("not now");
    };
    await run({ ...rows.doubles, attributesMissingHere }, async (running) => {
      const { handle } = await begin(running, rows);
      assert.match(await refusalOf(handle.result()), /only 1 remaining/);
      assert.deepEqual(await listedAs(handle), { status: "FAILED", stage: undefined, outcome: undefined });
      assert.equal(asked, 8);
    });
  });

  it("ends as repeated when its command had made another return before", async () => {
    const [rows, before] = [new ReturnRows(), new ReturnRows()];
    rows.made = before.state;
    await run(rows.doubles, async (running) => {
      const { handle, created } = await begin(running, rows);
      assert.deepEqual(await created, before.state);
      assert.equal(await endOf(handle), "repeated");
      assert.match(await detailsOf(handle), new RegExp(`see rma-${before.so_id}`));
    });
  });

  it("goes on from its rows when it is told an id alone", async () => {
    const rows = new ReturnRows();
    rows.received = 1;
    await run(rows.doubles, async ({ start }) => {
      const handle = await start("rma", [rows.so_id, by]);
      await receive(handle, 1);
      assert.match(await detailsOf(handle), /waits for 1 unit\(s\): 1 × MUG; 2 unit\(s\) have come/);
      await receive(handle, 1);
      assert.equal(await endOf(handle), "received");
      assert.equal(rows.asked[0], "resume");
    });
  });

  it("ends as its rows say when they have ended, or are gone", async () => {
    const [came, voided, gone] = [new ReturnRows(), new ReturnRows(), new ReturnRows()];
    came.received = 3;
    voided.voided = true;
    gone.refuse = OverReturn();
    for (const [rows, ended] of [
      [came, "received"],
      [voided, "voided"],
      [gone, "refused"],
    ] as const)
      await run(rows.doubles, async ({ start }) => {
        const handle = await start("rma", [rows.so_id, by]);
        assert.equal(await endOf(handle), ended);
        assert.equal((await listedAs(handle)).outcome, ended);
      });
  });

  describe("when its cancellation is requested", () => {
    it("stays when goods have come, asks once, says why, and receives the rest", async () => {
      const rows = new ReturnRows();
      await run(rows.doubles, async (running) => {
        const handle = await begun(running, rows);
        await receive(handle, 1);
        await handle.cancel();
        await until(async () => /refused: Goods of return SO-1-RMA have come/.test(await detailsOf(handle)));
        await receive(handle, 1);
        assert.match(await detailsOf(handle), /and refused: Goods of return SO-1-RMA have come/);
        await receive(handle, 1);
        assert.equal(await endOf(handle), "received");
        assert.equal(rows.asked.filter((one) => one === "void by operator").length, 1);
      });
    });

    it("ends as its rows say when they were voided before", async () => {
      const rows = new ReturnRows();
      await run(rows.doubles, async (running) => {
        const handle = await begun(running, rows);
        rows.voided = true;
        await handle.cancel();
        assert.equal(await endOf(handle), "voided");
        assert.equal((await listedAs(handle)).status, "COMPLETED");
      });
    });
  });

  it("begins a new history from its rows when its own grew long, and loses no part", async () => {
    const rows = new ReturnRows(LONG_HISTORY);
    await run(rows.doubles, async (running) => {
      const handle = await begun(running, rows);
      const newest = running.client.workflow.getHandle<typeof rma>(handle.workflowId);
      let parts = 0;
      while (!rows.asked.includes("resume")) {
        await receive(newest, 1);
        parts++;
      }
      assert.equal(rows.received, parts);
      await until(async () => new RegExp(`; ${parts} unit\\(s\\) have come`).test(await detailsOf(newest)));
      await receive(newest, rows.ordered - parts);
      assert.equal(await endOf(newest), "received");
    });
  });

  it("ends as its rows do, whatever comes in whatever order", async () => {
    const rows = () => new ReturnRows();
    const step = fc.constantFrom("one", "two", "void", "cancel");
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        const mine = rows();
        await run(mine.doubles, async (running) => {
          const handle = await begun(running, mine);
          const done = { one: () => receive(handle, 1), two: () => receive(handle, 2), void: () => voidIt(handle) };
          await Promise.all(
            steps.map((one) => (one === "cancel" ? handle.cancel() : done[one as keyof typeof done]()).catch(() => {})),
          );
          const over = () => mine.voided || mine.received === mine.ordered;
          if (over()) await handle.result().catch(() => {});
          if (!over()) return assert.equal((await listedAs(handle)).status, "RUNNING");
          assert.equal((await listedAs(handle)).outcome, mine.voided ? "voided" : "received");
        });
      }),
      { numRuns: 10 },
    );
  });
});
