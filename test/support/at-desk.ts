import type { Page } from "playwright-core";
import { tabTo } from "./console.js";

/** What people do at the desk, by keyboard alone. */
export async function press(page: Page, name: string | RegExp): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press("Enter");
}

/** Presses a button, and what its dialog has the focus on: its question has no fields. */
export async function decide(page: Page, name: string | RegExp): Promise<void> {
  await press(page, name);
  await page.getByRole("dialog").locator("[type=submit]").and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
}

/** Types over what a field holds. */
export async function typeOver(page: Page, field: string | RegExp, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(text);
}

/** Looks for a record in the field of this name, and takes the first one that is found. */
export async function choose(page: Page, field: string, text: string, option: RegExp | string): Promise<void> {
  await tabTo(page, new RegExp(`^${field}$`));
  await page.keyboard.type(text);
  await page.getByRole("option", { name: option }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
}

/** Announces what a customer sends back of a shipped order that is shown; the page goes on at the return. */
export async function createReturn(page: Page, item: RegExp, units: number): Promise<void> {
  await press(page, "Create return");
  await page.getByRole("dialog").waitFor();
  await typeOver(page, item, String(units));
  await press(page, "Create return");
  await page.getByRole("heading", { name: /-RMA/ }).waitFor();
}

/** Receives units of the return that is shown, and waits for the status that it gets by that. */
export async function receiveReturn(page: Page, units: number, bin: string, status: string): Promise<void> {
  await press(page, "Receive");
  await page.getByRole("dialog").waitFor();
  await typeOver(page, "Quantity", String(units));
  await choose(page, "Bin", bin, bin);
  await press(page, "Receive");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByText(status, { exact: true }).first().waitFor();
}
