import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { connect, disconnect, transaction } from "../../src/platform/db/db.js";
import { APPROVALS, agentOf, ended } from "../support/agents.js";
import { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { HEALED_WITHIN_MS } from "../support/kills/kills.js";
import { PASSWORD } from "../support/people.js";
import { waitingForLocks } from "../support/queued-behind-lock.js";
import { openStack, type Stack } from "../support/stack.js";
import { until } from "../support/until.js";

describe("what an agent asked for, as the worker is killed", function () {
  this.timeout(300_000);
  let stack: Stack;
  before(async () => {
    stack = await openStack();
    connect(stack.databaseUrl, 4);
  });
  after(async () => {
    await disconnect();
    await stack?.close();
  });

  it("runs once, although its worker is killed between the approval and the end", async () => {
    const { admin } = stack;
    const username = `agent-${randomUUID().slice(0, 8)}`;
    await admin.ok("POST", "/api/admin/users", {
      ...{ username, password: PASSWORD, full_name: "Agent", role: "USER", page_keys: ["vendors"] },
    });
    const { token } = await new Caller(admin.url, {}, "", 0).ok("POST", "/api/auth/login", {
      ...{ username, password: PASSWORD },
    });
    const agent = await agentOf(new Caller(admin.url, { authorization: `Bearer ${token}` }, username, 0));
    const vendor_name = randomUUID();
    const create = { operation: "createVendor", body: { vendor_name } };
    const { approval_id } = await agent.ok("write_operation", create);

    // It cannot run while somebody holds the table, but it can be approved.
    const statusOf = async () => (await admin.ok("GET", `${APPROVALS}/${approval_id}`)).status;
    await transaction(async (tx) => {
      await tx.run("lock table vendors in share row exclusive mode");
      await admin.ok("POST", `${APPROVALS}/${approval_id}/approve`);
      await until(async () => (await waitingForLocks()) > 0);
      assert.equal(await statusOf(), "APPROVED");
      await stack.kill("Worker");
    });

    assert.equal((await ended(admin, approval_id, HEALED_WITHIN_MS)).status, "DONE");
    const made = await db.value<number>("select count(*)::int from vendors where vendor_name = $1", [vendor_name]);
    assert.equal(made, 1);
    assert.equal((await agent.ok("write_operation", create)).answer.vendor_name, vendor_name);
    await agent.close();
  });
});
