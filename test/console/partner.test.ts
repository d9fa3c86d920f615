import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createPublicKey, verify } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { verifyWebhook } from "../../examples/verify-webhook.js";
import { freePort } from "../../src/launcher/free-port.js";
import { confirmDialog, consoleBrowser } from "../support/console.js";
import { db } from "../support/db.js";
import { senderEnv } from "../support/deliveries.js";
import * as fixtures from "../support/fixtures.js";
import { useTestMappings } from "../support/inbound.js";
import { partnerCaller } from "../support/partners.js";
import { person } from "../support/people.js";
import { runAgeing } from "../support/polling.js";
import { testService } from "../support/service.js";
import { openSink, type Received, type Sink } from "../support/sink.js";
import { tokenCaller } from "../support/tokens.js";
import { until } from "../support/until.js";
import { paste } from "../support/walks.js";
import { connector, delivery, numberedEvent, subscribe, waiting } from "../support/webhooks.js";

const isTaken = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

describe("a partner's own page", () => {
  const service = testService({ worker: true, env: senderEnv });
  const browser = consoleBrowser(() => service);
  let sink: Sink;
  let warehouse_id: number;
  before(async () => {
    await useTestMappings();
    sink = await openSink();
    warehouse_id = await fixtures.warehouse();
  });
  after(() => sink.stop());

  const event_types = ["ship.confirmed"];
  const title = (page: Page) => page.getByRole("heading", { level: 1 });

  it("brings a partner from the link to the first verified webhook, by the page alone", async () => {
    const connector_id = await connector();
    const { path } = await service.admin.ok("POST", "/api/admin/partner-links", {
      ...{ connector_id, link_name: "Acme, web team", warehouse_ids: [warehouse_id], event_types },
    });
    let steps = 0;
    const step = async <T>(done: Promise<T>): Promise<T> => {
      steps++;
      return done;
    };
    const page = await step(browser.open({ path }));
    await page.getByRole("heading", { name: "Webhooks" }).waitFor();
    assert.ok(!page.url().includes("wpl_"), page.url());
    await step(page.getByRole("button", { name: "Add a webhook" }).click());
    const dialog = page.getByRole("dialog");
    await step(dialog.getByLabel("Name").fill("Acme ERP"));
    await step(dialog.getByLabel("URL").fill(`${sink.url}/hook`));
    await step(dialog.getByLabel("How it is signed").selectOption("ed25519"));
    await step(confirmDialog(page));
    await page.getByText("Add a webhook: done.").waitFor();
    assert.equal(await page.getByRole("link", { name: "Add a webhook: done." }).count(), 0, "it is on this page");
    const secret = await step(page.getByLabel("Secret of Acme ERP").inputValue());
    const shown = (await page.getByText(/whpk_/).textContent()) ?? "";
    const publicKey = /whpk_\S+/.exec(shown)?.[0] ?? assert.fail(shown);
    await step(page.getByRole("button", { name: "Send a test event" }).click());
    await step(confirmDialog(page));
    await page.getByText("The test event was delivered").waitFor();

    const [received] = sink.received as [Received];
    assert.equal(sink.received.length, 1);
    assert.ok(sink.verifies(received, secret));
    assert.equal(verifyWebhook(received.headers, received.body, [secret]), true);
    const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
      String(received.headers[name]),
    );
    const x = Buffer.from(publicKey.slice("whpk_".length), "base64").toString("base64url");
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), received.body]);
    const genuine = (one: string) =>
      one.startsWith("v1a,") && verify(null, signed, key, Buffer.from(one.slice(4), "base64"));
    assert.ok((signatures as string).split(" ").some(genuine));
    assert.equal(steps, 9);
    console.log(`    from the link to the first verified webhook: ${steps} steps`);
  });

  it("shows deliveries, events, polling and pushes of the connector, and sends again", async () => {
    const connector_id = await connector();
    const token = await tokenCaller(service, {
      ...{
        connector_id,
        source_system: "shop",
        warehouse_ids: [warehouse_id],
        inbound_resources: ["items", "sales_orders"],
      },
      ...{ endpoints: ["events.poll"], event_types },
    });
    const delivery_url = `${sink.url}/again`;
    const { subscription_id } = await subscribe(service.admin, { connector_id, delivery_url });
    const event_id = await numberedEvent();
    await delivery(subscription_id, { status: "dlq", event_id, http_status: 503, error_kind: "5xx" });
    const late = await waiting(subscription_id, event_id);
    const isDue = async (id: number) =>
      (await db.value<boolean>("select scheduled_at <= now() from webhook_deliveries where delivery_id = $1", [id])) ===
      true;
    await service.admin.ok("POST", "/api/admin/consumer-groups", { consumer_group_id: "acme-orders", connector_id });
    await token.caller.post("/api/v1/inbound/sales_orders", {
      ...{ external_id: "A-1", external_version: "1" },
      source_payload: { so_number: "A-1", warehouse_id, lines: [{ item_id: "nothing", quantity_ordered: 1 }] },
    });
    const link = await partnerCaller(service, { connector_id, warehouse_ids: [warehouse_id], event_types });
    await link.caller.ok("POST", "/api/partner/sandbox", {});
    await browser.look("partner", { path: `/partner/#${link.token}` }, async (page, { language }) => {
      const german = language === "de";
      await title(page)
        .getByText(german ? "Ihre Verbindung zum Lager" : "Your connection to the warehouse")
        .waitFor();
      await page.getByText(german ? "Zustellungen: Acme ERP" : "Deliveries of Acme ERP").click();
      await page
        .getByText(german ? "Was gesendet wurde" : "What was sent")
        .last()
        .click();
      await page.getByText(german ? "Wie man empfängt" : "How to receive").click();
      await page.getByText("receiver.mjs").first().waitFor();
      await page.getByText(`"event_id": ${event_id}`).waitFor();
      await page.getByText("(ship.confirmed)").click();
      await page.getByText(`consumer_group=acme-orders`).waitFor();
      await page.getByRole("cell", { name: "A-1" }).waitFor();
      await page.getByRole("button", { name: german ? "Ansehen" : "Look at it" }).click();
      await page
        .getByText(german ? "Was würde daraus?" : "What would this become?")
        .first()
        .click();
      await page.getByLabel(german ? "Inhalt" : "Payload").waitFor();
      await page.getByText(german ? "Bewegt sich" : "Moves", { exact: true }).waitFor();
    });
    const page = await browser.open({ path: `/partner/#${link.token}` });
    await page.getByText("Deliveries of Acme ERP").click();
    await page.getByRole("button", { name: "Attempt all now" }).click();
    await confirmDialog(page);
    await until(async () => isDue(late));
    await page.getByRole("button", { name: "Send again", exact: true }).first().click();
    await confirmDialog(page);
    await page.getByRole("button", { name: "Look at it" }).click();
    await page.getByText("cross_system_lookup_miss").waitFor();
    await page.getByText("What would this become?").last().click();
    await page.getByLabel("Resource").selectOption("items");
    await page.getByLabel("Payload").fill('{"sku": "NEW-1", "item_name": "Mug"}');
    await page.getByRole("button", { name: "Try it" }).click();
    await page.getByText('"outcome": "create"').waitFor();
    const { deliveries } = await link.caller.ok("GET", `/api/partner/webhooks/${subscription_id}/deliveries`);
    assert.ok(deliveries.length > 1);
  });

  it("gives a receiver and commands that work as they are copied", async () => {
    const connector_id = await connector();
    const consumer_group_id = `${connector_id} "it's" $(hers)`;
    const inbound_resources = ["items" as const];
    const token = await tokenCaller(service, {
      ...{ connector_id, source_system: "shop", warehouse_ids: [warehouse_id], inbound_resources, event_types },
      endpoints: ["events.poll", "events.ack"],
    });
    await service.admin.ok("POST", "/api/admin/consumer-groups", { consumer_group_id, connector_id });
    const event_id = await numberedEvent({ warehouse_id });
    const link = await partnerCaller(service, { connector_id, warehouse_ids: [warehouse_id], event_types });
    const folder = await mkdtemp(join(tmpdir(), "partner-"));
    const page = await browser.open({ path: `/partner/#${link.token}` });
    const code = async (name: string) => (await page.getByRole("region", { name, exact: true }).textContent()) ?? "";

    const port = `${await freePort()}`;
    await page.getByRole("button", { name: "Add a webhook" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Mine");
    await dialog.getByLabel("URL").fill(`http://127.0.0.1:${port}/`);
    await dialog.getByLabel("How it is signed").selectOption("ed25519");
    await confirmDialog(page);
    const secret = await page.getByLabel("Secret of Mine").inputValue();
    const publicKey = /whpk_\S+/.exec((await page.getByText(/whpk_\S{40}/).textContent()) ?? "")?.[0] ?? "";
    await page.getByText("How to receive").click();
    await writeFile(join(folder, "receiver.mjs"), await code("Receiver"));
    // Each of them is enough, and a wrong one is not.
    for (const [WEBHOOK_KEYS, said] of [
      [secret, "genuine"],
      [`whsec_${"A".repeat(43)}=`, "REFUSED"],
      [publicKey, "genuine"],
    ] as const) {
      const receiver = spawn("node", ["receiver.mjs"], {
        ...{ cwd: folder, stdio: ["ignore", "pipe", "inherit"] },
        env: { ...process.env, WEBHOOK_KEYS, PORT: port },
      });
      try {
        let output = "";
        receiver.stdout?.on("data", (part) => (output += part));
        await until(() => isTaken(Number(port)));
        // The next test is not to wait for ten seconds.
        await db.run("delete from webhook_tests");
        await page.getByRole("button", { name: "Send a test event" }).click();
        await confirmDialog(page);
        await page.getByText(`The test event was ${said === "genuine" ? "" : "not "}delivered`).waitFor();
        assert.match(output, new RegExp(`^${said} .*"webhook.test"`, "m"));
      } finally {
        receiver.kill();
        await once(receiver, "exit");
      }
    }

    const env = { TOKEN: token.plaintext };
    const read = await paste(`cd ${folder}\n${await code("Commands")}`, env);
    assert.match(read, new RegExp(`"event_id":${event_id}`));
    const { consumer_groups } = await link.caller.ok("GET", "/api/partner/polling");
    assert.equal(consumer_groups[0].last_cursor, event_id);

    await page.getByText("What would this become?").click();
    await page.getByLabel("Payload").fill(`{"sku": "IT'S-${event_id}", "item_name": "Mug"}`);
    await page.getByRole("button", { name: "Try it" }).click();
    await page.getByText("It would be a new record").waitFor();
    assert.match(await paste(await code("Command that pushes it"), env), /"canonical_type":"item"/);
    const { rows } = await link.caller.ok("GET", "/api/partner/inbound");
    assert.deepEqual(
      rows.map(({ status }: { status: string }) => status),
      ["applied"],
    );
    await rm(folder, { recursive: true });
  });

  it("begins a sandbox, whose events a webhook of the partner gets, and removes it", async () => {
    const link = await partnerCaller(service, { connector_id: await connector(), warehouse_ids: [], event_types });
    const page = await browser.open({ path: `/partner/#${link.token}` });
    await page.getByRole("button", { name: "Begin a sandbox" }).click();
    await confirmDialog(page);
    await page.getByLabel(/^Token that polls the events of/).waitFor();
    await page.getByRole("button", { name: "Add a webhook" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Trial");
    await dialog.getByLabel("URL").fill(`${sink.url}/trial`);
    await dialog.getByLabel("Events of").selectOption({ label: "The sandbox alone" });
    await confirmDialog(page);
    const secret = await page.getByLabel("Secret of Trial").inputValue();
    await page.getByText("Moves", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Run a step" }).click();
    await confirmDialog(page);
    await page.getByText(/ is shipped$/).waitFor();
    const ageing = runAgeing();
    const ofTrial = () => sink.received.filter((one) => one.path === "/trial");
    await until(async () => ofTrial().length > 0, 30_000).finally(ageing.stop);
    assert.ok(ofTrial().every((one) => sink.verifies(one, secret)));
    await browser.check(page, "partner-sandbox");
    await page.getByLabel("Language").selectOption("de");
    await page.getByText(/^SANDBOX-\S+.* (kam herein|ist|sind|wird|kommt|wartet)/).waitFor();
    await page.getByLabel("Sprache").selectOption("en");
    await page.getByRole("button", { name: "Remove" }).click();
    await confirmDialog(page);
    await page.getByText("You have no sandbox.").waitFor();
  });

  it("says that a link opens nothing any more, and asks for the link where there is none", async () => {
    const revoked = await partnerCaller(service, {
      ...{ connector_id: await connector(), revoked_at: "2026-01-01T00:00:00Z" },
    });
    for (const path of ["/partner/", `/partner/#${revoked.token}`, "/partner/#wpl_guessed"]) {
      const page = await browser.open({ path });
      await page.getByText("Open the link that the warehouse gave you").waitFor();
      assert.equal(await page.getByRole("alert").count(), path === "/partner/" ? 0 : 1);
      await browser.check(page, "partner-closed");
      await page.close();
    }
  });

  it("says once that the session ended, and opens a link that is put into the address of the open page", async () => {
    const connector_id = await connector();
    const made = () => partnerCaller(service, { connector_id, warehouse_ids: [warehouse_id], event_types });
    const [first, second] = [await made(), await made()];
    const page = await browser.open({ path: `/partner/#${first.token}` });
    await page.getByRole("button", { name: "Add a webhook" }).waitFor();
    await service.admin.ok("DELETE", `/api/admin/partner-links/${first.partner_link_id}`);
    await page.getByText("Your session has ended").waitFor();
    assert.equal(await page.getByRole("heading", { name: "Webhooks" }).count(), 0);
    assert.equal(await page.getByRole("alert").count(), 0);
    await browser.check(page, "partner-ended");
    await page.evaluate(`location.hash = "${second.token}"`);
    await page.getByRole("button", { name: "Add a webhook" }).waitFor();
    assert.ok(!page.url().includes("wpl_"), page.url());
    // The page's own skip link, too, changes what stands behind the #.
    await page.evaluate("location.hash = 'content'");
    await page.reload();
    await page.getByRole("button", { name: "Add a webhook" }).waitFor();
  });

  it("is opened by a link that an ADMIN makes and revokes at the desk", async () => {
    const connector_id = await connector();
    const { username } = await person();
    const page = await browser.open({ username, path: "/console/partner-links" });
    await page.getByRole("button", { name: "Make a partner link" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("group", { name: "none chosen: it makes none" }).waitFor();
    assert.equal(await dialog.getByRole("group", { name: "none chosen: all" }).count(), 0);
    await dialog.getByLabel("Whom it is for").fill("Acme");
    await dialog.getByLabel("Partner program").selectOption(connector_id);
    await confirmDialog(page);
    const link = await page.getByLabel("Link for Acme").inputValue();
    assert.ok(link.startsWith(`${service.url}/partner/#wpl_`), link);
    const opened = await browser.open({ path: new URL(link).pathname + new URL(link).hash });
    await opened.getByText("You have no webhook yet.").waitFor();
    await page.getByRole("row").filter({ hasText: connector_id }).getByRole("button", { name: "Revoke" }).click();
    await confirmDialog(page);
    await opened.reload();
    await opened.getByText("Your session has ended").waitFor();
    await opened.reload();
    await opened.getByText("Open the link that the warehouse gave you").waitFor();
  });
});
