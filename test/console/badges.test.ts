import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { floor, floorWorker, into, press, says, signIn, sumOf } from "../support/at-scanner.js";
import { confirmDialog, consoleBrowser, scan } from "../support/console.js";
import { db } from "../support/db.js";
import { PASSWORD, person, sessionsOf } from "../support/people.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

const PIN = "271828";

/** Types a PIN as fingers do. */
async function typePin(page: Page, pin: string): Promise<void> {
  await page.getByLabel("PIN").waitFor();
  await page.keyboard.type(pin, { delay: 60 });
  await page.keyboard.press("Enter");
}

describe("badges in the browser", () => {
  const service = testService({ worker: true });
  const { signedIn } = sessionsOf(() => service);
  const browser = consoleBrowser(() => service);
  const setting = (settings: object) => service.admin.ok("PUT", "/api/admin/settings", { settings });
  beforeEach(() => setting({ badge_sign_in: "true", scanner_idle_minutes: "0", allow_over_receiving: "true" }));

  const idOf = (username: string) => db.value<number>("select user_id from users where username = $1", [username]);

  /** The code of a new badge of this user, with a PIN. */
  async function badgeFor(username: string): Promise<string> {
    const { code } = await service.admin.ok("POST", `/api/admin/users/${await idOf(username)}/badge`, {});
    const own = await signedIn(username);
    await own.ok("PUT", "/api/auth/badge-pin", { current_password: PASSWORD, pin: PIN });
    return code;
  }

  it("are made, replaced and revoked at the page of a user, and shown once", async () => {
    const { username } = await person();
    const worker = await person({ role: "USER" });
    const page = await browser.open({ path: `/console/users/${worker.user_id}`, username });
    await says(page, "The user has no badge.");
    await page.getByRole("button", { name: "Make a badge" }).click();
    await browser.check(page, "badge-make");
    const made = page.waitForEvent("download");
    await confirmDialog(page);
    assert.equal((await made).suggestedFilename(), `badge-${worker.username}.pdf`);
    const shown = page.getByLabel(`What the badge of ${worker.username} says`);
    assert.match(await shown.inputValue(), /^\d{40}$/);
    await says(page, "not set: the badge opens nothing yet");
    await browser.check(page, "badge-made");
    await page.reload();
    await says(page, "not set: the badge opens nothing yet");
    assert.equal(await shown.count(), 0);
    await page.getByRole("button", { name: "Replace the badge" }).click();
    await page.getByRole("dialog").getByLabel("Print as").selectOption({ label: "ZPL, for label printers" });
    const replaced = page.waitForEvent("download");
    await confirmDialog(page);
    assert.equal((await replaced).suggestedFilename(), `badge-${worker.username}.zpl`);
    await page.getByRole("button", { name: "Revoke the badge" }).click();
    await confirmDialog(page);
    await says(page, "The user has no badge.");
    assert.equal(await shown.count(), 0);
    await setting({ badge_sign_in: "false" });
    await page.reload();
    await says(page, "Signing in with badges is switched off in the settings.");
  });

  it("get their PIN from the user, at the desk or at the scanner", async () => {
    const site = await floor();
    for (const [path, title] of [
      ["/console/profile", "My account"],
      ["/scan/", "What now?"],
    ] as const) {
      const worker = await floorWorker(site.here);
      await service.admin.ok("POST", `/api/admin/users/${await idOf(worker)}/badge`, {});
      const page = await browser.open({ path, username: worker, size: "phone" });
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      if (path === "/scan/") await press(page, "PIN of your badge");
      const form = page.locator("form").filter({ has: page.getByRole("button", { name: "Set the PIN" }) });
      await form.locator("[name^=current]").fill(PASSWORD);
      await form.locator("[name=pin]").fill("1234");
      await form.getByRole("button", { name: "Set the PIN" }).click();
      await says(page, "The PIN is too easy to guess.");
      await browser.check(page, `badge-pin${path.replaceAll("/", "-")}`);
      await form.locator("[name=pin]").fill(PIN);
      await form.getByRole("button", { name: "Set the PIN" }).click();
      await says(page, "The PIN is set.");
    }
    assert.equal(await db.value("select count(*)::int from user_badges where pin_hash is null"), 0);
  });

  it("are scanned at the scanner and followed by the PIN; another badge takes the place of the first", async () => {
    const site = await floor();
    const [one, two] = [await floorWorker(site.here), await floorWorker(site.here)];
    const [first, second] = [await badgeFor(one), await badgeFor(two)];
    await browser.look("scan-badge", { path: "/scan/" }, (page) =>
      page.getByRole("button", { name: /With a password|Mit Passwort/ }).waitFor(),
    );
    const page = await browser.open({ path: "/scan/", size: "phone" });
    // The focus is on a button, which the scanner does not press.
    await page.getByRole("button", { name: "With a password" }).focus();
    await into(page, "Scan your badge", first);
    const pin = page.getByLabel("PIN");
    await pin.waitFor();
    await browser.check(page, "scan-badge-pin");
    await typePin(page, "314159");
    await says(page, "Badge or PIN is wrong.");
    assert.equal(await pin.inputValue(), "");
    // Into the field for the PIN.
    await scan(page, second);
    await page.getByText("Badge or PIN is wrong.").waitFor({ state: "detached" });
    await typePin(page, PIN);
    await page.getByRole("button", { name: `Sign out (${two})` }).waitFor();
    assert.equal(await page.getByText(second).count(), 0);
    await press(page, /^Sign out/);
    await into(page, "Scan your badge", "40".repeat(20));
    await typePin(page, PIN);
    await says(page, "Badge or PIN is wrong.");
    await press(page, "Another badge");
    await press(page, "With a password");
    await press(page, "With a badge");
    await press(page, "With a password");
    await signIn(page, one);
    await page.getByRole("button", { name: `Sign out (${one})` }).waitFor();
  });

  it("change who works at a shared device, and what one has not sent stays that person's", async () => {
    const site = await floor();
    const [one, two] = [await floorWorker(site.here), await floorWorker(site.here)];
    const [first, second] = [await badgeFor(one), await badgeFor(two)];
    const page = await browser.open({ path: "/scan/receive", size: "phone" });
    const enter = async (badge: string) => {
      await into(page, "Scan your badge", badge);
      await typePin(page, PIN);
    };
    await enter(first);
    await page.route("**/api/receiving/receive", (route) => route.abort());
    await into(page, "Scan the purchase order", site.bought.po_number);
    await press(page, new RegExp(site.goods.sku));
    await into(page, "Scan the bin", site.code.dock);
    await press(page, /^Receive 10/);
    await page.goto(`${service.url}/scan/`);
    await press(page, /^Sign out/);
    await press(page, "Sign out and keep it");
    await page.getByRole("textbox", { name: "Scan your badge" }).waitFor();
    await page.unrouteAll();
    await enter(second);
    await page.getByRole("button", { name: `Sign out (${two})` }).waitFor();
    await page.goto(`${service.url}/scan/receive`);
    await says(page, `Not yet sent, by ${one}: Receive`);
    await page.goto(`${service.url}/scan/`);
    await press(page, /^Sign out/);
    await enter(first);
    await page.getByRole("link", { name: "Not yet sent: Receive" }).click();
    const received = "select quantity_received from item_receipts where warehouse_id = $1";
    await until(async () => (await sumOf(received, site.here)) === 10);
    const authors = await db.rows("select distinct user_id from audit_log where action_type = 'RECEIVE'");
    assert.deepEqual(authors, [{ user_id: one }]);
  });

  it("change who works, when one is scanned while another one is signed in", async () => {
    const site = await floor();
    const [one, two] = [await floorWorker(site.here), await floorWorker(site.here)];
    const second = await badgeFor(two);
    const page = await browser.open({ path: "/scan/", username: one, size: "phone" });
    await page.getByRole("button", { name: `Sign out (${one})` }).waitFor();
    await scan(page, second);
    await says(page, "This is a badge. Does somebody else work here now?");
    assert.equal(await page.getByText(second).count(), 0);
    await browser.check(page, "scan-badge-of-another");
    await press(page, "Stay signed in");
    await page.getByText("This is a badge.").waitFor({ state: "detached" });
    await scan(page, second);
    await press(page, "Change the user");
    await typePin(page, PIN);
    await page.getByRole("button", { name: `Sign out (${two})` }).waitFor();
    // It was for that time alone.
    await press(page, /^Sign out/);
    await page.getByRole("textbox", { name: "Scan your badge" }).waitFor();
  });

  it("are asked for once nobody has touched the device for so long, and not before", async () => {
    const site = await floor();
    const worker = await floorWorker(site.here);
    const badge = await badgeFor(worker);
    await setting({ scanner_idle_minutes: "0.05" });
    const page = await browser.open({ path: "/scan/", username: worker, size: "phone" });
    await page.getByRole("button", { name: `Sign out (${worker})` }).waitFor();
    await page.getByRole("textbox", { name: "Scan your badge" }).waitFor();
    await setting({ scanner_idle_minutes: "0" });
    await into(page, "Scan your badge", badge);
    await typePin(page, PIN);
    await page.getByRole("button", { name: `Sign out (${worker})` }).waitFor();
  });

  it("end what they began, at the device too, when they are revoked", async () => {
    const site = await floor();
    const worker = await floorWorker(site.here);
    const badge = await badgeFor(worker);
    const page = await browser.open({ path: "/scan/", size: "phone" });
    await into(page, "Scan your badge", badge);
    await typePin(page, PIN);
    await page.getByRole("button", { name: `Sign out (${worker})` }).waitFor();
    await service.admin.ok("DELETE", `/api/admin/users/${await idOf(worker)}/badge`);
    await page.reload();
    await into(page, "Scan your badge", badge);
    await typePin(page, PIN);
    await says(page, "Badge or PIN is wrong.");
  });
});
