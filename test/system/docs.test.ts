import assert from "node:assert/strict";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { routes } from "../../api/routes.js";
import { eventTypes } from "../../src/platform/events/catalog.js";
import { openBrowser } from "../support/browser.js";
import { patient } from "../support/machine-speed.js";
import { openService, type TestService } from "../support/service.js";

describe("the API reference page, in a browser", function () {
  // The first start unpacks the browser, and the page draws some hundred operations.
  this.timeout(120_000);

  let service: TestService;
  let browser: Browser;
  let visitor: BrowserContext;
  let page: Page;
  const asked: string[] = [];
  const complaints: string[] = [];

  before(async () => {
    service = await openService();
    browser = await openBrowser();
    visitor = await browser.newContext();
    visitor.setDefaultTimeout(patient(60_000));
    page = await visitor.newPage();
    page.on("request", (request) => asked.push(request.url()));
    page.on("requestfailed", (request) => complaints.push(`${request.url()} failed`));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(`${service.url}/docs`);
    await page.locator(".opblock-tag").first().waitFor();
  });

  after(async () => {
    await browser?.close();
    await service?.close();
  });

  it("lists every operation, and every event as a webhook, the test too", async () => {
    const operations = page.locator(".opblock-tag-section .opblock");
    let listed = 0;
    for (const tag of await page.locator(".opblock-tag").all()) {
      await tag.click();
      await operations.first().waitFor();
      listed += await operations.count();
      await tag.click();
    }
    assert.equal(listed, routes.length);
    assert.equal(await page.locator(".webhooks .opblock").count(), eventTypes.length + 1);
  });

  it("shows what an operation takes and answers, with examples", async () => {
    const operation = page.locator("#operations-Receiving-receiveItems");
    await page.locator("#operations-tag-Receiving").click();
    await operation.locator(".opblock-summary-control").click();
    const body = operation.locator(".opblock-section-request-body");
    await body.getByText('"po_id"').waitFor();
    assert.match((await body.textContent()) ?? "", /"quantity"/);
    assert.match(
      (await operation.locator(".responses-wrapper").textContent()) ?? "",
      /"receipt_ids"[\s\S]*over_receipt/,
    );
    await body.getByText("Schema", { exact: true }).click();
    await body.getByText("po_id").waitFor();
    assert.match((await body.textContent()) ?? "", /integer/);
  });

  it("opens at an operation by its link", async () => {
    const linked = await visitor.newPage();
    await linked.goto(`${service.url}/docs#/Receiving/receiveItems`);
    await linked.locator("#operations-Receiving-receiveItems.is-open").waitFor();
    await linked.close();
  });

  it("lets a person log in and then call as that person, changes included", async () => {
    const { url } = service;
    await page.context().addCookies([{ name: "service_csrf", value: "as-set-by-login", url }]);
    const operation = page.locator("#operations-Receiving-receiveItems");
    await operation.getByRole("button", { name: "Try it out" }).click();
    const sent = page.waitForRequest(`${url}/api/receiving/receive`);
    await operation.getByRole("button", { name: "Execute" }).click();
    assert.equal((await sent).headers()["x-csrf-token"], "as-set-by-login");
    await operation.locator(".live-responses-table").waitFor();
    for (const complaint of complaints.splice(0)) assert.match(complaint, /status of 401/);
  });

  it("is linked from the address of the service itself", async () => {
    const home = await visitor.newPage();
    await home.goto(service.url);
    await home.getByText("reference").click();
    await home.waitForURL(`${service.url}/docs`);
    await home.close();
  });

  it("asks nobody but its own server, and complains of nothing", () => {
    assert.ok(asked.length >= 5);
    assert.deepEqual(
      asked.filter((url) => !url.startsWith(`${service.url}/`) && !url.startsWith("data:")),
      [],
    );
    assert.deepEqual(complaints, []);
  });
});
