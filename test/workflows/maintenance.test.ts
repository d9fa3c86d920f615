import assert from "node:assert/strict";
import { defaultPayloadConverter } from "@temporalio/common";
import { type Done, JOBS, type JobName, type Maintenance } from "../../src/platform/temporal/maintenance.js";
import { until } from "../support/until.js";
import { detailsOf, refusalOf, workflowEnvironment } from "../support/workflow-environment.js";

const jobs = Object.keys(JOBS) as JobName[];

describe("the workflow of maintenance", () => {
  const run = workflowEnvironment();

  /** Activities that all do the same, and note that they were asked. */
  function doing(work: (job: JobName) => Promise<Done>) {
    const asked: JobName[] = [];
    const doubles = Object.fromEntries(
      jobs.map((job) => [
        job,
        () => {
          asked.push(job);
          return work(job);
        },
      ]),
    ) as Maintenance;
    return { asked, doubles };
  }

  it("does each job by the activity of its name, and gives what it did", async () => {
    const { asked, doubles } = doing(async (job) => ({ [job]: 1 }));
    await run(doubles, async ({ start }) => {
      const does = async (job: JobName) => {
        const handle = await start("maintenance", [job]);
        assert.deepEqual(await handle.result(), { [job]: 1 });
        const { events } = await handle.fetchHistory();
        const [activity] = (events ?? []).filter((event) => event.activityTaskScheduledEventAttributes);
        const summary = activity?.userMetadata?.summary;
        assert.equal(summary && defaultPayloadConverter.fromPayload(summary), JOBS[job].summary);
      };
      await Promise.all(jobs.map(does));
    });
    assert.deepEqual(asked.toSorted(), jobs.toSorted());
  });

  it("shows what is under way, and then what was done", async () => {
    let finish: (done: Done) => void = () => {};
    const done = new Promise<Done>((resolve) => {
      finish = resolve;
    });
    const { doubles } = doing(() => done);
    await run(doubles, async ({ start }) => {
      const handle = await start("maintenance", ["purge"]);
      assert.match(
        await detailsOf(handle),
        /Where:\*\* Deletes what nobody asks for any more: under way\n.*Why:\*\* its schedule .* 1 hour .*\n.*Next:/,
      );
      finish({ commands: 6_000, started: ["one", "two"] });
      await handle.result();
      assert.match(await detailsOf(handle), /: done\n[\s\S]*it did: commands: 6000, started: 2$/);
    });
  });

  it("tries a job three times, and fails with it", async () => {
    const { asked, doubles } = doing(() => Promise.reject(new Error("no disk")));
    await run(doubles, async ({ start }) => {
      const handle = await start("maintenance", ["webhook-secrets"]);
      assert.equal(await refusalOf(handle.result()), "no disk");
    });
    assert.equal(asked.length, 3);
  });

  it("is taken over within seconds where the worker that reconciles gives no more sign", async () => {
    const { doubles } = doing(async () => ({}));
    let attempts = 0;
    let wake: (done: Done) => void = () => {};
    const silent = new Promise<Done>((resolve) => {
      wake = resolve;
    });
    const reconcile = () => (++attempts === 1 ? silent : Promise.resolve({ started: [] }));
    await run({ ...doubles, reconcile }, async ({ start }) => {
      const handle = await start("maintenance", ["reconcile"]);
      assert.deepEqual(await handle.result(), { started: [] });
      wake({ started: [] });
    });
    assert.equal(attempts, 2);
  });

  it("refuses what is no job", async () => {
    const { asked, doubles } = doing(async () => ({}));
    await run(doubles, async ({ start }) => {
      for (const job of ["sweep", "toString"]) {
        const handle = await start("maintenance", [job as JobName]);
        assert.match(await refusalOf(handle.result()), new RegExp(`^No such job: ${job}. There are reconcile, purge`));
      }
    });
    assert.deepEqual(asked, []);
  });

  it("lets what is under way end when it is cancelled", async () => {
    const { asked, doubles } = doing(() => done);
    let finish: (done: Done) => void = () => {};
    const done = new Promise<Done>((resolve) => {
      finish = resolve;
    });
    await run(doubles, async ({ start }) => {
      const handle = await start("maintenance", ["reconcile"]);
      await until(() => asked.length === 1);
      await handle.cancel();
      finish({ started: [] });
      assert.deepEqual(await handle.result(), { started: [] });
    });
  });
});
