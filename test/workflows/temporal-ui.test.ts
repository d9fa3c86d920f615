import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { db } from "../../src/db/db.js";
import { maintenanceQueue } from "../../src/temporal/maintenance.js";
import { runSequencer } from "../../workers/sequencer.js";
import { openBrowser } from "../support/browser.js";
import type { Caller } from "../support/caller.js";
import { emit, rowsOf, senderEnv, subscribe } from "../support/deliveries.js";
import { bin, item, salesOrder, stock, stockOf, warehouse } from "../support/fixtures.js";
import { type House, openHouse } from "../support/house.js";
import { assertInvariants } from "../support/invariants.js";
import { patient } from "../support/machine-speed.js";
import { openSink, type Sink } from "../support/sink.js";
import { until } from "../support/until.js";

/** Where the pictures go, to be looked at. */
const folder = process.env.TEST_SCREENSHOTS ?? mkdtempSync(join(tmpdir(), "temporal-ui-"));

/**
 * Temporal's own UI, as somebody sees it who has never seen the code. Each test brings processes into a state, and looks
 * for the texts that answer: where is it, why is it there, what comes next and when. `TEST_SCREENSHOTS=<folder>` keeps
 * the pictures.
 */
describe("the Temporal UI", function () {
  this.timeout(120_000);

  let browser: Browser;
  let page: Page;
  let house: House;
  let picker: Caller;
  let warehouse_id: number;
  let goods: { item_id: number; sku: string };
  let inventory_id: number;
  const sinks: Sink[] = [];

  before(async () => {
    mkdirSync(folder, { recursive: true });
    browser = await openBrowser();
    page = await browser.newPage({ viewport: { width: 1440, height: 1000 }, timezoneId: "UTC" });
  });
  after(() => browser?.close());

  /** A house of its own, whose workers wait so long before the attempts of a webhook. */
  function inHouse(retryDelays: string) {
    let sequencer: { stop: () => Promise<void> };
    before(async () => {
      const env = { ...senderEnv, DISPATCHER_RETRY_DELAYS_MS: retryDelays };
      house = await openHouse({ worker: true, env });
      sequencer = runSequencer();
      warehouse_id = await warehouse();
      goods = await item();
      inventory_id = await stock(warehouse_id, await bin(warehouse_id), goods.item_id, 100);
      picker = await house.user({ warehouse_ids: [warehouse_id], username: "ann" });
    });
    after(async () => {
      await assertInvariants();
      await db.run("update webhook_subscriptions set status = 'revoked', pause_reason = null");
      await sequencer.stop();
      await house.close();
      for (const sink of sinks.splice(0)) await sink.stop();
    });
  }

  const ui = (path: string) => `${process.env.TEST_TEMPORAL_UI}/namespaces/default/${path}`;

  /** Waits for texts on the page, and takes a picture of it. */
  async function see(name: string, ...texts: (string | RegExp)[]): Promise<void> {
    try {
      for (const text of texts)
        await page
          .getByText(text)
          .filter({ visible: true })
          .first()
          .waitFor({ timeout: patient(15_000) });
    } finally {
      await page.screenshot({ path: join(folder, `${name}.png`) });
    }
  }

  it("x", async () => {});

  describe("for waves", () => {
    inHouse("100,100,100,100,100,100,100");
    it("explore", async () => {
      const { so_id } = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 5 }]);
      const wave = await picker.post("/api/picking/wave-create", { so_ids: [so_id], warehouse_id });
      const id = `pick-wave-${wave.body.batch_id}`;
      const { runId } = await temporalClient().workflow.getHandle(id).describe();
      for (const tab of ["timeline", "history", "user-metadata", "search-attributes", "memo", "pending-activities"]) {
        await page.goto(ui(`workflows/${id}/${runId}/${tab}`));
        await page.waitForTimeout(3000);
        await see(`wave-${tab}`);
        console.log(tab, page.url(), (await page.locator("body").innerText()).replace(/\s+/g, " ").slice(0, 1500));
      }
      await page.goto(ui(`workflows?query=${encodeURIComponent("Stage='picking'")}`));
      await page.waitForTimeout(3000);
      await see("list");
      console.log(await page.locator("body").innerText());
      console.log(JSON.stringify(await page.evaluate("({...localStorage})")));
    });
  });
  void [maintenanceQueue, emit, rowsOf, subscribe, stockOf, openSink, until, assert, inventory_id!];
});
