import { randomUUID } from "node:crypto";
import { APPROVALS, agentOf } from "../support/agents.js";
import type { TestService } from "../support/service.js";
import { openService } from "../support/service.js";
import { endsCancelled, TIME, temporalUi } from "../support/temporal-ui.js";

/** Temporal's own UI, of what agents ask for; see temporal-ui-orders.test.ts. */
describe("the Temporal UI shows of an agent", function () {
  this.timeout(120_000);
  const ui = temporalUi();
  let service: TestService;
  before(async () => {
    service = await openService({ worker: true });
  });
  after(() => service.close());

  async function asked() {
    const user = await service.user({ page_keys: ["vendors"] });
    const agent = await agentOf(user);
    const call = { operation: "createVendor", body: { vendor_name: randomUUID() } };
    const { approval_id } = await agent.ok("write_operation", call);
    await agent.close();
    const path = `${APPROVALS}/${approval_id}`;
    const { external_id } = await service.admin.ok("GET", path);
    const decide = (how: string) => service.admin.ok("POST", `${path}/${how}`, { reason: "seen" });
    return { id: `approval-${external_id}`, approval_id, decide, user };
  }

  it("that something waits for a person, and how it was decided", async () => {
    const { id, approval_id, decide, user } = await asked();
    await ui.check("approval-waits", id, {
      list: ["RUNNING", "approval", "to approve"],
      details: [
        `Approval ${approval_id} of createVendor, which test-agent 1.2.0 asks for ${user.username}`,
        "it waits for a person",
        /somebody who may call createVendor approves or rejects it by .*, else it expires/,
        TIME,
      ],
    });
    await decide("approve");
    await ui.check("approval-completed", id, {
      list: ["COMPLETED", "approval", "completed"],
      details: [/has ended: completed/, "admin approved it, and it ran"],
    });
    const other = await asked();
    await other.decide("reject");
    await ui.check("approval-rejected", other.id, {
      list: ["COMPLETED", "approval", "rejected"],
      details: [/has ended: rejected/, "admin rejected it: seen"],
    });
  });

  it("that it was refused there", async () => {
    const { id } = await asked();
    await ui.pressCancel(id);
    await endsCancelled(id);
    await ui.check("approval-cancelled-in-ui", id, {
      list: ["CANCELED", "approval", "rejected"],
      details: ["system rejected it: cancelled in the Temporal UI"],
    });
  });
});
