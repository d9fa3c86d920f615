import assert from "node:assert/strict";
import { sealAll } from "../../activities/outbound/sequencer.js";
import { consoleBrowser, tabTo } from "../support/console.js";
import { bin, warehouse } from "../support/fixtures.js";
import { PASSWORD, person } from "../support/people.js";
import { testService } from "../support/service.js";

describe("users, settings and the audit log at the desk", () => {
  const service = testService();
  let admin: string;
  before(async () => {
    admin = (await person()).username;
    await bin(await warehouse(), { code: "DOCK-1" });
    await warehouse();
    await service.admin.ok("PUT", "/api/admin/settings", { settings: { house_colour: "blue" } });
  });
  const browser = consoleBrowser(() => service);

  it("lists users, and has a form for a new one", async () => {
    await browser.look("users", { path: "/console/users", username: admin }, (page) =>
      page.getByRole("link", { name: admin }).waitFor(),
    );
    await browser.look("new-user", { path: "/console/users/new", username: admin }, (page) =>
      page.getByRole("checkbox").first().waitFor(),
    );
  });

  it("makes a user by keyboard alone, who then sees only the granted page", async () => {
    const page = await browser.open({ path: "/console/users", username: admin });
    await tabTo(page, "New user");
    await page.keyboard.press("Enter");
    await tabTo(page, /^Username/);
    await page.keyboard.type("nina");
    await tabTo(page, /^Name/);
    await page.keyboard.type("Nina Newcomer");
    await tabTo(page, /^Password/);
    await page.keyboard.type("short");
    await tabTo(page, "Rights in detail");
    await page.keyboard.press("Enter");
    await tabTo(page, "Items");
    await page.keyboard.press("Space");
    await tabTo(page, "Create user");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("at least 8 characters").waitFor();
    await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "nina" }).waitFor();

    const hers = await browser.open({ path: "/console/", username: "nina" });
    await hers.getByRole("heading", { name: "Items" }).waitFor();
    assert.deepEqual(await hers.getByRole("navigation").getByRole("link").allInnerTexts(), ["Inbox", "Items"]);
  });

  it("changes the rights of a user, resets the password, and deactivates and deletes", async () => {
    const { user_id, username } = await person({ role: "USER" });
    const visit = { path: `/console/users/${user_id}`, username: admin };
    await browser.look("user", visit, (page) => page.getByRole("checkbox").first().waitFor());
    const page = await browser.open(visit);
    await page.getByRole("button", { name: "Rights in detail" }).click();
    await page.getByRole("checkbox", { name: "Pick", exact: true }).check();
    await page.getByRole("checkbox", { name: /Change orders/ }).check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved").waitFor();
    await page.getByRole("button", { name: "Reset password" }).click();
    await page.getByRole("dialog").getByLabel("New password").fill("another horse 22");
    await page.locator("[role=dialog] [type=submit]").click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Deactivate" }).click();
    await page.locator("[role=dialog] [type=submit]").click();
    await page.getByText("Inactive").waitFor();
    const user = await service.admin.ok("GET", `/api/admin/users/${user_id}`);
    assert.deepEqual([user.allowed_functions, user.page_keys, user.is_active], [["pick"], ["so-full-edit"], false]);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.locator("[role=dialog] [type=submit]").click();
    await page.getByRole("heading", { name: "Users" }).waitFor();
    assert.equal(await page.getByRole("link", { name: username, exact: true }).count(), 0);
  });

  it("gives what a person needs who does a thing, and says when it is something of its own", async () => {
    const { user_id, username } = await person({ role: "USER" });
    const page = await browser.open({ path: `/console/users/${user_id}`, username: admin });
    const does = page.getByLabel("What the person does");
    const rights = async () => {
      const { role, allowed_functions, page_keys } = await service.admin.ok("GET", `/api/admin/users/${user_id}`);
      return [role, allowed_functions.sort(), page_keys.sort()];
    };
    await does.selectOption({ label: "Packer" });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved").waitFor();
    assert.deepEqual(await rights(), ["USER", ["pack", "ship"], []]);

    await page.getByRole("button", { name: "Rights in detail" }).click();
    await page.getByRole("checkbox", { name: "Pick", exact: true }).check();
    assert.equal(await does.locator("option:checked").textContent(), "Custom");
    await page.getByRole("checkbox", { name: "Pick", exact: true }).uncheck();
    assert.equal(await does.locator("option:checked").textContent(), "Packer");
    await browser.check(page, "user-in-detail");
    await does.selectOption({ label: "Customer service" });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved").waitFor();
    const pages = ["backorders", "fraud", "inventory", "items", "picking-tickets", "sales-orders"];
    assert.deepEqual(await rights(), ["USER", [], pages]);
    await browser.open({ path: "/console/", username }).then((hers) =>
      hers
        .getByRole("heading", { name: "Sales orders" })

        .waitFor(),
    );
  });

  it("has the own account: password, language and colours", async () => {
    const { username } = await person({ role: "USER", page_keys: ["items"] });
    const visit = { path: "/console/profile", username };
    await browser.look("profile", visit, (page) => page.getByRole("radio").first().waitFor({ state: "attached" }));
    const page = await browser.open(visit);
    await page.getByLabel("Current password").fill(PASSWORD);
    await page.getByLabel("New password").fill("another horse 22");
    await page.keyboard.press("Enter");
    await page.getByText("The password was changed.").waitFor();
    await page.getByText("Dark", { exact: true }).click();
    assert.equal(await page.locator("html").getAttribute("data-mantine-color-scheme"), "dark");
    await page.getByLabel("Language").selectOption("de");
    await page.getByRole("heading", { name: "Mein Konto" }).waitFor();
  });

  it("says why a setting is refused, and has a change of one in the audit log", async () => {
    const visit = { path: "/console/settings", username: admin };
    await browser.look("settings", visit, (page) => page.getByLabel("house_colour").waitFor());
    const page = await browser.open(visit);
    await page.getByLabel(/A login lasts/).fill("0");
    await page.getByRole("button", { name: "Save: Users" }).click();
    await page.getByRole("alert").getByText("a whole number of hours").waitFor();
    await page.getByLabel(/A login lasts/).fill("12");
    await page.getByRole("button", { name: "Save: Users" }).click();
    await page.getByText("Saved").waitFor();
    await page.getByRole("combobox", { name: "Default receiving bin" }).fill("DOCK");
    await page.getByRole("option", { name: /DOCK-1/ }).click();
    await page.getByRole("button", { name: "Save: Goods in" }).click();
    await page.getByText("Saved").nth(1).waitFor();
    await page.getByLabel(/Origins/).fill("web = Web shop\nphone");
    await page.getByRole("button", { name: "Save: Dashboards" }).click();
    await page.getByText("Saved").nth(2).waitFor();
    const { settings } = await service.admin.ok("GET", "/api/admin/settings");
    const stored = (name: string) => settings.find(({ key }: { key: string }) => key === name)?.value;
    assert.equal(
      stored("dashboard_bubble_origins"),
      '[{"origin":"web","label":"Web shop"},{"origin":"phone","label":"phone"}]',
    );
    assert.match(stored("default_receiving_bin"), /^\d+$/);

    await sealAll();
    await page.getByRole("link", { name: "Changes in the audit log" }).click();
    await page.waitForURL(/action_type=UPDATE/);
    await page.getByText("Setting house_colour").waitFor();
    const row = page.getByRole("row", { name: /Setting A login lasts \(hours\)/ });
    await row.getByText(admin).waitFor();
    await row.getByRole("link").click();
    await page.getByRole("cell", { name: "A login lasts (hours)" }).waitFor();
    await page.getByRole("cell", { name: "8", exact: true }).waitFor();
    await page.getByRole("cell", { name: "12", exact: true }).waitFor();
    await browser.look("audit-entry", { path: new URL(page.url()).pathname, username: admin }, (one) =>
      one.getByRole("cell", { name: "12", exact: true }).waitFor(),
    );
    await browser.look("audit", { path: "/console/audit", username: admin }, (one) =>
      one.getByText("npm run audit:verify").waitFor(),
    );
  });
});
