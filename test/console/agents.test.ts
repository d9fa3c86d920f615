import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type Agent, agentOf, ended } from "../support/agents.js";
import { confirmDialog, consoleBrowser } from "../support/console.js";
import { db } from "../support/db.js";
import { person } from "../support/people.js";
import { testService } from "../support/service.js";

describe("what agents ask for, at the desk", () => {
  const service = testService({ worker: true });
  let admin: string;
  let agent: Agent;
  before(async () => {
    admin = (await person()).username;
    agent = await agentOf(await service.user({ page_keys: ["vendors"] }), "auto", "stock-helper");
  });
  after(() => agent.close());
  const browser = consoleBrowser(() => service);

  const ask = async () => {
    const vendor_name = `Vendor ${randomUUID().slice(0, 8)}`;
    const { approval_id } = await agent.ok("write_operation", { operation: "createVendor", body: { vendor_name } });
    return { vendor_name, approval_id };
  };
  const known = (name: string) => db.value<number>("select count(*)::int from vendors where vendor_name = $1", [name]);

  it("is looked at with all that it will be called with, and approved", async () => {
    const { vendor_name, approval_id } = await ask();
    const path = `/console/agent-approvals/${approval_id}`;
    await browser.look("agent-approvals", { path: "/console/agent-approvals", username: admin }, async (page) => {
      await page.getByRole("link", { name: "createVendor" }).first().waitFor();
    });
    await browser.look("agent-approval", { path, username: admin }, async (page) => {
      await page.getByText(vendor_name).first().waitFor();
    });
    const page = await browser.open({ path, username: admin });
    await page.getByText("stock-helper 1.2.0").first().waitFor();
    assert.equal(await known(vendor_name), 0);
    await page.getByRole("button", { name: "Approve" }).click();
    await confirmDialog(page);
    assert.equal((await ended(service.admin, approval_id)).status, "DONE");
    assert.equal(await known(vendor_name), 1);
  });

  it("is in the inbox, and refused there", async () => {
    const { vendor_name, approval_id } = await ask();
    const page = await browser.open({ path: "/console/inbox", username: admin });
    const row = page.getByRole("row").filter({ hasText: "createVendor" });
    await row.getByRole("button", { name: "Reject" }).click();
    await confirmDialog(page);
    assert.equal((await ended(service.admin, approval_id)).status, "REJECTED");
    assert.equal(await known(vendor_name), 0);
  });
});
