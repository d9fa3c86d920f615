import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import type { WorkflowHandle } from "@temporalio/client";
import { WorkflowNotFoundError } from "@temporalio/common";
import fc from "fast-check";
import pg from "pg";
import { TasksPending } from "../../src/picking/problems.js";
import { type Scan, type WaveRequest, type WaveStarted, waveWorkflowId } from "../../src/picking/wave.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { Picker } from "../../src/platform/temporal/search-attributes.js";
import type { pickWave } from "../../workflows/index.js";
import { LONG_HISTORY } from "../support/servers.js";
import { until } from "../support/until.js";
import { WaveRows } from "../support/wave-rows.js";
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
const databaseError = (code: string) => Object.assign(new pg.DatabaseError(code, 0, "error"), { code });
const scan = (remaining_tasks: number): Scan => ({
  ...{ pick_task_id: 1, status: "PICKED", sku: "MUG", bin_code: "A-1" },
  ...{ quantity_picked: 2, remaining_tasks, by: "ann" },
});

describe("the workflow of a wave", () => {
  const run = workflowEnvironment();

  const begin = ({ startCreating }: Running, { request }: WaveRows) =>
    startCreating("pickWave", [request, by, false], waveWorkflowId(request.batchId));
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
        assert.deepEqual(await listedAs(handle), { status: "COMPLETED", stage: "ended", outcome: "repeated" });
        assert.match(await detailsOf(handle), new RegExp(`Next:.* see pick-wave-${before.request.batchId}`));
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

    it("with the step that is under way when its cancellation is requested", async () => {
      const wave = new WaveRows();
      await run(wave.doubles, async (running) => {
        const handle = await begun(running, wave);
        const go = wave.hold();
        // Whether the request is still answered depends on which of the two Temporal records first. If it is not, it is
        // made again, and finds the batch completed, or its workflow ended.
        const isOver = (error: Error) =>
          error instanceof WorkflowNotFoundError || (error.cause as Error).message === "batch_not_active";
        const completed = complete(handle).catch((error) => assert.ok(isOver(error), error));
        await until(() => wave.asked.includes("complete"));
        await handle.cancel();
        go();
        await completed;
        assert.equal(await endOf(handle), "completed");
        assert.equal(wave.status, "completed");
      });
    });

    it("once it is made, when its cancellation is requested before", async () => {
      const wave = new WaveRows();
      const { createWave } = wave.doubles;
      let go = () => {};
      const held = new Promise<void>((resolve) => {
        go = resolve;
      });
      wave.doubles.createWave = async (...args) => {
        const plan = await createWave(...args);
        await held;
        return plan;
      };
      await run(wave.doubles, async (running) => {
        const handle = await running.start("pickWave", [wave.request, by, false]);
        await until(() => wave.asked.includes("create"));
        await handle.cancel();
        go();
        await assert.rejects(handle.result());
        assert.equal(wave.status, "cancelled");
      });
    });
  });

  it("shows the last of the scans that it is told", async () => {
    const wave = new WaveRows();
    await run(wave.doubles, async (running) => {
      const handle = await begun(running, wave);
      const toGo = async () => /(\d+) of 1 pick/.exec(await detailsOf(handle))?.[1];
      await handle.signal("scanned", [scan(3), scan(2)]);
      assert.equal(await toGo(), "2");
      await handle.signal("scanned", []);
      assert.equal(await toGo(), "2");
      assert.match(await detailsOf(handle), /Last: 2 × MUG at A-1, PICKED, by ann\n/);
      await handle.signal("scanned", [scan(0)]);
      await until(async () => (await listedAs(handle)).stage === "to complete");
      assert.match(await detailsOf(handle), /Next:\*\* ann completes the batch\./);
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

    it("says when it will be released, and what each timer and activity is for", async () => {
      const wave = new WaveRows(3_600_000);
      await run(wave.doubles, async (running) => {
        const handle = await begun(running, wave);
        const due = /Released at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC unless somebody scans before/;
        assert.match(await detailsOf(handle), due);
        await complete(handle);
        const [made, timer, ended] = await summariesOf(handle);
        assert.match(String(timer), due);
        assert.deepEqual(
          [made, ended],
          ["Makes the wave and allocates its stock", "Completes the batch: its orders are picked"],
        );
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
          assert.match(await detailsOf(handle), /not released at present; looked at again at \d{4}-\d\d-\d\d .* UTC$/);
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
      const newer = running.client.workflow.getHandle<typeof pickWave>(handle.workflowId);
      await until(async () => /WAVE-1 in MAIN: 1 of 1 pick/.test(await detailsOf(newer)));
      assert.deepEqual(await listedAs(newer), { status: "RUNNING", stage: "picking", outcome: undefined });
      assert.equal((await newer.describe()).typedSearchAttributes.get(Picker), "ann");
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
});
