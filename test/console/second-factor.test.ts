import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { says } from "../support/at-scanner.js";
import { confirmDialog, consoleBrowser } from "../support/console.js";
import { db } from "../support/db.js";
import { codeOf, timePasses, withApp } from "../support/factors.js";
import { PASSWORD, person } from "../support/people.js";
import { testService } from "../support/service.js";

/** At the desk or at the scanner, which name their fields alike. */
async function signIn(page: Page, username: string): Promise<void> {
  await page.locator("[name=username]").fill(username);
  await page.locator("[name=password]").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Sets the app up in a page that offers it, and gives its secret. */
async function setUp(page: Page): Promise<string> {
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("img", { name: "QR code for the app" }).waitFor();
  const secret = await page.getByLabel("Secret").inputValue();
  await page.getByLabel("Code of the app").fill("000000");
  await page.getByRole("button", { name: "Confirm" }).click();
  await says(page, "The code is not right. Is the clock of the phone?");
  await page.getByLabel("Code of the app").fill(codeOf(secret));
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByText("Your recovery codes").first().waitFor();
  return secret;
}

describe("a second factor in the browser", () => {
  const service = testService();
  const browser = consoleBrowser(() => service);
  const idOf = (username: string) => db.value<number>("select user_id from users where username = $1", [username]);
  /** Whoever may work in no warehouse yet is told so there. */
  const atScanner = (page: Page) => page.getByRole("button", { name: "Sign in" }).waitFor({ state: "detached" });
  const atDesk = (page: Page) => page.getByRole("button", { name: /^Account of/ }).waitFor();

  it("is set up, asked for at desk and scanner, replaced by recovery codes, and removed", async () => {
    const { username } = await person();
    const user_id = (await idOf(username)) as number;
    const page = await browser.open({ path: "/console/profile", username });
    await page.getByRole("link", { name: "Security of my account" }).click();
    await says(page, "No authenticator app is set up.");
    await browser.check(page, "security-nothing");
    await page.getByRole("button", { name: "Set up an authenticator app" }).click();
    const secret = await setUp(page);
    await browser.check(page, "security-recovery-codes");
    const codes = ((await page.getByLabel("Your recovery codes").textContent()) ?? "").trim().split(/\s+/);
    assert.equal(codes.length, 10);
    await page.getByRole("button", { name: "I have kept them" }).click();
    await says(page, "Asked for since");
    await browser.check(page, "security-app");

    for (const path of ["/console/", "/scan/"]) {
      const other = await browser.open({ path, size: path === "/scan/" ? "phone" : "desk" });
      await signIn(other, username);
      await other.getByLabel("Code of the app").fill("000000");
      await browser.check(other, `second-step${path.replaceAll("/", "-")}`);
      await other.getByRole("button", { name: "Sign in" }).click();
      await says(other, "The code is wrong, or was used already.");
      await timePasses({ user_id });
      await other.getByLabel("Code of the app").fill(codeOf(secret));
      await other.getByRole("button", { name: "Sign in" }).click();
      if (path === "/scan/") await atScanner(other);
      else await atDesk(other);
    }

    for (const [i, path] of ["/console/", "/scan/"].entries()) {
      const other = await browser.open({ path });
      await signIn(other, username);
      await other.getByRole("button", { name: "With a recovery code" }).click();
      await other.getByLabel("Recovery code").fill(codes[i] as string);
      await other.getByRole("button", { name: "Sign in" }).click();
      if (path === "/scan/") await atScanner(other);
      else await atDesk(other);
    }

    await page.reload();
    await page.getByRole("button", { name: "Make new recovery codes" }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Password" }).fill(PASSWORD);
    await confirmDialog(page);
    await page.getByRole("button", { name: "I have kept them" }).click();
    await page.getByRole("button", { name: "Remove the app" }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Password" }).fill(PASSWORD);
    await confirmDialog(page);
    await says(page, "No authenticator app is set up.");
    const out = await browser.open({ path: "/console/" });
    await signIn(out, username);
    await atDesk(out);
  });

  it("is set up first where the role needs it, at the desk", async () => {
    await db.run("insert into app_settings (key, value) values ('second_factor_roles', 'USER')");
    const { username } = await person({ role: "USER", page_keys: ["items"] });
    const atScanner = await browser.open({ path: "/scan/", size: "phone" });
    await signIn(atScanner, username);
    await says(atScanner, "Set it up at the desk, then come back.");
    await browser.check(atScanner, "scan-enrolment");
    const page = await browser.open({ path: "/console/" });
    await signIn(page, username);
    await says(page, "Your role needs a second factor beside the password.");
    await browser.look("desk-enrolment", { path: "/console/", username }, (other) =>
      other.getByRole("button", { name: /Next|Weiter/ }).waitFor(),
    );
    await setUp(page);
    await page.getByRole("button", { name: "I have kept them" }).click();
    await atDesk(page);
    await page.reload();
    await atDesk(page);
    await db.run("update app_settings set value = '' where key = 'second_factor_roles'");
  });

  it("is reset by an ADMIN at the page of its user", async () => {
    const { username } = await person();
    const lost = await withApp(service.anyone, { role: "USER" });
    const page = await browser.open({ path: `/console/users/${lost.user_id}`, username });
    await page.getByRole("button", { name: "Reset second factor" }).click();
    await confirmDialog(page);
    await says(page, "The user has no second factor.");
    await browser.check(page, "user-without-factor");
    assert.equal((await lost.own.get("/api/auth/me")).status, 401);
  });
});
