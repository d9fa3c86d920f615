import assert from "node:assert/strict";
import { consoleBrowser } from "../support/console.js";
import { assertInvariants } from "../support/invariants.js";
import { books, smallWarehouse, theDay, workADay } from "../support/scan-day.js";
import { openService, type TestService } from "../support/service.js";

describe("a day on the floor", () => {
  let service: TestService;
  before(async () => {
    service = await openService({ worker: true });
  });
  after(() => service.close());
  const browser = consoleBrowser(() => service);

  it("is done with a scanner that types and keys alone, from the delivery to the parcels", async () => {
    const site = await smallWarehouse();
    const page = await browser.open({ path: "/scan/", username: site.username, size: "phone" });
    await workADay(page, site, (step) => browser.check(page, `scan-${step}`));
    assert.deepEqual(await books(), theDay);
    await assertInvariants();
  });
});
