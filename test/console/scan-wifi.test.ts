import assert from "node:assert/strict";
import { consoleBrowser } from "../support/console.js";
import { assertInvariants } from "../support/invariants.js";
import { patient } from "../support/machine-speed.js";
import { books, smallWarehouse, theDay, workADay } from "../support/scan-day.js";
import { testService } from "../support/service.js";

describe("a day on the floor over wifi that drops every third request", () => {
  const service = testService({ worker: true });
  const browser = consoleBrowser(() => service);

  it("is done in the same way, and everything exactly once", async function () {
    this.timeout(patient(90_000));
    const site = await smallWarehouse();
    const page = await browser.open({ path: "/scan/", username: site.username, size: "phone" });
    const lost = { requests: 0, answers: 0 };
    let requests = 0;
    await page.route("**/api/**", async (route) => {
      if (++requests % 3 !== 0) return route.continue();
      // In turn the request does not arrive, and its answer does not come back.
      if (requests % 2 === 0) lost.requests++;
      else {
        await route.fetch().catch(() => {});
        lost.answers++;
      }
      await route.abort();
    });
    await workADay(page, site, async () => {});
    await page.unrouteAll({ behavior: "ignoreErrors" });
    assert.ok(lost.requests > 10 && lost.answers > 10, JSON.stringify(lost));
    assert.deepEqual(await books(), theDay);
    await assertInvariants();
  });
});
