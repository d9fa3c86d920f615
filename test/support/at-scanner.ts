import type { Page } from "playwright-core";
import { floorFunctions } from "../../src/auth/rights.js";
import type { Caller } from "./caller.js";
import { scan } from "./console.js";
import { db } from "./db.js";
import { bin, item, purchaseOrder, salesOrder, stock, warehouse } from "./fixtures.js";
import { PASSWORD, person } from "./people.js";

/** What people do at the scanner, in whatever page. */

export const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
export const press = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name }).or(page.getByRole("link", { name })).first().click();
/** Scans into the field of this name, once it is there. */
export async function into(page: Page, name: string, code: string): Promise<void> {
  await page.getByRole("textbox", { name, exact: true }).waitFor();
  await scan(page, code);
}
/** Types a code as fingers do. */
export async function type(page: Page, name: string, code: string): Promise<void> {
  await page.getByRole("textbox", { name, exact: true }).waitFor();
  await page.keyboard.type(code, { delay: 60 });
  await page.keyboard.press("Enter");
}

export async function signIn(page: Page, username: string): Promise<void> {
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Somebody who may do everything on the floor of one warehouse, and so is not asked where. */
export async function floorWorker(warehouse_id: number): Promise<string> {
  const allowed_functions = [...floorFunctions];
  return (await person({ role: "USER", warehouse_ids: [warehouse_id], allowed_functions })).username;
}

/** A warehouse with a dock and two shelves, in which something waits for each task. */
export async function floor() {
  const here = await warehouse();
  const goods = await item();
  const more = await item();
  const dock = await bin(here, { code: `DOCK-${here}`, type: "Staging" });
  const shelf = await bin(here, { code: `SHELF-${here}`, pick_sequence: 1 });
  await bin(here, { code: `OTHER-${here}`, pick_sequence: 2 });
  await bin(here, { code: `EMPTY-${here}`, pick_sequence: 3 });
  await stock(here, dock, goods.item_id, 5);
  await stock(here, shelf, goods.item_id, 20);
  const bought = await purchaseOrder(here, [
    { item_id: goods.item_id, quantity: 10 },
    { item_id: more.item_id, quantity: 3 },
  ]);
  const code = { dock: `DOCK-${here}`, shelf: `SHELF-${here}`, other: `OTHER-${here}`, empty: `EMPTY-${here}` };
  return { here, goods, more, bought, code };
}
export type Floor = Awaited<ReturnType<typeof floor>>;

/** An order of two units, as far as it is to be. */
export async function orderTo(pick: "pick" | "pack" | "ship", { here, goods }: Floor, by: Caller) {
  const order = await salesOrder(here, [{ item_id: goods.item_id, quantity: 2 }]);
  if (pick === "pick") return order;
  const { so_id } = order;
  const wave = await by.ok("POST", "/api/picking/wave-create", { so_ids: [so_id], warehouse_id: here });
  const { pick_task_id } = wave.first_pick;
  const scanned = { scanned_barcode: goods.sku, quantity_picked: 2 };
  await by.ok("POST", "/api/picking/confirm", { pick_task_id, ...scanned });
  await by.ok("POST", "/api/picking/complete-batch", { batch_id: wave.batch_id });
  if (pick === "pack") return order;
  await by.ok("POST", "/api/packing/verify", { so_id, scanned_barcode: goods.sku, quantity: 2 });
  await by.ok("POST", "/api/packing/complete", { so_id });
  return order;
}

/** How many rows there are, or units in them. */
export const sumOf = async (what: string, ...values: unknown[]): Promise<number> =>
  (await db.value<number>(`select coalesce(sum(n), 0)::int as sum from (${what}) as of(n)`, values)) ?? 0;
