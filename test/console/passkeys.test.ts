import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { says } from "../support/at-scanner.js";
import { confirmDialog, consoleBrowser } from "../support/console.js";
import { db } from "../support/db.js";
import { PASSWORD, person } from "../support/people.js";
import { testService } from "../support/service.js";
import { virtualDevice } from "../support/virtual-device.js";

async function signInAt(page: Page, username: string): Promise<void> {
  await page.locator("[name=username]").fill(username);
  await page.locator("[name=password]").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
}

describe("passkeys in the browser", () => {
  const service = testService();
  const browser = consoleBrowser(() => service);
  const atDesk = (page: Page) => page.getByRole("button", { name: /^Account of/ }).waitFor();

  async function add(page: Page, name: string): Promise<void> {
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByLabel("What you call it").fill(name);
    await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
    await page.getByRole("button", { name: "Next" }).click();
  }

  it("are made on two devices, each signs in at the desk, and one is removed", async () => {
    const { username, user_id } = await person();
    const page = await browser.open({ path: "/console/" });
    // Browsers make no passkeys for an address in numbers.
    const desk = `${service.url.replace("127.0.0.1", "localhost")}/console/`;
    await page.goto(desk);
    const session = await page.context().newCDPSession(page);
    await session.send("WebAuthn.enable");
    await signInAt(page, username);
    await atDesk(page);
    await page.goto(`${desk}security`);
    const phone = await virtualDevice(session);
    await add(page, "phone");
    await says(page, "Your recovery codes");
    await page.getByRole("button", { name: "I have kept them" }).click();
    await page
      .getByRole("cell", { name: "phone", exact: true })
      .or(page.getByText("phone", { exact: true }))
      .first()
      .waitFor();
    await phone.answers(false);
    const key = await virtualDevice(session);
    await add(page, "security key");
    await says(page, "security key");
    await browser.check(page, "security-passkeys");
    assert.deepEqual([(await phone.made()).length, (await key.made()).length], [1, 1]);

    for (const one of [key, phone]) {
      await Promise.all([key, phone].map((other) => other.answers(other === one)));
      await page.context().clearCookies();
      await page.goto(desk);
      await signInAt(page, username);
      await page.getByRole("button", { name: "With a passkey" }).waitFor();
      await browser.check(page, "second-step-passkey");
      await page.getByRole("button", { name: "With a passkey" }).click();
      await atDesk(page);
    }
    const used = await db.value("select count(last_used_at)::int from user_passkeys where user_id = $1", [user_id]);
    assert.equal(used, 2);

    await page.goto(`${desk}security`);
    await page.getByRole("button", { name: "Remove" }).first().click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Password" }).fill(PASSWORD);
    await confirmDialog(page);
    assert.equal(await db.value("select count(*)::int from user_passkeys where user_id = $1", [user_id]), 1);
    // Cookies of this host are not of the service's own address, where the next visit begins.
    await page.context().close();
  });
});
