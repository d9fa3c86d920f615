import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { says } from "../support/at-scanner.js";
import { consoleBrowser } from "../support/console.js";
import { db } from "../support/db.js";
import { codeOf, setStepUp, timePasses, tokenOfOldProof, withApp } from "../support/factors.js";
import { PASSWORD, person } from "../support/people.js";
import { testService } from "../support/service.js";
import { unique } from "../support/unique.js";
import { until } from "../support/until.js";

describe("step-up at the desk", () => {
  const service = testService();
  const browser = consoleBrowser(() => service);
  before(() => setStepUp({ step_up: "true" }));

  /** Opens a page in a session that proved too long ago whose it is. */
  async function openLate(path: string, user: { user_id: number }, url = service.url): Promise<Page> {
    const page = await browser.open({ path: "/api/health" });
    const token = await tokenOfOldProof(service, user);
    const cookies = { service_auth: token, service_csrf: "a value that the page sends back" };
    await page.context().addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url })));
    await page.goto(url + path);
    return page;
  }
  const asked = (page: Page) => page.getByRole("dialog", { name: "Is it you?" });
  const keysOf = ({ user_id }: { user_id: number }) =>
    db.value("select count(*)::int from personal_keys where user_id = $1", [user_id]);
  const gone = (page: Page) => asked(page).waitFor({ state: "detached" });

  async function fillNewUser(page: Page, username: string): Promise<void> {
    await page.locator("[name=username]").fill(username);
    await page.locator("[name=full_name]").fill("Ann Packer");
    await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
    await page.getByRole("button", { name: "Create user" }).click();
  }
  const isMade = async (username: string) =>
    (await db.value("select count(*)::int from users where username = $1", [username])) === 1;

  it("asks for the password over the dialog that asked, by keyboard, and then does what was asked", async () => {
    const user = await person();
    const page = await openLate("/console/security", user);
    await page.getByRole("button", { name: "Make an API key" }).click();
    await page.getByRole("dialog").locator("[name=key_name]").fill("nightly export");
    await page.getByRole("dialog").locator("[type=submit]").click();
    await asked(page).waitFor();
    await browser.check(page, "step-up-password");
    await asked(page).getByRole("textbox", { name: "Password" }).fill("wrong horse 1");
    await page.keyboard.press("Enter");
    await says(page, "The current password is wrong.");
    assert.equal(await keysOf(user), 0);
    await asked(page).getByRole("textbox", { name: "Password" }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await gone(page);
    await until(async () => (await keysOf(user)) === 1);
  });

  it("does nothing when one goes back, and stays signed in", async () => {
    const user = await person();
    const page = await openLate("/console/users/new", user);
    const username = `late-${unique().toLowerCase()}`;
    await fillNewUser(page, username);
    await asked(page).getByRole("button", { name: "Back" }).click();
    await says(page, "This is done only once you have proved again that it is you.");
    assert.equal(await isMade(username), false);
    await page.reload();
    await page.getByRole("button", { name: /^Account of/ }).waitFor();
  });

  it("asks for the code of the app, and sends the request once more under its key", async () => {
    const user = await withApp(service.anyone);
    const page = await openLate("/console/users/new", user);
    const keys: (string | undefined)[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/api/admin/users"))
        keys.push(request.headers()["idempotency-key"]);
    });
    const username = `late-${unique().toLowerCase()}`;
    await fillNewUser(page, username);
    await asked(page).getByLabel("Code of the app").fill("000000");
    await asked(page).getByRole("button", { name: "It is me" }).click();
    await says(page, "The code is wrong, or was used already.");
    await browser.check(page, "step-up-code");
    await timePasses(user);
    await asked(page).getByLabel("Code of the app").fill(codeOf(user.secret));
    await asked(page).getByRole("button", { name: "It is me" }).click();
    await gone(page);
    await page.waitForURL(/\/console\/users\/\d+$/);
    assert.ok(await isMade(username));
    assert.equal(keys.length, 2);
    assert.equal(keys[0], keys[1]);
  });

  it("asks a passkey", async () => {
    const user = await person();
    // Browsers make no passkeys for an address in numbers.
    const url = service.url.replace("127.0.0.1", "localhost");
    const page = await openLate("/console/security", user, url);
    const session = await page.context().newCDPSession(page);
    await session.send("WebAuthn.enable");
    await session.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        ...{ protocol: "ctap2", transport: "usb", hasResidentKey: true },
        ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
      },
    });
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByLabel("What you call it").fill("phone");
    await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("button", { name: "I have kept them" }).click();
    const token = await tokenOfOldProof(service, user);
    await page.context().addCookies([{ name: "service_auth", value: token, url }]);
    await page.getByRole("button", { name: "Make an API key" }).click();
    await page.getByRole("dialog").locator("[name=key_name]").fill("nightly export");
    await page.getByRole("dialog").locator("[type=submit]").click();
    await asked(page).getByRole("button", { name: "With a passkey" }).click();
    await gone(page);
    await until(async () => (await keysOf(user)) === 1);
    // Cookies of this host are not of the service's own address, where the next visit begins.
    await page.context().close();
  });
});
