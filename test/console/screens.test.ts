import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadDemo } from "../../demo/load.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { floorWorker } from "../support/at-scanner.js";
import { consoleBrowser } from "../support/console.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { useTestMappings } from "../support/inbound.js";
import { listed } from "../support/lists.js";
import { thingsIn, withTexts } from "../support/matrix/things.js";
import { testMessagesAreSentAtOnce } from "../support/notifications.js";
import { person } from "../support/people.js";
import { testService } from "../support/service.js";
import { unique } from "../support/unique.js";

/** The paths that the files of this name in a folder of the console list. */
function pathsIn(folder: string, file: string): string[] {
  const root = fileURLToPath(new URL(`../../../console/${folder}/`, import.meta.url));
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(file))
    .flatMap((name) => [...readFileSync(join(root, name), "utf8").matchAll(/\bpath: "([^"]+)"/g)])
    .map(([, path = ""]) => path);
}
const paths = pathsIn("desk/pages", "navigation.ts");
const tasks = pathsIn("scan/pages", "task.ts");

/** SQL of the record that the page of a parameter shows. */
const examples: Record<string, string> = {
  bin_id: "select bin_id from inventory group by bin_id order by count(*) desc limit 1",
  item_id: "select item_id from inventory group by item_id order by count(*) desc limit 1",
  so_id: "select so_id from sales_order_lines group by so_id order by count(*) desc limit 1",
  parcel_id: "select max(parcel_id) from parcels",
  batch_id: "select batch_id from pick_tasks group by batch_id order by count(*) desc limit 1",
  po_id: "select po_id from purchase_order_lines group by po_id order by count(*) desc limit 1",
  name: "select customer_name from sales_orders where customer_name is not null limit 1",
  canonical_id: "select canonical_id from vendors limit 1",
  warehouse_id: "select warehouse_id from bins group by warehouse_id order by count(*) desc limit 1",
  zone_id: "select min(zone_id) from zones",
  count_id: "select max(count_id) from cycle_counts",
  programme_id: "select max(programme_id) from count_programmes",
  to_id: "select max(to_id) from transfer_orders",
  lot_id: "select max(lot_id) from lots",
  serial: "select max(serial_number) from serials",
  inspection_id: "select max(inspection_id) from inspections",
  collection_id: "select max(collection_id) from carrier_collections",
  recall_id: "select max(recall_id) from recalls",
  approval_id: "select max(approval_id) from agent_approvals",
  user_id: "select max(user_id) from users",
  token_id: "select max(token_id) from wms_tokens",
  log_id: "select max(log_id) from audit_log",
  channel_id: "select channel_id from channels limit 1",
  webhook_id: "select webhook_id from notification_webhooks limit 1",
  subscription_id: "select subscription_id from webhook_subscriptions limit 1",
  delivery_id: "select max(delivery_id) from webhook_deliveries",
  resource: "select 'sales_orders'",
  inbound_id: "select max(inbound_id) from inbound_sales_orders",
};

/** With TEST_SCREENSHOTS a picture of each page, and with TEST_ALL_LOOKS in every look: look at them. */
describe("the pages of desk and scanner", () => {
  const service = testService({ worker: true, env: { DISPATCHER_ENABLED: "false" } });
  const browser = consoleBrowser(() => service);
  let username: string;
  let picker: string;
  before(async () => {
    if (!process.env.TEST_SCREENSHOTS) return;
    await loadDemo(systemActor(unique()));
    await testMessagesAreSentAtOnce();
    await useTestMappings();
    await db.run("insert into connectors values ('erp', 'ERP')");
    await listed(await withTexts(await thingsIn(service, await fixtures.warehouse(), "erp")));
    await service.admin.ok("PUT", "/api/admin/settings", { settings: { pos_activity_enabled: "true" } });
    username = (await person()).username;
    const main = await db.value("select warehouse_id from warehouses where warehouse_code = 'MAIN'");
    picker = await floorWorker(main as number);
  });

  it("are all known here, with a record for those that show one", () => {
    const parameters = new Set(paths.flatMap((path) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)));
    assert.ok(paths.length > 70 && tasks.length > 10);
    assert.deepEqual(
      [...parameters].filter((name) => !examples[name as string]),
      [],
    );
  });

  if (process.env.TEST_SCREENSHOTS)
    for (const path of paths)
      it(`look as they should: ${path}`, async () => {
        let filled = path.replace("connectors/:name", "connectors/csv-drop");
        for (const [parameter, name = ""] of filled.matchAll(/:(\w+)/g))
          filled = filled.replace(parameter, encodeURIComponent(String(await db.value(examples[name] as string))));
        const picture = `page-${path.replace(/[/:]+/g, "-")}`;
        await browser.look(picture, { path: `/console/${filled}`, username }, async (page) => {
          await page.getByRole("heading", { level: 1 }).waitFor();
          await page.locator("main [role=status][aria-label]").first().waitFor({ state: "detached" });
        });
      });

  if (process.env.TEST_SCREENSHOTS)
    for (const path of ["", ...tasks])
      it(`look as they should on the floor: ${path || "the menu"}`, () =>
        browser.look(`scan-page-${path || "menu"}`, { path: `/scan/${path}`, username: picker }, async (page) => {
          await page.getByRole("heading", { level: 1 }).waitFor();
          await page.getByRole("textbox").or(page.getByRole("button")).or(page.getByRole("link")).first().waitFor();
          await page.locator(".waiting").waitFor({ state: "detached" });
        }));
});
