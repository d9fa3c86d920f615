import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { CARRIERS, insertAccount, RULES } from "../support/carrier-requests.js";
import {
  accountWith,
  CARRIER_ENV,
  keyOf,
  LABELS,
  type LocalCarrier,
  labelIn,
  labelOf,
  openCarrier,
  PARCELS,
  parcelTo,
} from "../support/carriers.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { openRawPrinter, PRINTER_ENV } from "../support/printers.js";
import { PRINT_JOBS, PRINTERS, printerBody } from "../support/printing-requests.js";
import { openService, type TestService } from "../support/service.js";
import { until } from "../support/until.js";

describe("labels of carriers", function () {
  this.timeout(60_000);
  let service: TestService;
  let carrier: LocalCarrier;
  let admin: Caller;
  let packer: Caller;
  let warehouse_id: number;
  let account_id: number;
  before(async () => {
    service = await openService({ worker: true, env: { ...CARRIER_ENV, ...PRINTER_ENV } });
    carrier = await openCarrier();
    admin = service.admin;
  });
  after(async () => {
    await service.close();
    await carrier.close();
  });
  beforeEach(async () => {
    await carrier.mended();
    warehouse_id = await fixtures.warehouse();
    packer = await service.user({ role: "ADMIN" });
    account_id = await accountWith(admin, warehouse_id, carrier);
  });

  const buy = (parcel_id: number, body: object = {}) => packer.ok("POST", `${PARCELS}/${parcel_id}/label`, body);
  const refusedBuy = async (parcel_id: number, body: object = {}) => {
    const { status, code, body: said } = await packer.post(`${PARCELS}/${parcel_id}/label`, body);
    return { refused: [status, code], said };
  };
  const rates = (parcel_id: number, body: object = {}) => packer.post(`${PARCELS}/${parcel_id}/rates`, body);
  const boughtFor = async (purchase_id: number) => carrier.bought(await keyOf(purchase_id));
  const countIn = async (purchase_id: number) => {
    const { bought, voided } = await boughtFor(purchase_id);
    return [bought, voided];
  };
  const parcelRow = (parcel_id: number) =>
    db.row<Record<string, unknown>>(
      "select carrier, service, tracking_number, cost_minor, cost_currency from parcels where parcel_id = $1",
      [parcel_id],
    );

  it("are quoted, bought once, stored and told at their parcel", async () => {
    const { parcel_id, so_number } = await parcelTo(warehouse_id);
    const quoted = await packer.ok("POST", `${PARCELS}/${parcel_id}/rates`, {});
    const chosen = quoted.rates.find((rate: { chosen: boolean }) => rate.chosen);
    assert.deepEqual(chosen, quoted.rates[0], "the cheapest stands first");
    assert.match(quoted.reason, /cheapest/);
    assert.equal(await labelOf(packer, parcel_id), undefined, "nothing is bought");
    const asked = await buy(parcel_id);
    assert.deepEqual([asked.status, asked.purchase_number], ["pending", 1]);
    const label = await labelIn(packer, parcel_id, "bought", "failed");
    assert.equal(label.status, "bought", label.last_error);
    assert.deepEqual(
      [label.so_number, label.carrier, label.service, label.cost_minor, label.cost_currency, label.account_id],
      [so_number, chosen.carrier, chosen.service, chosen.cost_minor, chosen.cost_currency, account_id],
    );
    assert.ok(label.tracking_number && label.bought_at && label.completed_at);
    const { carrier: by, service: how, tracking_number, cost_minor, cost_currency } = label;
    assert.deepEqual(await parcelRow(parcel_id), {
      ...{ carrier: by, service: how, tracking_number, cost_minor, cost_currency },
    });
    assert.deepEqual(await countIn(label.purchase_id), [1, 0]);
    const file = await fetch(`${service.url}${LABELS}/${label.purchase_id}/file`, { headers: packer.headers });
    assert.equal(file.headers.get("content-type"), "application/pdf");
    assert.equal(
      Buffer.from(await file.arrayBuffer())
        .subarray(0, 5)
        .toString(),
      "%PDF-",
    );
    const actions = await db.rows<{ action_type: string }>(
      "select action_type from audit_log where details->>'purchase_id' = $1::text order by log_id",
      [label.purchase_id],
    );
    assert.deepEqual(
      actions.map(({ action_type }) => action_type),
      ["LABEL_REQUEST", "LABEL_BOUGHT"],
    );
    const again = await refusedBuy(parcel_id);
    assert.deepEqual(again.refused, [409, "already_labelled"]);
    assert.equal(again.said.purchase_id, label.purchase_id);
  });

  it("come as ZPL where the account says so", async () => {
    await admin.ok("PUT", `${CARRIERS}/${account_id}`, { label_format: "zpl" });
    const { parcel_id } = await parcelTo(warehouse_id);
    await buy(parcel_id);
    const { purchase_id, label_format } = await labelIn(packer, parcel_id, "bought", "failed");
    assert.equal(label_format, "zpl");
    const file = await fetch(`${service.url}${LABELS}/${purchase_id}/file`, { headers: packer.headers });
    assert.match(await file.text(), /^\^XA/);
  });

  it("are bought by the service that was asked for, or that a rule names", async () => {
    const { parcel_id } = await parcelTo(warehouse_id);
    const { rates: all } = await packer.ok("POST", `${PARCELS}/${parcel_id}/rates`, {});
    const dear = all.at(-1);
    await buy(parcel_id, { carrier: dear.carrier, service: dear.service.toLowerCase() });
    const asked = await labelIn(packer, parcel_id, "bought", "failed");
    assert.deepEqual([asked.service, asked.cost_minor], [dear.service, dear.cost_minor]);
    assert.equal(asked.reason, "It was asked for");
    await admin.ok("POST", RULES, {
      ...{ warehouse_id, priority: 1, rule_name: "Light", max_weight_lbs: 3, carrier: dear.carrier },
      service: dear.service,
    });
    const other = await parcelTo(warehouse_id);
    await buy(other.parcel_id);
    const ruled = await labelIn(packer, other.parcel_id, "bought", "failed");
    assert.deepEqual([ruled.service, ruled.status], [dear.service, "bought"]);
    assert.match(ruled.reason, /^Rule Light: /);
    const goods = await parcelTo(warehouse_id);
    await db.run(
      `with i as (update items set is_hazardous = true where item_id = $2 returning item_id)
       insert into parcel_lines (parcel_id, item_id, quantity) select $1, item_id, 1 from i`,
      [goods.parcel_id, (await fixtures.item()).item_id],
    );
    await admin.ok("POST", RULES, {
      ...{ warehouse_id, priority: 2, rule_name: "Dangerous", hazardous: true, carrier: all[0].carrier },
    });
    await db.run("update carrier_rules set priority = 3 where warehouse_id = $1 and rule_name = 'Light'", [
      warehouse_id,
    ]);
    const dangerous = await packer.ok("POST", `${PARCELS}/${goods.parcel_id}/rates`, {});
    assert.match(dangerous.reason, /^Rule Dangerous: /);
  });

  it("are refused before anybody is asked: no such parcel, not closed, not weighed, nowhere to go", async () => {
    assert.deepEqual((await refusedBuy(999_999_999)).refused, [404, "parcel_not_found"]);
    assert.equal((await rates(999_999_999)).code, "parcel_not_found");
    assert.equal((await packer.get(`${PARCELS}/999999999/labels`)).code, "parcel_not_found");
    const { parcel_id } = await parcelTo(warehouse_id);
    await db.run("update parcels set status = 'OPEN', closed_at = null where parcel_id = $1", [parcel_id]);
    assert.deepEqual((await refusedBuy(parcel_id)).refused, [409, "parcel_not_closed"]);
    assert.equal((await rates(parcel_id)).code, "parcel_not_closed");
    const light = await parcelTo(warehouse_id, {}, 0);
    assert.deepEqual((await refusedBuy(light.parcel_id)).refused, [409, "parcel_not_weighed"]);
    assert.equal((await rates(light.parcel_id)).code, "parcel_not_weighed");
    const lost = await parcelTo(warehouse_id, { line1: null, country: "Atlantis" });
    for (const { code, body } of [
      await rates(lost.parcel_id),
      await packer.post(`${PARCELS}/${lost.parcel_id}/label`, {}),
    ]) {
      assert.equal(code, "address_incomplete");
      assert.deepEqual(body.faults, [
        { field: "shipping_address_line1", message: "It is missing" },
        { field: "shipping_address_country", message: "Atlantis is not a country" },
      ]);
    }
    const elsewhere = await parcelTo(await fixtures.warehouse());
    assert.deepEqual((await refusedBuy(elsewhere.parcel_id)).refused, [404, "no_carrier_account"]);
    assert.equal((await rates(elsewhere.parcel_id)).code, "no_carrier_account");
    assert.deepEqual((await refusedBuy(elsewhere.parcel_id, { account_id })).refused, [
      404,
      "carrier_account_not_found",
    ]);
    await admin.ok("PUT", `${CARRIERS}/${account_id}`, { is_active: false });
    const { parcel_id: another } = await parcelTo(warehouse_id);
    assert.deepEqual((await refusedBuy(another, { account_id })).refused, [409, "carrier_account_inactive"]);
    assert.equal(
      await db.value("select count(*)::int from label_purchases where warehouse_id = $1", [warehouse_id]),
      0,
    );
  });

  it("are refused by the carrier by name, and nothing is bought", async () => {
    const nowhere = await parcelTo(warehouse_id, { line1: "000 Nowhere" });
    const quote = await rates(nowhere.parcel_id);
    assert.deepEqual([quote.status, quote.code], [400, "address_refused"]);
    assert.equal(quote.body.faults[0].field, "shipping_address_line1");
    await buy(nowhere.parcel_id);
    const label = await labelIn(packer, nowhere.parcel_id, "bought", "failed");
    assert.deepEqual([label.status, label.refusal], ["failed", "address_refused"]);
    assert.equal(label.faults[0].field, "shipping_address_line1");
    assert.deepEqual(await countIn(label.purchase_id), [0, 0]);

    const { parcel_id } = await parcelTo(warehouse_id);
    assert.equal((await rates(parcel_id, { service: "Balloon" })).code, "service_not_available");
    await buy(parcel_id, { service: "Balloon" });
    const missing = await labelIn(packer, parcel_id, "bought", "failed");
    assert.deepEqual([missing.status, missing.refusal], ["failed", "service_not_available"]);

    await carrier.fault({ refuse: true, path: "/buy" });
    await buy(parcel_id);
    await until(async () => (await labelOf(packer, parcel_id)).purchase_number === 2);
    const refused = await labelIn(packer, parcel_id, "bought", "failed");
    assert.deepEqual([refused.status, refused.refusal], ["failed", "refused"]);
    assert.deepEqual(await countIn(refused.purchase_id), [0, 0]);
    await buy(parcel_id);
    await until(async () => (await labelOf(packer, parcel_id)).purchase_number === 3);
    assert.equal((await labelIn(packer, parcel_id, "bought", "failed")).status, "bought");
  });

  it("say what the carrier says of a wrong key, and when it is away", async () => {
    const { parcel_id } = await parcelTo(warehouse_id);
    await admin.ok("PUT", `${CARRIERS}/${account_id}`, { config: { api_key: "EZTK_wrong" } });
    assert.deepEqual(await admin.ok("POST", `${CARRIERS}/${account_id}/test`, {}).then((t) => t.connected), false);
    const wrong = await rates(parcel_id);
    assert.deepEqual([wrong.status, wrong.code], [400, "carrier_refused"]);
    assert.doesNotMatch(JSON.stringify(wrong.body), /EZTK_wrong/);
    await buy(parcel_id);
    assert.equal((await labelIn(packer, parcel_id, "bought", "failed")).status, "failed");
    await admin.ok("PUT", `${CARRIERS}/${account_id}`, { config: { api_key: "EZTK_local" } });
    assert.deepEqual(await admin.ok("POST", `${CARRIERS}/${account_id}/test`, {}), {
      ...{ connected: true, message: "Connected: the key is accepted" },
    });
    await carrier.fault({ status: 500, path: "/v2/" });
    const away = await rates(parcel_id);
    assert.deepEqual([away.status, away.code], [503, "carrier_away"]);
  });

  it("are bought once, whatever becomes of the answer", async () => {
    const faults: object[] = [
      { drop: "after", path: "/buy" },
      { drop: "before", path: "/buy" },
      { status: 500, path: "/buy" },
      { delay_ms: 3_000, path: "/buy" },
      { drop: "after", path: "/v2/shipments", method: "POST" },
      { status: 502, path: "/label" },
    ];
    const parcels = await Promise.all(faults.map(() => parcelTo(warehouse_id)));
    for (const [at, fault] of faults.entries()) {
      const { parcel_id } = parcels[at] as { parcel_id: number };
      await carrier.mended();
      await carrier.fault(fault);
      await buy(parcel_id);
      const label = await labelIn(packer, parcel_id, "bought", "failed");
      assert.equal(label.status, "bought", `${JSON.stringify(fault)}: ${label.last_error}`);
      assert.deepEqual(await countIn(label.purchase_id), [1, 0], JSON.stringify(fault));
      assert.ok(label.label_format, `no file after ${JSON.stringify(fault)}`);
    }
  });

  it("are taken back with the carrier, once, and the parcel gets another one", async () => {
    const { parcel_id } = await parcelTo(warehouse_id);
    await buy(parcel_id);
    const { purchase_id } = await labelIn(packer, parcel_id, "bought", "failed");
    await carrier.fault({ drop: "after", path: "/refund" });
    assert.equal((await packer.ok("POST", `${LABELS}/${purchase_id}/void`, {})).status, "voiding");
    const voided = await labelIn(packer, parcel_id, "voided", "void_failed");
    assert.deepEqual([voided.status, voided.refund], ["voided", "submitted"]);
    assert.deepEqual(await countIn(purchase_id), [1, 1]);
    assert.equal((await parcelRow(parcel_id))?.tracking_number, null);
    assert.equal((await packer.post(`${LABELS}/${purchase_id}/void`, {})).code, "label_ended");
    assert.equal((await packer.post(`${LABELS}/999999999/void`, {})).code, "label_purchase_not_found");
    await buy(parcel_id);
    await until(async () => (await labelOf(packer, parcel_id)).status === "bought");
    assert.equal((await labelOf(packer, parcel_id)).purchase_number, 2);
  });

  it("say that their order has another address by now, until another one is bought", async () => {
    const { so_id, parcel_id } = await parcelTo(warehouse_id);
    const changed = async () => (await packer.ok("GET", `${PARCELS}/${parcel_id}`)).address_changed;
    await buy(parcel_id);
    const { purchase_id } = await labelIn(packer, parcel_id, "bought", "failed");
    assert.equal(await changed(), false);
    const correct = (line1: string) =>
      packer.ok("PATCH", `/api/admin/sales-orders/${so_id}/address`, { shipping_address_line1: line1 });
    await correct("14 Main Street");
    assert.equal(await changed(), true);
    const inOrder = await packer.ok("GET", `${PARCELS}?so_id=${so_id}`);
    assert.equal(inOrder.parcels[0].address_changed, true);
    await correct("12 Main Street");
    assert.equal(await changed(), false, "the first one after all");
    await correct("14 Main Street");
    await packer.ok("POST", `${LABELS}/${purchase_id}/void`, {});
    await labelIn(packer, parcel_id, "voided", "void_failed");
    assert.equal(await changed(), false);
    await buy(parcel_id);
    await until(async () => (await labelOf(packer, parcel_id)).status === "bought");
    assert.equal(await changed(), false);
  });

  it("are taken back when their parcel is voided, and not once it is shipped", async () => {
    const { parcel_id } = await parcelTo(warehouse_id);
    await buy(parcel_id);
    const { purchase_id } = await labelIn(packer, parcel_id, "bought", "failed");
    const { so_id } = (await db.row<{ so_id: number }>("select so_id from parcels where parcel_id = $1", [
      parcel_id,
    ])) as { so_id: number };
    const fulfillment_id = await db.value<number>(
      "insert into item_fulfillments (so_id, warehouse_id) values ($1, $2) returning fulfillment_id",
      [so_id, warehouse_id],
    );
    await db.run(
      "update parcels set status = 'SHIPPED', shipped_at = now(), fulfillment_id = $2 where parcel_id = $1",
      [...[parcel_id, fulfillment_id]],
    );
    assert.equal((await packer.post(`${LABELS}/${purchase_id}/void`, {})).code, "labelled_parcel_shipped");
    await db.run(
      `update parcels set status = 'VOIDED', shipped_at = null, fulfillment_id = null, voided_at = now()
       where parcel_id = $1`,
      [parcel_id],
    );
    const { startMissing } = await import("../../workers/reconcile.js");
    const { temporalClient } = await import("../../api/http/workflow-updates.js");
    await startMissing(temporalClient(), service.config);
    assert.equal((await labelIn(packer, parcel_id, "voided", "void_failed")).status, "voided");
    assert.deepEqual(await countIn(purchase_id), [1, 1]);
  });

  it("are cancelled before they are bought, and taken back where they were bought meanwhile", async () => {
    const { parcel_id } = await parcelTo(warehouse_id);
    await carrier.fault({ status: 500, path: "/v2/", times: 9 });
    const { purchase_id } = await buy(parcel_id);
    assert.equal((await packer.get(`${LABELS}/${purchase_id}/file`)).code, "label_not_stored");
    assert.equal((await packer.get(`${LABELS}/999999999/file`)).code, "label_purchase_not_found");
    assert.equal((await packer.ok("POST", `${LABELS}/${purchase_id}/void`, {})).status, "cancelled");
    await carrier.mended();
    assert.deepEqual(await countIn(purchase_id), [0, 0]);

    const other = await parcelTo(warehouse_id);
    await carrier.fault({ delay_ms: 1_000, path: "/buy" });
    const late = await buy(other.parcel_id);
    await until(async () => (await boughtFor(late.purchase_id)).bought === 1);
    assert.equal((await packer.ok("POST", `${LABELS}/${late.purchase_id}/void`, {})).status, "voiding");
    assert.equal((await labelIn(packer, other.parcel_id, "voided", "void_failed")).status, "voided");
    assert.deepEqual(await countIn(late.purchase_id), [1, 1]);
  });

  it("are printed once where a printer is set up for them", async () => {
    const printer = await openRawPrinter();
    try {
      await admin.ok("PUT", `${CARRIERS}/${account_id}`, { label_format: "zpl" });
      const fields = { kind: "raw9100", address: printer.address, size: "4x6in", api_key: undefined };
      await admin.ok("POST", PRINTERS, printerBody(warehouse_id, { ...fields, documents: ["carrier_label"] }));
      const { parcel_id } = await parcelTo(warehouse_id);
      await buy(parcel_id);
      const { purchase_id } = await labelIn(packer, parcel_id, "bought", "failed");
      await until(() => printer.printed.length > 0);
      assert.match(printer.printed.join(), /^\^XA/);
      const jobs = `${PRINT_JOBS}?warehouse_id=${warehouse_id}`;
      assert.equal((await admin.ok("GET", jobs)).print_jobs.length, 1);
      const again = { document: "carrier_label", warehouse_id, record_ids: [purchase_id] };
      const codeOf = async (body: object) => (await admin.post(PRINT_JOBS, { ...again, ...body })).code;
      assert.equal(await codeOf({ copies: 2 }), "too_many_labels");
      assert.equal(await codeOf({ record_ids: [999_999_999] }), "label_purchase_not_found");
      const unlabelled = await parcelTo(warehouse_id);
      const by_hand = { account_id: await insertAccount(warehouse_id), tracking_number: "1Z7" };
      const without = await buy(unlabelled.parcel_id, by_hand);
      assert.equal(await codeOf({ record_ids: [without.purchase_id] }), "label_not_stored");
    } finally {
      await printer.close();
    }
  });

  it("that somebody bought elsewhere are noted with their tracking number", async () => {
    const by_hand = await insertAccount(warehouse_id);
    const { parcel_id } = await parcelTo(warehouse_id);
    const body = { account_id: by_hand, carrier: "UPS", cost_minor: 1295, cost_currency: "USD" };
    assert.deepEqual((await refusedBuy(parcel_id, body)).refused, [400, "tracking_number_needed"]);
    const given = await refusedBuy(parcel_id, { account_id, tracking_number: "1Z1" });
    assert.deepEqual(given.refused, [400, "tracking_number_given"]);
    assert.equal((await packer.post(`${PARCELS}/${parcel_id}/label`, { cost_minor: 1 })).status, 400);
    const label = await packer.ok("POST", `${PARCELS}/${parcel_id}/label`, { ...body, tracking_number: "1Z9" });
    assert.deepEqual([label.status, label.carrier, label.label_format], ["bought", "UPS", null]);
    assert.deepEqual(await parcelRow(parcel_id), {
      ...{ carrier: "UPS", service: null, tracking_number: "1Z9", cost_minor: 1295, cost_currency: "USD" },
    });
    const voided = await packer.ok("POST", `${LABELS}/${label.purchase_id}/void`, {});
    assert.equal(voided.status, "voided");
    assert.equal((await parcelRow(parcel_id))?.tracking_number, null);
    assert.deepEqual(await admin.ok("POST", `${CARRIERS}/${by_hand}/test`, {}), {
      ...{ connected: true, message: "Nobody is asked: labels are bought by hand" },
    });
  });
});
