import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { channel } from "../support/channels.js";
import { connectorWarehouse } from "../support/connectors.js";
import { confirmDialog, consoleBrowser, tabTo } from "../support/console.js";
import { db } from "../support/db.js";
import { senderEnv } from "../support/deliveries.js";
import { push, pushedItem, sender, useTestMappings } from "../support/inbound.js";
import { destination } from "../support/notifications.js";
import { person } from "../support/people.js";
import { failedPush } from "../support/push-rows.js";
import { openService, type TestService } from "../support/service.js";
import { openSink, type Sink } from "../support/sink.js";
import { until } from "../support/until.js";
import { connector, delivery, numberedEvent, subscribe, waiting } from "../support/webhooks.js";

describe("the integrations at the desk", () => {
  let service: TestService;
  let sink: Sink;
  let admin: string;
  let warehouse_id: number;
  let webhook: string;
  let shelf: string;
  let told: number;
  before(async () => {
    service = await openService({ worker: true, env: { ...senderEnv, SERVICE_ALLOW_INTERNAL_CONNECTORS: "true" } });
    sink = await openSink();
    admin = (await person()).username;
    warehouse_id = await connectorWarehouse();
    await useTestMappings();
    const shop = await sender(service, { warehouse_ids: [warehouse_id], token_name: "Web shop" });
    const { external_id } = await pushedItem(shop);
    shelf = external_id;
    await push(shop, "sales_orders", "ORDER-7", 1, { so_number: "ORDER-7", lines: [{ item_id: "nobody's" }] });
    webhook = (await subscribe(service.admin)).subscription_id;
    await delivery(webhook, { status: "succeeded", response_time_ms: 120 });
    for (const status of ["failed", "dlq"] as const)
      await delivery(webhook, {
        ...{ status, event_id: await numberedEvent({ warehouse_id }), attempt_number: 8, age: "1 hour" },
        ...{ http_status: 503, error_kind: "5xx", error_detail: "HTTP status 503" },
      });
    await channel(service.admin, { channel_id: "web-shop" });
    const { webhook_id } = await destination(service.admin, warehouse_id);
    told = webhook_id;
    await db.run(
      `insert into notifications (webhook_id, event_type, facts, occurred_at, status, attempts, error_kind,
                                  error_detail, completed_at)
       values ($1, 'backorder.opened', '{}', now(), 'dlq', 8, '4xx', 'HTTP status 410', now()),
              ($1, 'test', '{}', now(), 'stopped', 0, null, null, now())`,
      [webhook_id],
    );
    await failedPush(warehouse_id);
    await service.admin.ok("POST", "/api/admin/consumer-groups", {
      ...{ consumer_group_id: "erp", connector_id: await connector() },
      subscription: { event_types: ["ship.confirmed"], warehouse_ids: [warehouse_id] },
    });
  });
  after(async () => {
    await service.close();
    await sink.stop();
  });
  const browser = consoleBrowser(() => service);

  const open = (path: string) => browser.open({ path: `/console/${path}`, username: admin });
  const press = async (page: Page, name: string | RegExp) => {
    await tabTo(page, name);
    await page.keyboard.press("Enter");
  };
  const type = async (page: Page, name: string | RegExp, text: string) => {
    await tabTo(page, name);
    await page.keyboard.type(text);
  };
  const tick = async (page: Page, name: string | RegExp) => {
    await tabTo(page, name);
    await page.keyboard.press("Space");
  };

  describe("each page", () => {
    const pages: Record<string, () => { path: string; text: string | RegExp }> = {
      tokens: () => ({ path: "tokens", text: "Web shop" }),
      token: () => ({ path: "tokens/1", text: /shop/ }),
      "consumer-groups": () => ({ path: "consumer-groups", text: "erp" }),
      "connector-registry": () => ({ path: "connector-registry", text: /^c-/ }),
      "source-systems": () => ({ path: "source-systems", text: "shop" }),
      webhooks: () => ({ path: "webhooks", text: "Acme ERP" }),
      webhook: () => ({ path: `webhooks/${webhook}`, text: "5xx" }),
      deliveries: () => ({ path: `webhooks/${webhook}/deliveries`, text: "HTTP status 503" }),
      "dead-letters": () => ({ path: `webhooks/${webhook}/dead-letters`, text: "HTTP status 503" }),
      "webhook-errors": () => ({ path: "webhook-errors", text: "HTTP status 503" }),
      inbound: () => ({ path: "inbound", text: "ORDER-7" }),
      "inbound-try": () => ({ path: "inbound-try", text: /JSON/ }),
      "source-links": () => ({ path: "source-links", text: /item-/ }),
      connectors: () => ({ path: "connectors", text: "example" }),
      pushes: () => ({ path: "pushes", text: /^SO-/ }),
      channels: () => ({ path: "channels", text: "Web shop" }),
      channel: () => ({ path: "channels/web-shop", text: /93\.184/ }),
      notifications: () => ({ path: "notifications", text: "93.184.216.34" }),
      messages: () => ({ path: `notifications/${told}`, text: "HTTP status 410" }),
    };
    const inGerman = (text: string | RegExp) =>
      typeof text === "string" ? text.replace("HTTP status", "HTTP-Status") : text;
    for (const [name, of] of Object.entries(pages))
      it(`is readable: ${name}`, async () => {
        const { path, text } = of();
        await browser.look(name, { path: `/console/${path}`, username: admin }, (page, { language }) =>
          page
            .getByRole("main")
            .getByText(language === "de" ? inGerman(text) : text)
            .first()
            .waitFor(),
        );
      });
  });

  it("says what a failure means, and what to do, in the language of the page", async () => {
    for (const [language, hint] of [
      ["en", "Ask the partner for the log of that moment."],
      ["de", "Den Partner um das Protokoll dieses Augenblicks bitten."],
    ] as const) {
      const page = await browser.open({ path: "/console/webhook-errors", username: admin, language });
      await page.getByText(hint).first().waitFor();
    }
  });

  it("says that a dead letter is sent again, and shows when its event was and what it says", async () => {
    const page = await open(`webhooks/${webhook}/dead-letters`);
    await page.getByRole("button", { name: "Send again" }).first().click();
    await confirmDialog(page);
    await page
      .getByRole("status")
      .getByText(/^Event \d+ is sent again\.$/)
      .waitFor();
    await page.getByRole("columnheader", { name: "Event of" }).waitFor();
    await page.getByRole("row").nth(1).getByRole("link").click();
    await page.getByRole("heading", { name: /^Delivery of event/ }).waitFor();
    await page.getByText('"event_type": "ship.confirmed"').waitFor();
    await browser.check(page, "webhook-delivery");
  });

  it("issues a token by keyboard alone, and shows it once", async () => {
    const page = await open("tokens");
    await press(page, "Issue a token");
    await page.getByRole("dialog").getByLabel("Name").and(page.locator(":focus")).waitFor();
    await page.keyboard.type("Label printer");
    await tick(page, "Shipping station");
    await press(page, "Issue a token");
    const shown = page.getByLabel("Token “Label printer”");
    await shown.waitFor();
    await browser.check(page, "token-issued");
    const token = await shown.inputValue();
    assert.ok(token.length > 20);
    await press(page, "Close");
    await page.getByRole("link", { name: "Label printer" }).waitFor();
    assert.equal((await page.content()).includes(token), false);
    assert.equal((await page.evaluate<string>("JSON.stringify({ ...localStorage })")).includes(token), false);
    const { tokens } = await service.admin.ok("GET", "/api/admin/tokens");
    const { endpoints } = tokens.find((one: { token_name: string }) => one.token_name === "Label printer");
    assert.deepEqual(endpoints, ["station.dispatch"]);
  });

  it("subscribes a webhook and sends it a test event, by keyboard alone", async () => {
    const page = await open("webhooks");
    await press(page, "Subscribe a webhook");
    await page.getByRole("dialog").getByLabel("Name").waitFor();
    await type(page, /^Name/, "Our sink");
    await type(page, /^URL/, `${sink.url}/hook`);
    await tick(page, "Order shipped");
    await page.getByLabel("Order of events").selectOption("aggregate");
    await press(page, "Subscribe a webhook");
    const secret = await page.getByLabel("Secret of Our sink").inputValue();
    await press(page, /^Our sink/);
    await page.getByText("By record; those of others meanwhile").waitFor();
    await press(page, "Send a test event");
    await page.getByText("It arrived.").waitFor();
    await browser.check(page, "webhook-tested");
    const [received] = sink.received;
    assert.ok(received && sink.verifies(received, secret));
  });

  it("asks for more where a partner wants it, and says when it has ended its webhook", async () => {
    const page = await open("webhooks");
    await press(page, "Subscribe a webhook");
    const dialog = page.getByRole("dialog");
    await type(page, /^Name/, "A choosy partner");
    await type(page, /^URL/, `${sink.url}/choosy`);
    await dialog.getByLabel("How it is signed").waitFor({ state: "hidden" });
    await dialog.getByText("More", { exact: true }).focus();
    await page.keyboard.press("Enter");
    await dialog.getByLabel("How it is signed").selectOption("ed25519");
    await dialog.getByLabel("What an event tells").selectOption("thin");
    await dialog.getByLabel("Events in one request at most").fill("20");
    await dialog.getByLabel("Contact of the partner").selectOption(String(told));
    await dialog.getByLabel("Where tokens are given").fill(`${sink.url}/token`);
    await dialog.getByLabel("Client ID").fill("us");
    await dialog.getByLabel("Client secret").fill("a secret of the partner");
    await browser.check(page, "webhook-more");
    await press(page, "Subscribe a webhook");
    // The form has a Close of its own, until the answer takes its place.
    await page.getByLabel("Secret of A choosy partner").waitFor();
    await press(page, "Close");
    await press(page, /^A choosy partner/);
    for (const fact of [/^whpk_/, "20", `us, ${sink.url}/token`, "Only what happened to what; the rest is fetched"])
      await page.getByRole("main").getByText(fact).first().waitFor();
    const { webhooks } = await service.admin.ok("GET", "/api/admin/webhooks");
    const made = webhooks.find((one: { display_name: string }) => one.display_name === "A choosy partner");
    assert.deepEqual(made.batch, { max_events: 20, max_wait_ms: 1_000 });
    assert.deepEqual([made.contact_webhook_id, made.client_tls], [told, null]);

    await press(page, "Edit");
    await dialog.getByText("More", { exact: true }).click();
    await dialog.getByLabel("Send no access token any more").check();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.getByText(`us, ${sink.url}/token`).waitFor({ state: "detached" });
    const changed = await service.admin.ok("GET", `/api/admin/webhooks/${made.subscription_id}`);
    assert.deepEqual([changed.oauth, changed.signature, changed.batch], [null, "ed25519", made.batch]);

    await db.run(
      "update webhook_subscriptions set status = 'paused', pause_reason = 'gone' where subscription_id = $1",
      [made.subscription_id],
    );
    await page.reload();
    await page.getByText("Ended by its receiver").first().waitFor();
    await browser.check(page, "webhook-ended");
  });

  it("attempts at once what waits for its next attempt, one and all", async () => {
    const { subscription_id, display_name } = await subscribe(service.admin, { display_name: "Late ERP" });
    const [one, other] = [await waiting(subscription_id), await waiting(subscription_id)];
    const due = () =>
      db.rows("select delivery_id from webhook_deliveries where delivery_id = any($1) and scheduled_at <= now()", [
        [one, other],
      ]);
    const page = await open(`webhooks/${subscription_id}/deliveries/${other}`);
    await page.getByRole("button", { name: "Attempt now" }).click();
    await browser.check(page, "webhook-attempt-now");
    await confirmDialog(page);
    await until(async () => (await due()).length === 1);
    await page.getByRole("button", { name: "Attempt now" }).waitFor({ state: "detached" });
    await page.goto(`${service.url}/console/webhooks/${subscription_id}/deliveries`);
    await page.getByRole("heading", { name: `Deliveries of ${display_name}` }).waitFor();
    await page.getByRole("button", { name: "Attempt all now" }).click();
    await confirmDialog(page);
    await until(async () => (await due()).length === 2);
  });

  it("lists the deliveries of a webhook by what came of them", async () => {
    const page = await open(`webhooks/${webhook}`);
    await page.getByRole("link", { name: "All deliveries" }).click();
    const table = page.getByRole("table");
    await table.getByText("Succeeded").waitFor();
    await page.getByLabel("Status").selectOption("failed");
    await until(async () => (await table.getByText("Succeeded").count()) === 0);
    await table.getByText("HTTP status 503").first().waitFor();
    await page.getByLabel("Event", { exact: true }).selectOption("pick.confirmed");
    await page.getByText("Nothing", { exact: false }).first().waitFor();
  });

  it("pauses a webhook, resumes it, and replays what was given up", async () => {
    const page = await open(`webhooks/${webhook}`);
    const confirm = () => page.getByRole("dialog").locator("[type=submit]").click();
    await page.getByRole("button", { name: "Pause" }).click();
    await confirm();
    await page.getByText("paused by hand").waitFor();
    await page.getByRole("link", { name: "Dead letters" }).click();
    await page.getByRole("main").getByRole("button", { name: "Replay many" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("would be sent again: 1").waitFor();
    await dialog.getByLabel("Only events of this type").selectOption("pick.confirmed");
    await dialog.getByText("would be sent again: 0").waitFor();
    await dialog.getByLabel("Only events of this type").selectOption("");
    await dialog.getByText("would be sent again: 1").waitFor();
    await browser.check(page, "replay");
    await confirm();
    await page.getByText("Deliveries that are sent again: 1").waitFor();
    await page.getByRole("main").getByRole("button", { name: "Replay many" }).click();
    await confirm();
    await page.getByText("Wait a minute", { exact: false }).waitFor();
  });

  it("shows what a payload would become, field by field, and why it is refused", async () => {
    const page = await open("inbound");
    await page.getByRole("link", { name: "ORDER-7" }).click();
    await page.getByRole("heading", { name: "Why it is refused" }).waitFor();
    await browser.check(page, "inbound-record");
    await page.getByRole("main").getByRole("link", { name: "Try a payload" }).focus();
    await page.keyboard.press("Enter");
    await press(page, "Try it");
    await page.getByText("It would be refused").waitFor();
    await browser.check(page, "inbound-tried-refused");
    const order = { so_number: "ORDER-8", lines: [{ item_id: shelf, quantity_ordered: 2 }] };
    await tabTo(page, /^Payload/);
    await page.keyboard.press("Control+A");
    await page.keyboard.insertText(JSON.stringify(order));
    await press(page, "Try it");
    await page.getByText("It would be a new record").waitFor();
    await page.getByRole("cell", { name: "ORDER-8" }).waitFor();
    await browser.check(page, "inbound-tried");
  });

  it("sets up the example connector, tests it, and starts a sync, by keyboard alone", async () => {
    const page = await open("connectors/example");
    await page.getByText("Choose a warehouse above").waitFor();
    await type(page, "Warehouse", `C${warehouse_id}`);
    await type(page, "API key", "a key of ours");
    await type(page, "Base URL", "https://93.184.216.34");
    await press(page, "Store");
    await page.getByText("stored", { exact: false }).first().waitFor();
    await until(async () => (await page.getByLabel("API key").inputValue()) === "");
    await press(page, "Test the connection");
    await page.getByText("The example connector is always connected").waitFor();
    await press(page, "Start: Items");
    const row = page.getByRole("row", { name: /^Items/ });
    await row.getByText("Idle").waitFor();
    await row
      .getByText(/\b20\d\d\b/)
      .first()
      .waitFor();
    await page.getByRole("row", { name: /Items.*Completed/ }).waitFor();
    const visit = { path: "/console/connectors/example", username: admin };
    await browser.look("connector", visit, async (one) => {
      await one.getByLabel(/^(Warehouse|Lager)$/).selectOption(String(warehouse_id));
      await one
        .getByText(/\b20\d\d\b/)
        .first()
        .waitFor();
    });
  });
});
