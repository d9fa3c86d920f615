import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import type { WorkflowHandle } from "@temporalio/client";
import fc from "fast-check";
import pg from "pg";
import { BatchNotActive, TasksPending } from "../../src/picking/problems.js";
import { type Scan, type WaveRequest, type WaveStarted, waveWorkflowId } from "../../src/picking/wave.js";
import { systemActor } from "../../src/system-actor.js";
import { BatchId, SoNumbers, WarehouseId } from "../../src/temporal/search-attributes.js";
import type { pickWave } from "../../workflows/index.js";
import { LONG_HISTORY } from "../support/servers.js";
import { until } from "../support/until.js";
import { WaveRows } from "../support/wave-rows.js";
import { ask, detailsOf, type Running, refusalOf, workflowEnvironment } from "../support/workflow-environment.js";

const by = systemActor("test");
const databaseError = (code: string) => Object.assign(new pg.DatabaseError(code, 0, "error"), { code });
const scan = (remaining_tasks: number): Scan => ({
  ...{ pick_task_id: 1, status: "PICKED", sku: "MUG", bin_code: "A-1" },
  ...{ quantity_picked: 2, remaining_tasks, by: "ann" },
});

describe("the workflow of a wave", () => {
  const run = workflowEnvironment();

  const begin = ({ startCreating }: Running, { request }: WaveRows) =>
    startCreating("pickWave", [request, by], waveWorkflowId(request.batchId));
  /** A wave whose rows are there. */
  async function begun(running: Running, wave: WaveRows): Promise<Handle> {
    const { handle, created } = await begin(running, wave);
    await created;
    return handle;
  }
  type Handle = WorkflowHandle<typeof pickWave>;
  const complete = (handle: Handle, scans?: Scan[]) => ask(handle, "complete", by, ...(scans ? [scans] : []));
  const cancel = (handle: Handle) => ask(handle, "cancel", by);
  const endOf = async (handle: Handle) => (await handle.result()).ended;

  describe("begins", () => {
    it("with a wave that it makes, which is the answer of its first step", async () => {
      const wave = new WaveRows();
      await run(wave.doubles, async (running) => {
        const { handle, created } = await begin(running, wave);
        assert.deepEqual(await created, wave.plan);
        assert.deepEqual(wave.asked, ["create"]);
        assert.equal(await detailsOf(handle), "1 pick(s), 2 unit(s) for SO-1");
        const { typedSearchAttributes: found } = await handle.describe();
        assert.deepEqual(
          [found.get(BatchId), found.get(WarehouseId), found.get(SoNumbers)],
          [wave.request.batchId, 1, ["SO-1"]],
        );
      });
    });

    it("and ends at once as refused, when the wave is; the first step says why", async () => {
      const wave = new WaveRows();
      wave.doubles.createWave = async () => {
        throw BatchNotActive({}, { status: "COMPLETED" });
      };
      await run(wave.doubles, async (running) => {
        const { handle, created } = await begin(running, wave);
        assert.equal(await refusalOf(created), "batch_not_active");
        assert.equal(await endOf(handle), "refused");
      });
    });

    it("again when an attempt to make the wave failed for another reason", async () => {
      const wave = new WaveRows();
      const { createWave } = wave.doubles;
      let attempts = 0;
      wave.doubles.createWave = (...args) =>
        ++attempts < 3 ? Promise.reject(new Error("connection lost")) : createWave(...args);
      await run(wave.doubles, async (running) => {
        const { created } = await begin(running, wave);
        assert.deepEqual(await created, wave.plan);
      });
    });

    it("and ends as repeated when its command had made another wave before", async () => {
      const [wave, before] = [new WaveRows(), new WaveRows()];
      wave.doubles.createWave = async () => before.plan;
      await run(wave.doubles, async (running) => {
        const { handle, created } = await begin(running, wave);
        assert.deepEqual(await created, before.plan);
        assert.equal(await endOf(handle), "repeated");
      });
    });

    it("from its rows when it is told a batch id alone", async () => {
      const wave = new WaveRows();
      await run(wave.doubles, async (running) => {
        const { batchId } = wave.request;
        const handle = await running.start("pickWave", [{ batchId }, by]);
        await complete(handle);
        assert.equal(await endOf(handle), "completed");
        assert.deepEqual(wave.asked.toSorted(), ["complete", "resume"]);
      });
    });
  });

  describe("ends", () => {
    it("as completed, with what the step answered, and the last scans", async () => {
      const wave = new WaveRows();
      await run(wave.doubles, async (running) => {
        const handle = await begun(running, wave);
        const { message } = (await complete(handle, [scan(1), scan(0)])) as {
          message: string;
        };
        assert.equal(message, "Completed");
        assert.deepEqual(await handle.result(), {
          ...{ batch_id: wave.request.batchId, ended: "completed" },
        });
        assert.equal(await detailsOf(handle), "0 pick(s) to go. Last: 2 × MUG at A-1, PICKED, by ann");
      });
    });

    it("as cancelled", async () => {
      const wave = new WaveRows();
      await run(wave.doubles, async (running) => {
        const handle = await begun(running, wave);
        assert.deepEqual(await cancel(handle), { message: "Cancelled" });
        assert.equal(await endOf(handle), "cancelled");
      });
    });

    it("only with a step that is done: after a refused one it goes on", async () => {
      const wave = new WaveRows();
      await run(wave.doubles, async (running) => {
        const handle = await begun(running, wave);
        wave.refuse = TasksPending({ count: 1 });
        assert.equal(await refusalOf(complete(handle)), "1 pick task(s) are still pending");
        assert.match(await refusalOf(cancel(handle)), /still pending/);
        wave.refuse = undefined;
        await complete(handle);
        assert.equal(await endOf(handle), "completed");
      });
    });

    it("as superseded when a newer wave says so", async () => {
      const wave = new WaveRows();
      await run(wave.doubles, async (running) => {
        const handle = await begun(running, wave);
        await handle.signal("superseded", 1);
        assert.equal(await endOf(handle), "superseded");
      });
    });

    it("when an operator cancels it, and can be started again from its rows", async () => {
      const wave = new WaveRows();
      await run(wave.doubles, async (running) => {
        const handle = await begun(running, wave);
        await handle.cancel();
        await assert.rejects(handle.result());
        assert.equal((await handle.describe()).status.name, "CANCELLED");
        const { batchId } = wave.request;
        const again = await running.start("pickWave", [{ batchId }, by]);
        await complete(again);
        assert.equal(await endOf(again), "completed");
      });
    });
  });

  it("shows the last of the scans that it is told, also one by itself as up to version 0.1.0", async () => {
    const wave = new WaveRows();
    await run(wave.doubles, async (running) => {
      const handle = await begun(running, wave);
      const toGo = async () => (await detailsOf(handle)).slice(0, 1);
      await handle.signal("scanned", [scan(3), scan(2)]);
      assert.equal(await toGo(), "2");
      await handle.signal("scanned", scan(1));
      assert.equal(await toGo(), "1");
      await handle.signal("scanned", []);
      assert.equal(await toGo(), "1");
    });
  });

  it("tells the waves that it superseded, and goes on where one is gone", async () => {
    const wave = new WaveRows();
    const earlier = new WaveRows();
    const gone = randomInt(2 ** 40);
    wave.plan.superseded = [gone, earlier.request.batchId];
    const doubles = {
      ...wave.doubles,
      createWave: (request: WaveRequest) =>
        Promise.resolve([wave, earlier].find((one) => one.request.batchId === request.batchId)?.plan as WaveStarted),
    };
    await run(doubles, async (running) => {
      const before = await begun(running, earlier);
      const handle = await begun(running, wave);
      assert.equal(await endOf(before), "superseded");
      await complete(handle);
      assert.equal(await endOf(handle), "completed");
    });
  });

  describe("whose step fails", () => {
    it("for a fault of the program or the database fails the step at once, and goes on", async () => {
      const faults = [
        new TypeError("x is not a function"),
        new assert.AssertionError({ message: "no batch" }),
        databaseError("42P01"),
        databaseError("23514"),
      ];
      for (const fault of faults) {
        const wave = new WaveRows();
        await run(wave.doubles, async (running) => {
          const handle = await begun(running, wave);
          wave.refuse = fault;
          assert.equal(await refusalOf(complete(handle)), fault.message);
          assert.deepEqual(wave.asked, ["create", "complete"]);
          wave.refuse = undefined;
          await complete(handle);
          assert.equal(await endOf(handle), "completed");
        });
      }
    });

    it("as it begins fails with the fault, which its first step says too", async () => {
      const wave = new WaveRows();
      wave.doubles.createWave = async () => {
        throw databaseError("42703");
      };
      await run(wave.doubles, async (running) => {
        const { handle, created } = await begin(running, wave);
        assert.equal(await refusalOf(created), "42703");
        assert.equal(await refusalOf(handle.result()), "42703");
      });
    });

    it("for anything else shows that it waits and why, and does the step in the end", async () => {
      for (const failure of [databaseError("55P03"), new Error("connection lost")]) {
        const wave = new WaveRows();
        await run(wave.doubles, async (running) => {
          const handle = await begun(running, wave);
          wave.refuse = failure;
          const done = complete(handle);
          const pending = async () => (await handle.describe()).raw.pendingActivities?.[0];
          await until(async () => Boolean((await pending())?.lastFailure));
          const waits = await pending();
          assert.deepEqual([waits?.activityType?.name, waits?.lastFailure?.message], ["completeWave", failure.message]);
          wave.refuse = undefined;
          await done;
          assert.equal(await endOf(handle), "completed");
        });
      }
    });
  });

  describe("left idle", () => {
    it("looks at its rows, again for as long as they tell of scans, and ends as they say", async () => {
      const wave = new WaveRows(10);
      await run(wave.doubles, async (running) => {
        for (const ended of ["idle", "completed", "cancelled"] as const) {
          wave.renew();
          wave.looks = [{ again_ms: 10 }, { again_ms: 20 }, { ended, again_ms: null }];
          const handle = await begun(running, wave);
          assert.equal(await endOf(handle), ended);
          const { runId } = await handle.describe();
          assert.deepEqual(
            wave.lookIds.splice(0),
            [1, 2, 3].map((n) => `${runId}:idle:${n}`),
            "each look is a command of its own",
          );
        }
      });
    });

    it("waits for long where idle waves are not let go, whether from the start or since", async () => {
      for (const idle_ms of [null, 10]) {
        const wave = new WaveRows(idle_ms);
        wave.looks = [{ again_ms: null }];
        await run(wave.doubles, async (running) => {
          const handle = await begun(running, wave);
          const timers = async () =>
            ((await handle.fetchHistory()).events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
              timer ? [Number(timer.startToFireTimeout?.seconds)] : [],
            );
          await until(async () => (await timers()).at(-1) === 12 * 3_600);
          assert.equal(wave.lookIds.length, idle_ms ? 1 : 0);
        });
      }
    });
  });

  it("begins a new history from its rows when its own grew long, once no step is under way", async () => {
    const wave = new WaveRows();
    await run(wave.doubles, async (running) => {
      const handle = await begun(running, wave);
      const go = wave.hold();
      wave.refuse = TasksPending({ count: 1 });
      const step = refusalOf(complete(handle));
      await until(() => wave.asked.includes("complete"));
      for (let sent = 0; sent < LONG_HISTORY; sent += 40)
        await Promise.all(Array.from({ length: 40 }, () => handle.signal("scanned", [scan(1)])));
      assert.ok(!wave.asked.includes("resume"));
      go();
      assert.match(await step, /still pending/);
      wave.refuse = undefined;
      await until(() => wave.asked.includes("resume"));
      await complete(running.client.workflow.getHandle<typeof pickWave>(handle.workflowId));
      assert.equal(await endOf(handle), "completed");
    });
  });

  it("ends as the first step said that was done, whatever came in whatever order", async () => {
    const wave = new WaveRows();
    const steps = {
      complete: (handle: Handle) => complete(handle),
      cancel,
      "refused complete": (handle: Handle) => complete(handle),
      superseded: (handle: Handle) => handle.signal("superseded", 1),
      scanned: (handle: Handle) => handle.signal("scanned", [scan(1)]),
    };
    type Step = keyof typeof steps;
    const ends: Partial<Record<Step, string>> = {
      ...{ complete: "completed", cancel: "cancelled" },
      superseded: "superseded",
    };
    const names = Object.keys(steps) as Step[];
    await run(wave.doubles, async (running) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom(...names), { maxLength: 6 }),
          fc.constantFrom<Step>("complete", "cancel", "superseded"),
          async (before, last) => {
            wave.renew();
            const handle = await begun(running, wave);
            let ended: string | undefined;
            for (const name of [...before, last]) {
              wave.refuse = name === "refused complete" ? TasksPending({ count: 1 }) : undefined;
              const done = await steps[name](handle).then(
                () => true,
                () => false,
              );
              if (ended) assert.ok(!done || !(name in ends), `${name} again`);
              else assert.equal(done, name !== "refused complete");
              if (done) ended ??= ends[name];
              // A signal is not waited for.
              if (name === "superseded") await handle.result();
            }
            assert.equal(await endOf(handle), ended);
          },
        ),
        { numRuns: 15 },
      );
    });
  });

  it("ends once when everything is asked at the same time", async () => {
    const wave = new WaveRows();
    await run(wave.doubles, async (running) => {
      for (let round = 0; round < 5; round++) {
        wave.renew();
        const handle = await begun(running, wave);
        const steps = await Promise.allSettled([
          ...[complete(handle), cancel(handle), complete(handle)],
          cancel(handle),
        ]);
        const done = steps.filter(({ status }) => status === "fulfilled");
        assert.equal(done.length, 1);
        assert.equal(await endOf(handle), wave.status);
      }
    });
  });
});
