import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { press, says } from "../support/at-scanner.js";
import { confirmDialog, consoleBrowser } from "../support/console.js";
import { warehouse } from "../support/fixtures.js";
import { envOf, type IdentityProvider, openIdentityProvider } from "../support/identity-provider.js";
import { person } from "../support/people.js";
import { openService, type TestService } from "../support/service.js";
import { unique } from "../support/unique.js";

describe("the company's provider in the browser", () => {
  let idp: IdentityProvider;
  let service: TestService;
  before(async () => {
    idp = await openIdentityProvider();
    service = await openService({ worker: true, env: envOf(idp) });
    idp.serve(service.url);
    const here = await warehouse();
    const groups = [
      { group: "it", role: "ADMIN" },
      { group: "floor", warehouse_ids: [here], allowed_functions: ["pick"] },
    ];
    const mapping = { username_claim: "preferred_username", groups_claim: "groups", groups };
    await service.admin.ok("PUT", "/api/admin/sign-in/mapping", mapping);
  });
  const browser = consoleBrowser(() => service);
  after(async () => {
    await service.close();
    await idp.close();
  });

  const name = () => `sso-${unique().toLowerCase()}`;
  /** The page of the provider that asks whether one means it. */
  async function confirmThere(page: Page): Promise<void> {
    await page.waitForURL(`${idp.issuer}/**`);
    await page.getByRole("button", { name: /yes/i }).click();
  }

  it("signs one in at the desk, back at the page where one was, and out there too", async () => {
    const username = name();
    idp.signsIn({ preferred_username: username, name: "Ann Office", groups: ["it"] });
    const page = await browser.open({ path: "/console/users" });
    await page.getByRole("link", { name: "Sign in with Example ID" }).waitFor();
    await browser.check(page, "sign-in");
    await page.getByRole("link", { name: "Sign in with Example ID" }).click();
    await page.getByRole("heading", { level: 1, name: "Users" }).waitFor();
    await page.getByRole("link", { name: username }).first().waitFor();
    await page.getByRole("button", { name: "Account of Ann Office" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await confirmThere(page);
    await page.waitForURL(`${service.url}/console/**`);
    await page.getByRole("link", { name: "Sign in with Example ID" }).waitFor();
  });

  it("says no more than that one was refused", async () => {
    idp.signsIn({ preferred_username: name(), groups: ["others"] });
    for (const [path, role] of [
      ["/console/", "link"],
      ["/scan/", "button"],
    ] as const) {
      const page = await browser.open({ path, size: path === "/scan/" ? "phone" : "desk" });
      await page.getByRole(role, { name: "Sign in with Example ID" }).click();
      await says(page, "The sign-in was refused.");
      await browser.check(page, `sign-in-refused-${role}`);
      await page.context().clearCookies();
    }
  });

  it("signs one in at the scanner", async () => {
    const username = name();
    idp.signsIn({ preferred_username: username, groups: ["floor"] });
    const page = await browser.open({ path: "/scan/", size: "phone" });
    await page.getByRole("button", { name: "Sign in with Example ID" }).waitFor();
    await browser.check(page, "scan-sign-in");
    await press(page, "Sign in with Example ID");
    await page.getByRole("button", { name: `Sign out (${username})` }).waitFor();
    await press(page, /^Sign out/);
    await confirmThere(page);
    await page.waitForURL(`${service.url}/scan/**`);
    await page.getByRole("button", { name: "Sign in with Example ID" }).waitFor();
  });

  it("has its groups mapped at the desk", async () => {
    const { username } = await person();
    const page = await browser.open({ path: "/console/sign-in", username });
    await page.getByRole("heading", { level: 1, name: "Groups of the provider" }).waitFor();
    await page.getByLabel("Claim with the groups").fill("roles");
    await page.getByRole("button", { name: "Add a group" }).click();
    await page
      .getByRole("textbox", { name: /^Group/ })
      .last()
      .fill("leads");
    await page.getByLabel("What the person does").last().selectOption({ label: "Picker" });
    await browser.check(page, "sign-in-mapping");
    await page.getByRole("button", { name: "Remove floor" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await says(page, "Saved");
    const { groups_claim, groups } = await service.admin.ok("GET", "/api/admin/sign-in/mapping");
    assert.equal(groups_claim, "roles");
    assert.deepEqual(
      groups.map(({ group, role }: { group: string; role: string }) => [group, role]),
      [
        ["it", "ADMIN"],
        ["leads", "USER"],
      ],
    );
    assert.ok(groups[1].allowed_functions.includes("pick"));
  });

  it("is linked, and somebody is kept for emergencies, at the page of a user", async () => {
    const { username } = await person();
    const other = await person();
    const page = await browser.open({ path: `/console/users/${other.user_id}`, username });
    await says(page, "with a password");
    await page.getByRole("button", { name: "Allow for emergencies" }).click();
    await confirmDialog(page);
    await page.getByRole("button", { name: "Withdraw for emergencies" }).waitFor();
    await browser.check(page, "user-sign-in");
    await page.getByRole("button", { name: "Withdraw for emergencies" }).click();
    await confirmDialog(page);
    await page.getByRole("button", { name: "Link to the provider" }).click();
    await confirmDialog(page);
    await says(page, "at the provider, from the next sign-in on");
    await page.getByRole("button", { name: "Unlink from the provider" }).click();
    await confirmDialog(page);
    await says(page, "with a password");
  });
});
