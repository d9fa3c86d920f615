import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { press, says } from "../support/at-scanner.js";
import { consoleBrowser } from "../support/console.js";
import { db } from "../support/db.js";
import { codeOf, timePasses } from "../support/factors.js";
import { warehouse } from "../support/fixtures.js";
import { envOf, type IdentityProvider, openIdentityProvider } from "../support/identity-provider.js";
import { openService, type TestService } from "../support/service.js";
import { unique } from "../support/unique.js";
import { virtualDevice } from "../support/virtual-device.js";

describe("a second factor beside the company's provider, in the browser", () => {
  let idp: IdentityProvider;
  let service: TestService;
  before(async () => {
    idp = await openIdentityProvider();
    service = await openService({ env: envOf(idp) });
    idp.serve(atLocalhost(service.url));
    const groups = [{ group: "office", warehouse_ids: [await warehouse()], page_keys: ["items"] }];
    const mapping = { username_claim: "preferred_username", groups_claim: "groups", groups };
    await service.admin.ok("PUT", "/api/admin/sign-in/mapping", mapping);
    const settings = { second_factor_roles: "USER", second_factor_at_provider: "none" };
    await service.admin.ok("PUT", "/api/admin/settings", { settings });
  });
  const browser = consoleBrowser(() => service);
  after(async () => {
    await service.close();
    await idp.close();
  });

  const atDesk = (page: Page) => page.getByRole("button", { name: /^Account of/ }).waitFor();
  async function signIn(page: Page, path: string, role: "link" | "button") {
    await page.context().clearCookies();
    await page.goto(`${atLocalhost(service.url)}${path}`);
    await page.getByRole(role, { name: "Sign in with Example ID" }).click();
  }

  it("is set up without a password, and shown by code and by passkey at desk and scanner", async () => {
    const username = `sso-${unique().toLowerCase()}`;
    idp.signsIn({ preferred_username: username, name: "Ann Office", groups: ["office"] });
    const page = await browser.open({ path: "/console/" });
    const session = await page.context().newCDPSession(page);
    await session.send("WebAuthn.enable");
    await virtualDevice(session);
    await signIn(page, "/console/", "link");
    await says(page, "Your role needs a second factor beside the password.");
    assert.equal(await page.getByRole("textbox", { name: "Password" }).count(), 0);
    await page.getByRole("button", { name: "Next" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("link", { name: "Sign in with Example ID" }).waitFor();
    await browser.check(page, "enrolment-at-provider");
    await dialog.getByRole("link", { name: "Sign in with Example ID" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("img", { name: "QR code for the app" }).waitFor();
    const secret = await page.getByLabel("Secret").inputValue();
    await page.getByLabel("Code of the app").fill(codeOf(secret));
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByRole("button", { name: "I have kept them" }).click();
    await atDesk(page);

    await page.goto(`${atLocalhost(service.url)}/console/security`);
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByLabel("What you call it").fill("phone");
    assert.equal(await page.getByRole("textbox", { name: "Password" }).count(), 0);
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("phone", { exact: true }).first().waitFor();

    const user_id = await db.value<number>("select user_id from users where username = $1", [username]);
    await timePasses({ user_id: user_id as number });
    await signIn(page, "/console/", "link");
    await page.getByLabel("Code of the app").waitFor();
    await browser.check(page, "second-step-of-provider");
    await page.getByLabel("Code of the app").fill(codeOf(secret));
    await page.getByRole("button", { name: "Sign in" }).click();
    await atDesk(page);

    await signIn(page, "/console/", "link");
    await page.getByRole("button", { name: "With a passkey" }).click();
    await atDesk(page);

    await timePasses({ user_id: user_id as number });
    await signIn(page, "/scan/", "button");
    await page.getByLabel("Code of the app").fill(codeOf(secret));
    await browser.check(page, "scan-second-step-of-provider");
    await press(page, "Sign in");
    await page.getByRole("button", { name: "Sign out (Ann Office)" }).waitFor();
    // Cookies of this host are not of the service's own address, where the next visit begins.
    await page.context().close();
  });
});

/** Browsers make no passkeys for an address in numbers. */
const atLocalhost = (url: string) => url.replace("127.0.0.1", "localhost");
