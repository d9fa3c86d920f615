import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { WithStartWorkflowOperation, type WorkflowHandle } from "@temporalio/client";
import { ApplicationFailure } from "@temporalio/common";
import fc from "fast-check";
import { systemActor } from "../../src/platform/system-actor.js";
import { Connector, WarehouseCode, WarehouseId } from "../../src/platform/temporal/search-attributes.js";
import type { connectorSync } from "../../workflows/index.js";
import { LONG_HISTORY } from "../support/servers.js";
import { SyncRows, sourceFails } from "../support/sync-rows.js";
import { until } from "../support/until.js";
import {
  detailsOf,
  listedAs,
  type Running,
  summariesOf,
  workflowEnvironment,
} from "../support/workflow-environment.js";

type Handle = WorkflowHandle<typeof connectorSync>;

describe("the workflow of a sync", () => {
  const run = workflowEnvironment();
  let rows: SyncRows;
  beforeEach(() => {
    rows = new SyncRows();
  });

  const all = { read: 6, written: 3, known: 3, refused: 0 };
  /** Starts it as its schedule does; gives its handle. */
  const scheduled = ({ start }: Running): Promise<Handle> =>
    start("connectorSync", [{ ...rows.start, begun: "schedule" }]);

  /** Asks for a sync as the route does; another request finds the same workflow. */
  async function request({ client, taskQueue }: Running, workflowId: string, commandId: string = randomUUID()) {
    const startWorkflowOperation = new WithStartWorkflowOperation("connectorSync", {
      ...{ workflowId, taskQueue, args: [rows.start] },
      workflowIdConflictPolicy: "USE_EXISTING",
    } as never);
    const by = { ...systemActor(commandId), username: "ann" };
    const answer = client.workflow.executeUpdateWithStart("started", { args: [by], startWorkflowOperation } as never);
    answer.catch(() => {});
    return { answer, handle: (await startWorkflowOperation.workflowHandle()) as unknown as Handle };
  }

  /** Makes pages wait, all of them unless it is said which; gives what lets them go on. */
  function hold(which: (cursor: string | null) => boolean = () => true): () => void {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { page } = rows;
    rows.page = async (cursor) => {
      if (which(cursor)) await held;
      return page(cursor);
    };
    return release;
  }

  it("reads page after page, and keeps the newest time that it saw", async () => {
    await run(rows.doubles, async (running) => {
      const handle = await scheduled(running);
      assert.deepEqual(await handle.result(), { ended: "completed", ...all });
      assert.deepEqual(rows.asked, [null, "1", "2"]);
      assert.deepEqual(rows.finished, ["2026-05-03T00:00:00Z"]);
      assert.deepEqual(await listedAs(handle), { status: "COMPLETED", stage: "ended", outcome: "completed" });
      const { typedSearchAttributes: found } = await handle.describe();
      assert.deepEqual([found.get(Connector), found.get(WarehouseId), found.get(WarehouseCode)], ["shop", 1, "MAIN"]);
      assert.match(
        await detailsOf(handle),
        new RegExp(
          String.raw`items of shop for MAIN has ended: completed\n` +
            String.raw`.*3 page\(s\) with 6 record\(s\) read, .* a second; 3 written; 3 here already`,
        ),
      );
      assert.deepEqual(await summariesOf(handle), [
        "Begins the scheduled sync, unless one is under way",
        "Tries refused records again",
        ...["Page 1", "Page 2", "Page 3"],
        "Records that everything was read",
      ]);
    });
  });

  it("asks a failing source again for the page that failed, and at last from the first page", async () => {
    let failures = 0;
    const { page } = rows;
    rows.page = async (cursor) => {
      if (cursor === "1" && failures++ < 2) throw sourceFails();
      return page(cursor);
    };
    await run(rows.doubles, async (running) => {
      const handle = await scheduled(running);
      assert.equal((await handle.result()).ended, "completed");
      assert.deepEqual(rows.asked, [null, "1", "1", null, "1", "2"]);
      const timers = (await summariesOf(handle)).filter((summary) => summary?.startsWith("HTTP 500: attempt"));
      assert.deepEqual(
        timers.map((summary) => summary?.slice(0, 25)),
        ["HTTP 500: attempt 2 of 3 ", "HTTP 500: attempt 3 of 3 "],
      );
    });
  });

  it("waits for a source that is left alone, which is no attempt", async () => {
    const away = { wait_ms: 3_600_000 };
    const { page } = rows;
    let waits = 0;
    rows.page = async (cursor) => {
      if (cursor !== "1" || waits === 6) return page(cursor);
      throw sourceFails("left alone", { away: ++waits === 6 ? away : { wait_ms: null } });
    };
    await run(rows.doubles, async (running) => {
      const handle = await scheduled(running);
      await until(async () => (await detailsOf(handle)).includes("left alone") && waits === 6);
      await until(
        async () => (await summariesOf(handle)).filter((text) => text?.startsWith("left alone")).length === 6,
      );
      assert.deepEqual(await listedAs(handle), { status: "RUNNING", stage: "retrying", outcome: undefined });
      const said = /it waits for its source\n.*Why:.* left alone\n.*Next:.* it is asked again at \d{4}-.* UTC/;
      assert.match(await detailsOf(handle), said);
      assert.deepEqual(rows.failures, []);
      rows.free();
      await handle.signal("reset");
      assert.equal((await handle.result()).ended, "superseded");
      assert.deepEqual(rows.asked, [null, ...Array(6).fill("1")]);
    });
  });

  it("counts attempts of a source that it has waited for as long as a day", async () => {
    rows.page = async () => {
      throw sourceFails("left alone", { away: { wait_ms: 1 } });
    };
    await run(rows.doubles, async (running) => {
      const begun = await rows.doubles.claimScheduledSync(rows.key, "it", "before");
      const [now, day] = [Date.now(), 86_400_000];
      const how = {
        ...{ run: begun, attempt: 1, page: 0, cursor: null, newest: null, tried_refused: true },
        ...{ counts: { read: 0, written: 0, known: 0, refused: 0 }, began: now - day, waits_since: now - day },
      };
      const handle = await running.start("connectorSync", [{ ...rows.start, begun: "schedule" as never }, how]);
      await assert.rejects(handle.result());
      assert.deepEqual(rows.failures, Array(3).fill("left alone"));
    });
  });

  it("goes on where it was once its source may be asked", async () => {
    const { page } = rows;
    let waits = 0;
    rows.page = async (cursor) => {
      if (waits++ < 5) throw sourceFails("left alone", { away: { wait_ms: 1 } });
      return page(cursor);
    };
    await run(rows.doubles, async (running) => {
      const handle = await scheduled(running);
      assert.deepEqual(await handle.result(), { ended: "completed", ...all });
      assert.deepEqual(rows.failures, []);
      const refused = (await summariesOf(handle)).filter((text) => text === "Tries refused records again");
      assert.equal(refused.length, 1);
    });
  });

  it("begins a new history when its own grew long, and still says who asked for it", async () => {
    const { page } = rows;
    const last = LONG_HISTORY / 4;
    rows.page = async (cursor) => {
      const next = Number(cursor) + 1;
      return { ...(await page(null)), next: next < last ? `${next}` : null };
    };
    const release = hold((cursor) => Number(cursor) === last - 1);
    await run(rows.doubles, async (running) => {
      const { handle } = await request(running, randomUUID());
      const { runId } = await handle.describe();
      const newest = running.client.workflow.getHandle(handle.workflowId);
      await until(() => rows.asked.length === last, 60_000);
      const [shown, described] = await Promise.all([detailsOf(newest), newest.describe()]);
      release();
      assert.notEqual(described.runId, runId);
      assert.match(
        shown,
        new RegExp(`Where:.* items of shop for MAIN: ${last - 1} page.*\\n.*Why:.* ann asked for it\\n.*page ${last}$`),
      );
      assert.equal(((await newest.result()) as { ended: string }).ended, "completed");
    });
  });

  it("fails at once at a fault of ours, with its row free", async () => {
    rows.page = async () => {
      throw ApplicationFailure.create({ type: "Fault", message: "column does not exist", nonRetryable: true });
    };
    await run(rows.doubles, async (running) => {
      const handle = await scheduled(running);
      await assert.rejects(handle.result());
      assert.deepEqual([rows.failures, rows.held], [["column does not exist"], undefined]);
    });
  });

  it("is refused while another one holds the row", async () => {
    const release = hold();
    await run(rows.doubles, async (running) => {
      const first = await scheduled(running);
      await until(() => rows.asked.length === 1);
      const other = await scheduled(running);
      assert.equal((await other.result()).ended, "refused");
      const { answer, handle } = await request(running, randomUUID());
      await assert.rejects(answer);
      await assert.rejects(handle.result());
      assert.equal((await listedAs(handle)).outcome, "refused");
      release();
      assert.equal((await first.result()).ended, "completed");
    });
  });

  it("ends when its row was freed, and reads everything for the request that begins it anew", async () => {
    const release = hold();
    await run(rows.doubles, async (running) => {
      const id = randomUUID();
      const { handle } = await request(running, id);
      await until(() => rows.asked.length === 1);
      rows.free();
      await handle.signal("reset");
      const next = await request(running, id);
      await next.answer;
      release();
      assert.deepEqual(await next.handle.result(), { ended: "completed", ...all });
    });
  });

  it("notices at its next page that its row was freed, and writes nothing more", async () => {
    const release = hold();
    await run(rows.doubles, async (running) => {
      const handle = await scheduled(running);
      await until(() => rows.asked.length === 1);
      rows.free();
      release();
      assert.equal((await handle.result()).ended, "superseded");
      assert.deepEqual(rows.asked, [null]);
    });
  });

  it("ends when its cancellation is requested, under a page as well as between attempts", async () => {
    for (const when of ["page", "wait"]) {
      rows = new SyncRows();
      rows.start.retry_delay_ms = 3_600_000;
      const release = hold();
      if (when === "wait")
        rows.page = async () => {
          throw sourceFails();
        };
      await run(rows.doubles, async (running) => {
        const handle = await scheduled(running);
        await until(() => (when === "page" ? rows.asked.length === 1 : rows.failures.length === 1));
        await handle.cancel();
        await assert.rejects(handle.result());
        assert.deepEqual(await listedAs(handle), { status: "CANCELLED", stage: "ended", outcome: "cancelled" });
        assert.deepEqual([rows.held, rows.status], [undefined, "idle"]);
        release();
      });
    }
  });

  it("takes up the run of its row again when it was lost, and ends where there is none", async () => {
    await run(rows.doubles, async (running) => {
      const lost = await running.start("connectorSync", [{ ...rows.start, begun: "lost" as never }]);
      assert.equal((await lost.result()).ended, "superseded");
      await rows.doubles.claimScheduledSync(rows.key, "it", "before");
      const again = await running.start("connectorSync", [{ ...rows.start, begun: "lost" as never }]);
      assert.deepEqual(await again.result(), { ended: "completed", ...all });
    });
  });

  it("reads everything once, whatever fails in whatever order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 8 }), async (fails) => {
        rows = new SyncRows();
        rows.start.retry_delay_ms = 1;
        const { page } = rows;
        const ahead = [...fails];
        rows.page = async (cursor) => {
          if (ahead.shift()) throw sourceFails();
          return page(cursor);
        };
        await run(rows.doubles, async (running) => {
          const handle = await scheduled(running);
          const ended = await handle.result().then(
            (result) => result.ended,
            () => "failed",
          );
          assert.equal(rows.held, undefined);
          if (ended === "completed") assert.deepEqual(rows.asked.slice(-1), ["2"]);
          else assert.deepEqual([ended, rows.failures.length], ["failed", 3]);
        });
      }),
      { numRuns: 8 },
    );
  });
});
