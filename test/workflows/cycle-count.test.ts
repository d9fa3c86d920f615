import assert from "node:assert/strict";
import type { WorkflowHandle } from "@temporalio/client";
import fc from "fast-check";
import { CountNotOpen, OwnCount } from "../../src/counting/problems.js";
import type { CountSubmitted } from "../../src/counting/shapes.js";
import { type CountReviewed, countWorkflowId } from "../../src/counting/workflow.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { CountId, WarehouseCode, WarehouseId } from "../../src/platform/temporal/search-attributes.js";
import type { cycleCount } from "../../workflows/index.js";
import { CountRows } from "../support/count-rows.js";
import { until } from "../support/until.js";
import {
  ask,
  detailsOf,
  listedAs,
  type Running,
  refusalOf,
  workflowEnvironment,
} from "../support/workflow-environment.js";

const by = systemActor("test");

type Handle = WorkflowHandle<typeof cycleCount>;

describe("the workflow of a cycle count", () => {
  const run = workflowEnvironment();

  const begin = ({ startCreating }: Running, { ids }: CountRows) => {
    const [id] = ids as [number];
    const request = { warehouseId: 1, binIds: [1], countIds: ids };
    const args: Parameters<typeof cycleCount> = [id, by, request];
    return startCreating("cycleCount", args, countWorkflowId(id));
  };
  async function begun(running: Running, rows: CountRows): Promise<Handle> {
    const { handle, created } = await begin(running, rows);
    await created;
    return handle;
  }
  /** A submission in which so many lines differ. */
  const submit = (handle: Handle, differing: number) =>
    ask(
      handle,
      "submit",
      Array.from({ length: differing }, () => ({ counted_quantity: 1, unexpected: false })),
      by,
    );
  const decide = (handle: Handle, decision: "approve" | "reject", ids?: number[]) =>
    ask(handle, decision, by, ...(ids ? [ids] : []));
  const endOf = async (handle: Handle) => (await handle.result()).ended;

  describe("begins", () => {
    it("with counts that it makes, which are the answer of its first step", async () => {
      const rows = new CountRows();
      await run(rows.doubles, async (running) => {
        const { handle, created } = await begin(running, rows);
        assert.deepEqual(await created, rows.made);
        assert.match(
          await detailsOf(handle),
          new RegExp(
            `Where:.* Count ${rows.ids[0]} of bin A-1 in MAIN is to be counted: 2 item.*\\n.*Why:` +
              ".* system asked for it\\n.*Next:.* ann counts and submits; there is no time limit",
          ),
        );
        assert.deepEqual(await listedAs(handle), { status: "RUNNING", stage: "counting", outcome: undefined });
        const { typedSearchAttributes: found } = await handle.describe();
        assert.deepEqual(
          [found.get(WarehouseId), found.get(CountId), found.get(WarehouseCode)],
          [1, rows.ids[0], "MAIN"],
        );
      });
    });

    it("and starts a process for each of the other counts, which outlives it", async () => {
      const rows = new CountRows(3);
      await run(rows.doubles, async (running) => {
        const handle = await begun(running, rows);
        const others = rows.ids
          .slice(1)
          .map((id) => running.client.workflow.getHandle<typeof cycleCount>(countWorkflowId(id)));
        await until(() => rows.asked.length === 3);
        await submit(handle, 0);
        assert.equal(await endOf(handle), "no variance");
        for (const [i, other] of others.entries()) {
          const described = await other.describe();
          assert.equal(described.status.name, "RUNNING");
          assert.equal(await described.staticSummary(), `Count ${rows.ids[i + 1]} of bin A-${i + 2}, by system`);
          await other.terminate();
        }
        assert.deepEqual(rows.asked.toSorted(), [
          "create",
          ...rows.ids
            .slice(1)
            .map((id) => `resume ${id}`)
            .toSorted(),
        ]);
      });
    });

    it("and lets another's process be that is there already", async () => {
      const rows = new CountRows(2);
      const [, second] = rows.ids as [number, number];
      await run(rows.doubles, async (running) => {
        const other = await running.start("cycleCount", [second, by], countWorkflowId(second));
        await until(() => rows.asked.length === 1);
        const handle = await begun(running, rows);
        await submit(handle, 0);
        assert.equal(await endOf(handle), "no variance");
        assert.equal((await other.describe()).status.name, "RUNNING");
      });
    });

    it("and ends as repeated when its command had made other counts before", async () => {
      const [rows, before] = [new CountRows(), new CountRows()];
      rows.made = before.made;
      await run(rows.doubles, async (running) => {
        const { handle, created } = await begin(running, rows);
        assert.deepEqual(await created, before.made);
        assert.equal(await endOf(handle), "repeated");
      });
    });

    it("from its rows when it is told an id alone", async () => {
      const rows = new CountRows();
      const [id] = rows.ids as [number];
      await run(rows.doubles, async (running) => {
        const handle = await running.start("cycleCount", [id, by]);
        await submit(handle, 0);
        assert.equal(await endOf(handle), "no variance");
        assert.deepEqual(rows.asked, [`resume ${id}`]);
      });
    });

    it("for a decision that the rows know before it: what the decision says counts", async () => {
      const rows = new CountRows();
      const [id] = rows.ids as [number];
      const { resumeCount } = rows.doubles;
      let decided = false;
      rows.doubles.resumeCount = async (countId) => {
        if (decided) throw CountNotOpen({ status: "COMPLETED" });
        return resumeCount(countId);
      };
      const approveCount = async () => {
        decided = true;
        return { resolved: 1, pending: 0, approved: 1 };
      };
      await run({ ...rows.doubles, approveCount }, async (running) => {
        const handle = await running.start("cycleCount", [id, by]);
        assert.deepEqual(await decide(handle, "approve"), { resolved: 1, pending: 0, approved: 1 });
        assert.equal(await endOf(handle), "approved");
      });
    });
  });

  describe("ends", () => {
    it("as approved when one adjustment was, whatever became of the others", async () => {
      const rows = new CountRows();
      await run(rows.doubles, async (running) => {
        const handle = await begun(running, rows);
        await submit(handle, 3);
        assert.deepEqual(await decide(handle, "approve", [2]), { resolved: 1, pending: 2, approved: 1 });
        await decide(handle, "reject", [1]);
        await decide(handle, "reject");
        assert.deepEqual(await handle.result(), { count_id: rows.ids[0], ended: "approved" });
      });
    });

    it("only with a step that is done: after a refused one it goes on", async () => {
      const rows = new CountRows();
      await run(rows.doubles, async (running) => {
        const handle = await begun(running, rows);
        assert.match(await refusalOf(decide(handle, "approve")), /nothing to decide yet/);
        await submit(handle, 1);
        assert.match(
          await detailsOf(handle),
          /waits for an admin's decision\n.*Why:\*\* 1 of 2 line\(s\) differ, counted by system\n.*Next:\*\* an admin/,
        );
        assert.equal((await listedAs(handle)).stage, "to review");
        rows.refuse = OwnCount();
        assert.match(await refusalOf(decide(handle, "approve")), /other than its counter/);
        rows.refuse = undefined;
        assert.equal(await refusalOf(submit(handle, 0)), "Cycle count is VARIANCE");
        await decide(handle, "reject");
        assert.equal(await endOf(handle), "rejected");
      });
    });

    it("as its rows say, whatever was asked in whatever order", async () => {
      const step = fc.oneof(
        fc.record({ does: fc.constant("submit"), differing: fc.nat(3) }),
        fc.record({
          does: fc.constantFrom("approve", "reject"),
          ids: fc.option(fc.subarray([1, 2, 3]), { nil: undefined }),
        }),
      );
      const rows = new CountRows();
      await run(rows.doubles, async (running) => {
        await fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 7 }), async (steps) => {
            rows.renew();
            const handle = await begun(running, rows);
            let ended: string | undefined;
            for (const one of steps) {
              const asked =
                "differing" in one ? submit(handle, one.differing) : decide(handle, one.does as "approve", one.ids);
              const done = await asked.then(
                (answer) => answer as CountReviewed & CountSubmitted,
                () => undefined,
              );
              assert.ok(!(ended && done), "a step of what has ended");
              if (done?.status === "COMPLETED") ended = "no variance";
              if (done?.pending === 0) ended = done.approved > 0 ? "approved" : "rejected";
            }
            if (ended) assert.equal(await endOf(handle), ended);
            else assert.equal((await handle.describe()).status.name, "RUNNING");
          }),
          { numRuns: 15 },
        );
      });
    });
  });
});
