import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { floor, floorWorker, into, press } from "../support/at-scanner.js";
import { consoleBrowser } from "../support/console.js";
import { person } from "../support/people.js";
import { testService } from "../support/service.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const THE_MODULE = "shared/kept.ts";

/** What may be kept of a device, whoever uses it: of nobody's work, and of no interest to the next one. */
const OF_DEVICE = ["language", "theme", "mantine-color-scheme-value", "device", "printer", "dock"];

/** What a page can keep things in. */
const KEEPERS = /\b(localStorage|sessionStorage|indexedDB|cookieStore|openDatabase)\b|document\.cookie\s*=|\bcaches\./;

describe("what a browser keeps of the desk and the scanner", () => {
  const service = testService();
  const browser = consoleBrowser(() => service);

  it("goes through one module, which takes the user", () => {
    const sources = ["console", "client/src"].flatMap((folder) =>
      readdirSync(ROOT + folder, { recursive: true, encoding: "utf8" })
        .filter((name) => /\.(tsx?|js|html)$/.test(name))
        .map((name) => ({ name, text: readFileSync(`${ROOT}${folder}/${name}`, "utf8") })),
    );
    const users = sources.filter(({ text }) => KEEPERS.test(text)).map(({ name }) => name);
    // The service worker keeps the page itself, with nobody's data; a partner is no user of the house.
    assert.deepEqual(users.sort(), ["public/scan-worker.js", THE_MODULE, "shared/partner-session.ts"]);
    const module = sources.find(({ name }) => name === THE_MODULE)?.text ?? "";
    const [, listed = ""] = /const ofDevice = \[(.*?)\]/s.exec(module) ?? [];
    assert.deepEqual(
      [...listed.matchAll(/"([^"]+)"/g)].map(([, name]) => name),
      OF_DEVICE,
    );
    const exported = [...module.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
    assert.deepEqual(exported.sort(), ["keptFor", "keptOfAll", "keptOnDevice", "onKept"]);
  });

  /** The names of all that outlives the page. */
  async function kept(page: Page): Promise<string[]> {
    const { cookies, origins } = await page.context().storageState({ indexedDB: true });
    const stored = origins.flatMap(({ localStorage, ...more }) => [
      ...localStorage.map(({ name }) => name),
      ...((more as { indexedDB?: { name: string }[] }).indexedDB ?? []).map(({ name }) => `indexedDB ${name}`),
    ]);
    const ofTab = await page.evaluate<string[]>("Object.keys(sessionStorage)");
    return [...stored, ...ofTab, ...cookies.map(({ name }) => `cookie ${name}`)];
  }
  /** Of the session, which ends when somebody signs out. */
  const isSession = (name: string) => ["cookie service_auth", "cookie service_csrf"].includes(name);

  it("is somebody's, or on the list", async () => {
    const site = await floor();
    const username = await floorWorker(site.here);
    const page = await browser.open({ path: "/scan/receive", username, size: "phone" });
    await page.evaluate("localStorage.setItem('unanswered.receive', '{}')");
    await into(page, "Scan the purchase order", site.bought.po_number);
    await press(page, new RegExp(site.goods.sku));
    await page.route("**/api/receiving/receive", (route) => route.abort());
    await into(page, "Scan the bin", site.code.dock);
    await press(page, /^Receive 10/);
    await page.goto(`${service.url}/scan/`);
    await press(page, "Dark");
    await press(page, "Deutsch");
    const { external_id } = (await service.admin.ok("GET", "/api/admin/users")).users.find(
      (user: { username: string }) => user.username === username,
    );
    const names = (await kept(page)).filter((name) => !isSession(name));
    const own = names.filter((name) => name.startsWith(`${external_id}/`));
    assert.ok(own.includes(`${external_id}/unanswered.receive`), names.join());
    assert.ok(own.includes(`${external_id}/task.receive`), names.join());
    assert.deepEqual(names.filter((name) => !own.includes(name)).sort(), ["dock", "language", "theme"]);
  });

  it("is so at the desk, too", async () => {
    const { username, external_id } = await person();
    const page = await browser.open({ path: "/console/items", username });
    const { code } = (await service.admin.ok("GET", "/api/warehouses/list")).warehouses[0];
    await page.getByRole("combobox", { name: "Warehouse" }).selectOption({ label: code });
    await page.getByRole("button", { name: new RegExp(username) }).click();
    await page.getByRole("menuitem", { name: "Dark" }).click();
    const names = (await kept(page)).filter((name) => !isSession(name));
    const own = names.filter((name) => name.startsWith(`${external_id}/`));
    assert.deepEqual(own, [`${external_id}/warehouse`]);
    assert.deepEqual(
      names.filter((name) => !own.includes(name)),
      ["mantine-color-scheme-value"],
    );
  });
});
