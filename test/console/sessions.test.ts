import assert from "node:assert/strict";
import { says } from "../support/at-scanner.js";
import { confirmDialog, consoleBrowser } from "../support/console.js";
import { PASSWORD, person, sessionsOf } from "../support/people.js";
import { testService } from "../support/service.js";

const ANDROID = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36";
const PROGRAM = "nightly-export/2.1";

describe("sessions in the browser", () => {
  const service = testService();
  const browser = consoleBrowser(() => service);
  const { bearer } = sessionsOf(() => service);
  const enters = async (username: string, device: string) =>
    bearer(
      (
        await service.anyone
          .with({ "user-agent": device })
          .ok("POST", "/api/auth/login", { username, password: PASSWORD })
      ).token,
    );

  it("are seen and ended on the page Security: one, then all others", async () => {
    const { username } = await person();
    const page = await browser.open({ path: "/console/security", username });
    const [phone, program] = [await enters(username, ANDROID), await enters(username, PROGRAM)];
    await page.reload();
    const row = (text: string) => page.getByRole("row").filter({ hasText: text });
    await row("Chrome, Android").waitFor();
    await row(PROGRAM).waitFor();
    await row("this one").waitFor();
    await browser.check(page, "security-sessions");
    await row("Chrome, Android").getByRole("button", { name: "End", exact: true }).click();
    await confirmDialog(page);
    await row("Chrome, Android").waitFor({ state: "detached" });
    assert.equal((await phone.get("/api/auth/me")).code, "session_ended");
    await page.getByRole("button", { name: "End all others" }).click();
    await confirmDialog(page);
    await row(PROGRAM).waitFor({ state: "detached" });
    await row("this one").waitFor();
    assert.equal((await program.get("/api/auth/me")).code, "session_ended");
  });

  it("of a user are all ended by an ADMIN", async () => {
    const { username } = await person();
    const other = await person();
    const phone = await enters(other.username, ANDROID);
    const page = await browser.open({ path: `/console/users/${other.user_id}`, username });
    await says(page, "Chrome, Android");
    await page.getByRole("button", { name: "End all sessions" }).click();
    await confirmDialog(page);
    await says(page, "Nobody is signed in.");
    await browser.check(page, "user-without-sessions");
    assert.equal((await phone.get("/api/auth/me")).status, 401);
  });
});
