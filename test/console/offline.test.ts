import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type Floor, floor, floorWorker, into, press, says, signIn, sumOf } from "../support/at-scanner.js";
import { confirmDialog, consoleBrowser, scan } from "../support/console.js";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { person } from "../support/people.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";
import { comeBack, device, kept, leave, leaveDuring } from "../support/without-net.js";

describe("the scanner without the net", () => {
  const service = testService({ worker: true });
  const browser = consoleBrowser(() => service);
  afterEach(() => assertInvariants());

  /** A wave with a task for each of so many items, in as many bins, which somebody picks. */
  async function wave(tasks: number) {
    const site: Floor = await floor();
    const goods = [];
    for (let place = 1; place <= tasks; place++) {
      const made = await item();
      const code = `B${place}-${site.here}`;
      await stock(site.here, await bin(site.here, { code, pick_sequence: place }), made.item_id, 10);
      goods.push({ ...made, bin_code: code });
    }
    const lines = goods.map(({ item_id }) => ({ item_id, quantity: 2 }));
    const order = await salesOrder(site.here, lines);
    const username = await floorWorker(site.here);
    const picked = () => sumOf("select quantity_picked from sales_order_lines where so_id = $1", order.so_id);
    return { ...order, here: site.here, goods, username, picked };
  }
  type Wave = Awaited<ReturnType<typeof wave>>;

  async function walking({ so_number, username, goods }: Wave): Promise<Page> {
    const page = await device(browser, "pick", username);
    await into(page, "Scan an order", so_number);
    await press(page, /^Start/);
    await says(page, `2 × ${goods[0]?.sku}`);
    await until(async () => (await leaseOf(so_number)) !== undefined);
    return page;
  }
  const leaseOf = (so_number: string) =>
    db.row<{ device: string; batch_id: number }>(
      `select device, batch_id from pick_leases join pick_batch_orders using (batch_id) join sales_orders using (so_id)
       where so_number = $1`,
      [so_number],
    );
  const skuOf = ({ goods }: Wave, place: number) => goods[place]?.sku ?? "";
  const pick = async (page: Page, of: Wave, place: number) => {
    await says(page, `2 × ${skuOf(of, place)}`);
    await into(page, "Scan the item", skuOf(of, place));
  };

  it("walks on for half an hour, and sends every scan once", async () => {
    await service.admin.ok("PUT", "/api/admin/settings", { settings: { pick_lease_minutes: "20" } });
    const of = await wave(5);
    const page = await walking(of);
    await pick(page, of, 0);
    await says(page, `2 × ${skuOf(of, 1)}`);
    await leave(page);
    await kept(page, 0);
    await scan(page, skuOf(of, 3));
    await says(page, "This is the wrong item.");
    await browser.check(page, "offline-wrong");
    await scan(page, of.goods[3]?.bin_code ?? "");
    await says(page, "This is another bin.");
    await scan(page, of.goods[1]?.bin_code ?? "");
    await says(page, "The right bin");
    await scan(page, skuOf(of, 1));
    await kept(page, 1);
    await browser.check(page, "offline-walk");
    await says(page, `2 × ${skuOf(of, 2)}`);
    await press(page, "Not enough here");
    await says(page, "which other bins have the rest is known only later");
    await browser.check(page, "offline-short");
    await press(page, "One more");
    await press(page, "Damaged");
    await pick(page, of, 3);
    await kept(page, 3);
    await pick(page, of, 4);
    await says(page, "The wave is finished once there is a net.");
    await browser.check(page, "offline-all-picked");
    assert.equal(await of.picked(), 2);
    // Half an hour: longer than the lease.
    await db.run(
      `update pick_leases set taken_at = taken_at - interval '30 minutes', heard_at = heard_at - interval '30 minutes',
         expires_at = expires_at - interval '30 minutes'`,
    );
    await comeBack(page);
    await says(page, "The net is back. Scans sent: 4");
    assert.equal(await of.picked(), 2 + 2 + 1 + 2 + 2);
    const late = await db.rows(
      "select 1 from audit_log where action_type = 'PICK' and warehouse_id = $1 and details ? 'scanned_at'",
      [of.here],
    );
    assert.equal(late.length, 5);
    await browser.check(page, "offline-back");
    await press(page, "Finish the wave");
    await says(page, "9 pcs picked");
    await service.admin.ok("PUT", "/api/admin/settings", { settings: { pick_lease_minutes: "120" } });
  });

  it("judges a scan itself in whose moment the net goes", async () => {
    const of = await wave(2);
    const page = await walking(of);
    await until(() => page.evaluate<boolean>("Object.keys(localStorage).some((key) => key.endsWith('/walk'))"));
    await leaveDuring(page, "**/api/picking/confirm");
    await scan(page, skuOf(of, 1));
    await says(page, "This is the wrong item.");
    await kept(page, 0);
    await pick(page, of, 0);
    await kept(page, 1);
    await comeBack(page);
    await says(page, "The net is back. Scans sent: 1");
    await pick(page, of, 1);
    await press(page, "Finish the wave");
    await says(page, "4 pcs picked");
  });

  it("goes on after its tab was killed, with the answer of a scan lost and without the net", async () => {
    const of = await wave(3);
    let page = await walking(of);
    const context = page.context();
    // It arrives, and its answer does not.
    await page.route("**/api/picking/confirm", async (route) => {
      await route.fetch().catch(() => {});
      await route.abort().catch(() => {});
    });
    await pick(page, of, 0);
    await until(async () => (await of.picked()) === 2);
    await context.setOffline(true);
    await page.close();
    page = await context.newPage();
    await page.goto(`${service.url}/scan/pick`);
    await pick(page, of, 1);
    await says(page, `2 × ${skuOf(of, 2)}`);
    const inLook = async (language: string, theme: string) => {
      const kept = `localStorage.language = '"${language}"'; localStorage.theme = '"${theme}"'`;
      await page.evaluate(kept);
      await page.reload();
    };
    await inLook("de", "dark");
    await says(page, "Kein Netz seit");
    await browser.check(page, "offline-german");
    await inLook("en", "light");
    await pick(page, of, 2);
    await says(page, "The wave is finished once there is a net.");
    await page.close();
    page = await context.newPage();
    await context.setOffline(false);
    await page.goto(`${service.url}/scan/pick`);
    await page.getByRole("button", { name: "Finish the wave" }).waitFor();
    assert.equal(await of.picked(), 6);
    assert.equal(await sumOf("select 1 from audit_log where action_type = 'PICK' and warehouse_id = $1", of.here), 3);
    await press(page, "Finish the wave");
    await says(page, "6 pcs picked");
  });

  it("offers a task again whose scan was refused, also without the net", async () => {
    const of = await wave(1);
    const page = await walking(of);
    await leave(page);
    await db.run("update items set sku = sku || '-B' where item_id = $1", [of.goods[0]?.item_id]);
    await pick(page, of, 0);
    await kept(page, 1);
    await comeBack(page);
    await says(page, "This is the wrong item.");
    await press(page, "It is put back");
    await says(page, `2 × ${skuOf(of, 0)}-B`);
    const knows = `([key, value]) => key.endsWith("/walk") && value.includes("-B")`;
    const isLeased = `Object.entries(localStorage).some(${knows})`;
    await until(() => page.evaluate<boolean>(isLeased));
    await leave(page);
    await kept(page, 0);
    await into(page, "Scan the item", `${skuOf(of, 0)}-B`);
    await kept(page, 1);
    await comeBack(page);
    await says(page, "The net is back. Scans sent: 1");
    assert.equal(await of.picked(), 2);
    await press(page, "Finish the wave");
    await says(page, "2 pcs picked");
  });

  it("gives its wave to another device, and says what to put back", async () => {
    const of = await wave(2);
    const one = await walking(of);
    await leave(one);
    await pick(one, of, 0);
    await kept(one, 1);
    const two = await device(browser, "pick", of.username);
    const name = (await leaseOf(of.so_number))?.device ?? "";
    await says(two, `${of.username} picks this wave, on device ${name}.`);
    await browser.check(two, "offline-held");
    await press(two, "Pick it on this device");
    await pick(two, of, 0);
    await says(two, `2 × ${skuOf(of, 1)}`);
    await comeBack(one);
    await says(one, "Put back");
    await says(one, `2 × ${skuOf(of, 0)} back to ${of.goods[0]?.bin_code}`);
    await says(one, "The wave is no longer on this device");
    await browser.check(one, "offline-put-back");
    assert.equal(await of.picked(), 2);
    await press(one, "It is put back");
    await says(one, "picks this wave, on device");
    await pick(two, of, 1);
    await press(two, "Finish the wave");
    await says(two, "4 pcs picked");
  });

  it("gives its wave back when its picker signs out, but for what is not yet sent", async () => {
    const of = await wave(3);
    const one = await walking(of);
    await pick(one, of, 0);
    await says(one, `2 × ${skuOf(of, 1)}`);
    const toMenu = async () => {
      await one.goto(`${service.url}/scan/`);
      await press(one, /^Sign out/);
    };
    await leave(one);
    await pick(one, of, 1);
    await kept(one, 1);
    await one.route("**/api/picking/confirm", (route) => route.abort());
    await comeBack(one);
    await toMenu();
    await press(one, "Sign out and keep it");
    await one.getByLabel("Username").waitFor();
    const isHeld = async () =>
      (await service.admin.ok("GET", `/api/picking/batch/${(await leaseOf(of.so_number))?.batch_id}`)).lease !== null;
    assert.ok(await isHeld());
    await one.unrouteAll();
    await signIn(one, of.username);
    await until(async () => (await of.picked()) === 4);
    await one.getByText(/Not yet sent/).waitFor({ state: "detached" });
    await toMenu();
    await one.getByLabel("Username").waitFor();
    assert.ok(!(await isHeld()));
    // The session that it would open with is the one that was ended.
    const two = await device(browser, "pick", of.username);
    await signIn(two, of.username);
    await pick(two, of, 2);
    await press(two, "Finish the wave");
    await says(two, "6 pcs picked");
  });

  it("leaves the wave of a lost device to a colleague, who scans one of its orders", async () => {
    const of = await wave(1);
    const one = await walking(of);
    await leave(one);
    const colleague = await floorWorker(of.here);
    const two = await device(browser, "pick", colleague);
    await into(two, "Scan an order", of.so_number);
    await press(two, "To its wave");
    await says(two, `${of.username} picks this wave, on device`);
    await press(two, "Pick it on this device");
    await pick(two, of, 0);
    await press(two, "Finish the wave");
    await says(two, "2 pcs picked");
    assert.equal(
      await db.value("select picked_by from pick_tasks where batch_id = $1", [(await leaseOf(of.so_number))?.batch_id]),
      colleague,
    );
  });

  it("is told what the desk did meanwhile, which sees the device", async () => {
    const of = await wave(2);
    const page = await walking(of);
    await pick(page, of, 0);
    await says(page, `2 × ${skuOf(of, 1)}`);
    await leave(page);
    await pick(page, of, 1);
    await kept(page, 1);
    const { device: name, batch_id } = (await leaseOf(of.so_number)) ?? { device: "", batch_id: 0 };
    const { username } = await person();
    const desk = await browser.open({ path: `/console/waves/${batch_id}`, username });
    await says(desk, `${name}, since`);
    await browser.check(desk, "offline-desk");
    await press(desk, "Take it from the device");
    await confirmDialog(desk);
    await desk.getByText(`${name}, since`).waitFor({ state: "detached" });
    await comeBack(page);
    await says(page, `${username} has taken it or ended its lease`);
    await press(page, "It is put back");
    // The wave is still the picker's.
    await pick(page, of, 1);
    await says(page, "Everything is picked.");
    await leave(page);
    await says(page, "The wave is finished once there is a net.");
    await service.admin.ok("POST", `/api/admin/pick-batches/${batch_id}/delete`);
    await comeBack(page);
    await page.getByRole("textbox", { name: "Scan an order" }).waitFor();
  });
});
