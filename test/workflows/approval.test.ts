import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { ApprovalDecided } from "../../src/agents/problems.js";
import {
  type ApprovalDecision,
  type ApprovalState,
  type ApprovalStatus,
  approvalWorkflowId,
} from "../../src/agents/workflow.js";
import type { Actor } from "../../src/platform/actor.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { until } from "../support/until.js";
import {
  ask,
  detailsOf,
  listedAs,
  type Running,
  refusalOf,
  workflowEnvironment,
} from "../support/workflow-environment.js";

const by = { ...systemActor("test"), username: "rita" };

/** The row of an approval, in place of the database. */
class ApprovalRow {
  readonly key = randomUUID();
  status: ApprovalStatus = "WAITING";
  decided_by: string | null = null;
  reason: string | null = null;
  expires_ms = 3_600_000;
  performed = 0;
  /** How often running it fails first. */
  failures = 0;
  answers = 200;
  #reads = 0;

  get state(): ApprovalState {
    return {
      ...{ approval_id: 17, operation: "adjustStock", agent: "helper 1.0", username: "ann", status: this.status },
      ...{ warehouse_id: 1, warehouse_code: "MAIN", expires_ms: this.expires_ms, decided_by: this.decided_by },
      ...{ reason: this.reason, http_status: this.performed ? this.answers : null },
      as_of: String(this.#reads++).padStart(9, "0"),
    };
  }

  decide(approved: boolean, reason: string | null, username: string): ApprovalState {
    if (this.status !== "WAITING") throw ApprovalDecided({ approval_id: 17, status: this.status });
    this.status = approved ? "APPROVED" : "REJECTED";
    this.decided_by = username;
    this.reason = reason;
    return this.state;
  }

  doubles = {
    resumeApproval: async () => this.state,
    decideApproval: async (_: string, { approved, reason = null }: ApprovalDecision, who: Actor) =>
      this.decide(approved, reason, who.username),
    rejectForOperator: async () =>
      this.status === "WAITING" ? this.decide(false, "cancelled in the Temporal UI", "system") : this.state,
    expireApproval: async () => {
      if (this.status === "WAITING") this.status = "EXPIRED";
      return this.state;
    },
    performApproved: async () => {
      if (this.failures-- > 0) throw new Error("the database is away");
      this.performed++;
      this.status = this.answers < 300 ? "DONE" : "FAILED";
      return this.state;
    },
  };
}

describe("the workflow of an approval", () => {
  const run = workflowEnvironment();
  const begin = ({ start }: Running, { key }: ApprovalRow) => start("approval", [key, by], approvalWorkflowId(key));
  type Handle = Awaited<ReturnType<typeof begin>>;
  const decide = (handle: Handle, approved: boolean) => ask(handle, "decide", { approved, reason: "seen" }, by);

  it("waits for a person, then runs what was approved, once, however often that fails first", async () => {
    const row = new ApprovalRow();
    row.failures = 1;
    await run(row.doubles, async (running) => {
      const handle = await begin(running, row);
      await until(async () => /it waits for a person/.test(await detailsOf(handle)));
      assert.deepEqual(await listedAs(handle), { status: "RUNNING", stage: "to approve", outcome: undefined });
      await decide(handle, true);
      assert.deepEqual(await handle.result(), { approval_id: 17, ended: "completed" });
      assert.equal(row.performed, 1);
    });
  });

  it("runs nothing that was refused, or about which nobody decided in time", async () => {
    const [refused, expired] = [new ApprovalRow(), new ApprovalRow()];
    expired.expires_ms = 1;
    await run(refused.doubles, async (running) => {
      const handle = await begin(running, refused);
      await decide(handle, false);
      assert.equal((await handle.result()).ended, "rejected");
    });
    await run(expired.doubles, async (running) => {
      const handle = await begin(running, expired);
      assert.equal((await handle.result()).ended, "expired");
    });
    assert.deepEqual([refused.performed, expired.performed], [0, 0]);
  });

  it("fails, so that the list shows it, where what was approved was refused as it ran", async () => {
    const row = new ApprovalRow();
    row.answers = 409;
    await run(row.doubles, async (running) => {
      const handle = await begin(running, row);
      await decide(handle, true);
      await assert.rejects(handle.result());
      assert.deepEqual(await listedAs(handle), { status: "FAILED", stage: "ended", outcome: "failed" });
    });
  });

  it("is decided once", async () => {
    const row = new ApprovalRow();
    row.failures = 2;
    await run(row.doubles, async (running) => {
      const handle = await begin(running, row);
      await decide(handle, true);
      await refusalOf(decide(handle, false));
      assert.equal((await handle.result()).ended, "completed");
    });
  });

  it("goes on from its row: what was approved runs", async () => {
    const row = new ApprovalRow();
    row.decide(true, null, "rita");
    await run(row.doubles, async (running) => {
      assert.equal((await (await begin(running, row)).result()).ended, "completed");
      assert.equal(row.performed, 1);
    });
  });

  it("is refused when its cancellation is requested, unless somebody has approved it", async () => {
    const [waits, approved] = [new ApprovalRow(), new ApprovalRow()];
    await run(waits.doubles, async (running) => {
      const handle = await begin(running, waits);
      await until(async () => /it waits/.test(await detailsOf(handle)));
      await handle.cancel();
      await assert.rejects(handle.result());
      assert.equal(waits.status, "REJECTED");
    });
    approved.failures = 1;
    await run(approved.doubles, async (running) => {
      const handle = await begin(running, approved);
      await decide(handle, true);
      await handle.cancel();
      assert.equal((await handle.result()).ended, "completed");
    });
  });
});
