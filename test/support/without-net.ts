import type { Page } from "playwright-core";
import { says } from "./at-scanner.js";
import type { ConsoleBrowser } from "./console.js";
import { until } from "./until.js";

/** Scanners that go on without the net. */

/** Opens a task on a device of its own, with all that it needs to open again without the net. */
export async function device(browser: ConsoleBrowser, task: string, username: string, answers: number[] = []) {
  const where = { size: "phone", serviceWorkers: "allow", answers } as const;
  const page = await browser.open({ path: `/scan/${task}`, username, ...where });
  await page.evaluate("navigator.serviceWorker.ready");
  await page.reload();
  await page.getByRole("heading", { level: 1 }).waitFor();
  const isWhole = "caches.match('/scan/').then((page) => page !== undefined)";
  await until(() => page.evaluate<boolean>(isWhole));
  return page;
}

/** Waits until so many scans are kept. */
export const kept = (page: Page, count: number) => says(page, `scans are kept (${count})`);
export const leave = (page: Page) => page.context().setOffline(true);
/** The net goes while the next request of this path is under way, which does not arrive. */
export const leaveDuring = (page: Page, path: string) =>
  page.route(
    path,
    async (route) => {
      await leave(page);
      await route.abort().catch(() => {});
    },
    { times: 1 },
  );
export const comeBack = (page: Page) => page.context().setOffline(false);

/** Waits until a delivery is on the device. */
export const hasDelivery = (page: Page, po_id: number) => {
  const isThere = `Object.keys(localStorage).some((key) => key.endsWith("/delivery.${po_id}"))`;
  return until(() => page.evaluate<boolean>(isThere));
};
