import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { CARRIERS, COLLECTIONS, insertAccount, shipByRows } from "../support/carrier-requests.js";
import {
  accountWith,
  CARRIER_ENV,
  type CarrierName,
  LABELS,
  type LocalCarrier,
  labelIn,
  openCarrier,
  PARCELS,
  parcelTo,
} from "../support/carriers.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { scanForms } from "../support/mortal-carrier.js";
import { openRawPrinter, PRINTER_ENV } from "../support/printers.js";
import { PRINT_JOBS, PRINTERS, printerBody } from "../support/printing-requests.js";
import { openService, type TestService } from "../support/service.js";
import { until } from "../support/until.js";
import { detailsOf } from "../support/workflow-environment.js";

/** The time of day, in UTC, of a cut-off that is still ahead; near midnight it is of the next day. */
const LATER = "23:59";
type Address = Record<string, string | null>;
/** Where the account with karrio sends from, so that nothing is declared. */
const IN_EUROPE = { line1: "Domstrasse 1", city: "Berlin", state: null, postal_code: "10115", country: "DE" };
const FORMS: Record<CarrierName, string> = { easypost: "/v2/scan_forms", karrio: "/v1/manifests", sendcloud: "-" };

describe("collections of carriers", function () {
  this.timeout(60_000);
  let service: TestService;
  let admin: Caller;
  let packer: Caller;
  let warehouse_id: number;
  const open: LocalCarrier[] = [];
  before(async () => {
    service = await openService({ worker: true, env: { ...CARRIER_ENV, ...PRINTER_ENV } });
    admin = service.admin;
  });
  after(async () => {
    await service.close();
    for (const carrier of open) await carrier.close();
  });
  beforeEach(async () => {
    warehouse_id = await fixtures.warehouse();
    await db.run("update warehouses set timezone = 'UTC' where warehouse_id = $1", [warehouse_id]);
    packer = await service.user({ role: "ADMIN" });
  });

  /** An account with a local carrier whose cut-off is ahead. */
  async function house(fields: object = { scan_out: true }, name: CarrierName = "easypost") {
    const carrier = await openCarrier(name);
    open.push(carrier);
    const account_id = await accountWith(admin, warehouse_id, carrier, {
      ...{ carrier: name, collection_at: LATER },
      ...fields,
    });
    return { carrier, account_id };
  }

  /** A parcel with a bought label, shipped unless it is to wait. */
  async function labelled({
    waits = false,
    body = {},
    to = {},
  }: {
    waits?: boolean;
    body?: object;
    to?: Address;
  } = {}) {
    const parcel = await parcelTo(warehouse_id, to);
    await packer.ok("POST", `${PARCELS}/${parcel.parcel_id}/label`, body);
    const label = await labelIn(packer, parcel.parcel_id, "bought", "failed");
    assert.equal(label.status, "bought", label.last_error);
    if (!waits) await shipByRows(parcel.parcel_id);
    const { tracking_number, purchase_id, carrier } = label;
    return { ...parcel, tracking_number, purchase_id, carrier, code: `PCL-${parcel.parcel_id}` };
  }

  const list = async (query = "") =>
    (await packer.ok("GET", `${COLLECTIONS}?warehouse_id=${warehouse_id}&sort=collection_id${query}`)).collections;
  const only = async () => {
    const all = await list();
    assert.equal(all.length, 1, JSON.stringify(all));
    return all[0];
  };
  const at = (collection_id: number) => `${COLLECTIONS}/${collection_id}`;
  const read = async (collection_id: number) => (await packer.ok("GET", at(collection_id))).collection;
  const scan = (collection_id: number, scanned_barcode: string) =>
    packer.post(`${at(collection_id)}/scan`, { scanned_barcode });
  const load = (collection_id: number, scanned_barcode: string) =>
    packer.ok("POST", `${at(collection_id)}/scan`, { scanned_barcode });
  const close = (collection_id: number) => packer.ok("POST", `${at(collection_id)}/close`, {});
  const handOver = (collection_id: number, body: object = {}) =>
    packer.ok("POST", `${at(collection_id)}/hand-over`, body);
  const pdfOf = async (collection_id: number, query = "") => {
    const file = await fetch(`${service.url}${at(collection_id)}/manifest${query}`, { headers: packer.headers });
    assert.equal(file.headers.get("content-type"), "application/pdf");
    return Buffer.from(await file.arrayBuffer()).toString("latin1");
  };
  async function inStatus(collection_id: number, ...statuses: string[]) {
    // biome-ignore lint/suspicious/noExplicitAny: an answer, held against its schema where it came
    let collection: any;
    await until(async () => {
      collection = await read(collection_id);
      return statuses.includes(collection.status);
    }).catch((error) => {
      throw new Error(`${error.message}: it is ${collection?.status}, ${collection?.last_error}`);
    });
    return collection;
  }
  /** Starts the workflows that should run, as the job `reconcile` does each minute. */
  async function reconcile() {
    const { startMissing } = await import("../../workers/reconcile.js");
    const { temporalClient } = await import("../../api/http/workflow-updates.js");
    return startMissing(temporalClient(), service.config);
  }
  /** The cut-off comes: the row says when, and its workflow is told to look at it. */
  async function cutOff(collection_id: number) {
    await db.run("update carrier_collections set cut_off_at = now() where collection_id = $1", [collection_id]);
    await reconcile();
    const { temporalClient } = await import("../../api/http/workflow-updates.js");
    await temporalClient().workflow.getHandle(`carrier-collection-${collection_id}`).signal("changed");
  }
  const made = async (carrier: LocalCarrier, name: CarrierName = "easypost") =>
    (await carrier.calls()).filter(({ method, path }) => method === "POST" && path === FORMS[name]).length;

  it("begin with a label, get the manifest at the cut-off, and go with it where nothing is scanned", async () => {
    const { carrier } = await house({});
    const [one, two] = [await labelled(), await labelled()];
    const { collection_id, ...begun } = await only();
    assert.deepEqual([begun.status, begun.parcels, begun.carrier, begun.manifest], ["open", 2, one.carrier, null]);
    assert.ok(begun.cut_off_at);
    const { expectedWorkflows } = await import("../../workers/reconcile.js");
    const workflow = (await expectedWorkflows(service.config)).find(
      ({ workflowId }) => workflowId === `carrier-collection-${collection_id}`,
    );
    assert.equal(workflow?.staticSummary, `collection of ${one.carrier} on ${begun.collection_day}`);
    await cutOff(collection_id);
    const done = await inStatus(collection_id, "manifested", "manifest_failed");
    assert.deepEqual([done.status, done.manifest, done.last_error], ["manifested", "carrier", null]);
    assert.ok(done.collected_at && done.manifested_at);
    const [form, ...others] = await scanForms(carrier.url);
    assert.deepEqual(form?.tracking_codes.sort(), [one.tracking_number, two.tracking_number].sort());
    assert.deepEqual(others, []);
    assert.match(await pdfOf(collection_id), /^%PDF-/);
    const zpl = await packer.get(`${at(collection_id)}/manifest?format=zpl&size=4x6in`);
    assert.equal(zpl.code, "label_of_other_format");
    const onPaper = await packer.get(`${at(collection_id)}/manifest?format=zpl&size=A4`);
    assert.equal(onPaper.code, "size_not_on_roll");
    const events = await db.column<string>(
      "select event_data(e)->>'so_number' from integration_events e where event_type = $1 and warehouse_id = $2",
      ["carrier.collected", warehouse_id],
    );
    assert.deepEqual(events.sort(), [one.so_number, two.so_number].sort());
    const actions = await db.column<string>(
      "select action_type from audit_log where entity_type = 'COLLECTION' and entity_id = $1 order by log_id",
      [collection_id],
    );
    assert.deepEqual(actions, ["COLLECTION_CLOSE", "MANIFEST", "COLLECTION_LEFT"]);
    // The day has its collection: what comes now goes with the next one.
    await labelled();
    const [, next] = await list();
    assert.ok(next.collection_day > done.collection_day);
    assert.deepEqual((await packer.ok("GET", `${COLLECTIONS}?day=${next.collection_day}`)).total >= 1, true);
  });

  it("are loaded parcel by parcel, and leave behind what was not", async () => {
    await house();
    const parcels = [await labelled(), await labelled(), await labelled()] as const;
    const [by_code, by_number, missing] = parcels;
    const { collection_id } = await only();
    await close(collection_id);
    await inStatus(collection_id, "manifested");
    const first = await load(collection_id, by_code.code);
    assert.deepEqual([first.is_loaded, first.loaded, first.parcels, first.on_manifest], [true, 1, 3, true]);
    assert.deepEqual(await load(collection_id, by_code.code), first, "the same code again");
    assert.equal((await load(collection_id, `42062701${by_number.tracking_number}`)).loaded, 2);
    const taken = await packer.ok("POST", `${at(collection_id)}/take-off`, { scanned_barcode: by_number.code });
    assert.deepEqual([taken.is_loaded, taken.loaded], [false, 1]);
    const again = await packer.post(`${at(collection_id)}/take-off`, { scanned_barcode: by_number.code });
    assert.equal(again.code, "not_loaded");
    const unknown = await packer.post(`${at(collection_id)}/take-off`, { scanned_barcode: "NOTHING" });
    assert.deepEqual([unknown.status, unknown.code], [404, "nothing_by_this_code"]);
    await load(collection_id, by_number.tracking_number);
    const contents = async (loaded: boolean) =>
      (await packer.ok("GET", `${at(collection_id)}?loaded=${loaded}`)).contents.map(
        ({ so_number }: { so_number: string }) => so_number,
      );
    assert.deepEqual(await contents(false), [missing.so_number]);
    assert.equal((await contents(true)).length, 2);
    const { collection, not_collected } = await handOver(collection_id, { driver_name: "Jo", signature: "J. M." });
    assert.deepEqual([collection.driver_name, collection.signature, collection.parcels], ["Jo", "J. M.", 2]);
    assert.deepEqual(
      not_collected.map(({ so_number }: { so_number: string }) => so_number),
      [missing.so_number],
    );
    for (const code of ["scan", "take-off"] as const)
      assert.equal(
        (await packer.post(`${at(collection_id)}/${code}`, { scanned_barcode: missing.code })).code,
        "collection_ended",
      );
    assert.equal((await packer.post(`${at(collection_id)}/hand-over`, {})).code, "collection_ended");
    // It is in the next collection, and stays on the manifest that it has.
    const [, next] = await list();
    assert.deepEqual([next.status, next.parcels], ["open", 1]);
    assert.equal((await scan(next.collection_id, by_code.code)).code, "already_collected");
    const loaded = await load(next.collection_id, missing.code);
    assert.deepEqual([loaded.loaded, loaded.parcels, loaded.on_manifest], [1, 1, true]);
    const inbox = await db.value<number>(
      "select count(*)::int from label_purchases where purchase_id = $1 and left_behind_at is not null",
      [missing.purchase_id],
    );
    assert.equal(inbox, 1);
  });

  it("take only what is shipped and goes with their carrier", async () => {
    const { account_id } = await house();
    const parcel = await labelled({ waits: true });
    const { collection_id, carrier } = await only();
    const codeOf = async (code: string) => {
      const { status, code: kind } = await scan(collection_id, code);
      return [status, kind];
    };
    assert.deepEqual(await codeOf("NEVER-WAS"), [404, "nothing_by_this_code"]);
    assert.deepEqual(await codeOf(parcel.code), [409, "ship_first"]);
    await shipByRows(parcel.parcel_id);
    await db.run("update label_purchases set status = 'voided' where purchase_id = $1", [parcel.purchase_id]);
    assert.deepEqual(await codeOf(parcel.code), [409, "label_taken_back"]);
    const by_hand = await insertAccount(warehouse_id);
    const other = await labelled({ body: { account_id: by_hand, tracking_number: "1Z77", carrier: "UPS" } });
    assert.deepEqual(await codeOf(other.tracking_number), [409, "other_carrier"]);
    // An order that went as a whole, with a number that somebody typed.
    const whole = async (by: string, tracking_number: string) => {
      const { item_id } = await fixtures.item();
      const order = await fixtures.salesOrder(warehouse_id, [{ item_id, quantity: 1 }]);
      await db.run(
        "insert into item_fulfillments (so_id, warehouse_id, carrier, tracking_number) values ($1, $2, $3, $4)",
        [order.so_id, warehouse_id, by, tracking_number],
      );
    };
    await whole("FedEx", "7700");
    assert.deepEqual(await codeOf("7700"), [409, "other_carrier"]);
    await whole(carrier.toLowerCase(), "9400");
    const loaded = await load(collection_id, "9400");
    assert.deepEqual([loaded.parcel_id, loaded.loaded, loaded.parcels], [null, 1, 1]);
    // A lot that is called back.
    const { item_id } = await fixtures.item();
    const recalled = await labelled();
    await db.run("insert into parcel_lines (parcel_id, item_id, lot_number, quantity) values ($1, $2, 'BAD', 1)", [
      recalled.parcel_id,
      item_id,
    ]);
    const lot_id = await db.value<number>(
      "insert into lots (item_id, lot_number) values ($1, 'BAD') returning lot_id",
      [item_id],
    );
    await admin.ok("POST", "/api/admin/recalls", { lot_ids: [lot_id], reason: "glass" });
    assert.deepEqual(await codeOf(recalled.code), [409, "parcel_recalled"]);
    assert.equal((await packer.post(`${at(999_999_999)}/scan`, { scanned_barcode: "1" })).code, "collection_not_found");
    assert.equal((await packer.get(`${at(999_999_999)}/manifest`)).code, "collection_not_found");
    assert.equal(typeof account_id, "number");
  });

  it("have one manifest, whatever becomes of the answer, and whoever closes them", async () => {
    for (const name of ["easypost", "karrio"] as const)
      for (const fault of [{ drop: "after" }, { drop: "before" }, { delay_ms: 3_000 }, { status: 500 }]) {
        await db.run("update carrier_accounts set is_active = false where warehouse_id = $1", [warehouse_id]);
        const { carrier, account_id } = await house({}, name);
        await labelled({ body: { account_id }, to: name === "karrio" ? IN_EUROPE : {} });
        const [{ collection_id }] = await list(`&account_id=${account_id}`);
        await carrier.fault({ ...fault, path: FORMS[name], method: "POST" });
        const closed = await Promise.all([close(collection_id), close(collection_id)]);
        assert.deepEqual(
          closed.map(({ status }) => status),
          ["manifesting", "manifesting"],
        );
        const done = await inStatus(collection_id, "manifested", "manifest_failed");
        assert.equal(done.status, "manifested", `${name} ${JSON.stringify(fault)}: ${done.last_error}`);
        const expected = fault.drop === "before" || fault.status ? 2 : 1;
        assert.equal(await made(carrier, name), expected, `${name} ${JSON.stringify(fault)}`);
        assert.match(await pdfOf(collection_id), /^%PDF-/);
      }
  });

  it("go with the manifest of the house where the carrier makes none", async () => {
    const account_id = await insertAccount(warehouse_id);
    await admin.ok("PUT", `/api/admin/carriers/${account_id}`, { scan_out: true });
    const before = { account_id, tracking_number: "1Z1", carrier: "UPS" };
    const parcel = await labelled({ body: before });
    assert.deepEqual(await list(), [], "nobody asked for collections");
    const begun = await packer.ok("POST", COLLECTIONS, { account_id, carrier: "UPS" });
    assert.deepEqual([begun.status, begun.parcels, begun.cut_off_at], ["open", 1, null]);
    // Without a cut-off it waits for people.
    const { temporalClient } = await import("../../api/http/workflow-updates.js");
    const handle = temporalClient().workflow.getHandle(`carrier-collection-${begun.collection_id}`);
    await until(async () => /until somebody closes it/.test(await detailsOf(handle).catch(() => "")));
    const again = await packer.ok("POST", COLLECTIONS, { account_id, carrier: "UPS" });
    assert.equal(again.collection_id, begun.collection_id);
    await load(begun.collection_id, parcel.code);
    const { collection } = await handOver(begun.collection_id, {});
    assert.equal(collection.status, "manifesting", "the truck came before the cut-off");
    const done = await inStatus(begun.collection_id, "manifested");
    assert.equal(done.manifest, "house");
    assert.match(await pdfOf(begun.collection_id), /^%PDF-/);
    const empty = await packer.ok("POST", COLLECTIONS, { account_id, carrier: "DHL" });
    for (const [verb, path] of [
      ["post", "close"],
      ["post", "hand-over"],
      ["get", "manifest"],
    ] as const)
      assert.equal((await packer[verb](`${at(empty.collection_id)}/${path}`, {})).code, "collection_empty");
    for (const path of ["close", "hand-over", "take-off"])
      assert.equal(
        (await packer.post(`${at(999_999_999)}/${path}`, path === "take-off" ? { scanned_barcode: "1" } : {})).code,
        "collection_not_found",
      );
    assert.equal(
      (await packer.post(COLLECTIONS, { account_id: 999_999_999, carrier: "UPS" })).code,
      "carrier_account_not_found",
    );
    await admin.ok("PUT", `/api/admin/carriers/${account_id}`, { is_active: false });
    assert.equal((await packer.post(COLLECTIONS, { account_id, carrier: "GLS" })).code, "carrier_account_inactive");
  });

  it("begin for accounts that are in use alone", async () => {
    const { account_id } = await house();
    await admin.ok("PUT", `${CARRIERS}/${account_id}`, { is_active: false });
    const refused = await packer.post(COLLECTIONS, { account_id, carrier: "USPS" });
    assert.deepEqual([refused.status, refused.code], [409, "carrier_account_inactive"]);
  });

  it("that nothing is in end at their cut-off", async () => {
    await house();
    const { purchase_id } = await labelled({ waits: true });
    const { collection_id } = await only();
    await packer.ok("POST", `${LABELS}/${purchase_id}/void`, {});
    await until(async () => (await read(collection_id)).parcels === 0);
    await cutOff(collection_id);
    assert.equal((await inStatus(collection_id, "cancelled")).collected_at, null);
    assert.equal((await scan(collection_id, "1")).code, "collection_ended");
  });

  it("leave without a label that was taken back after the manifest", async () => {
    await house();
    const [gone, taken] = [await labelled(), await labelled({ waits: true })];
    const { collection_id } = await only();
    await close(collection_id);
    await inStatus(collection_id, "manifested");
    await packer.ok("POST", `${LABELS}/${taken.purchase_id}/void`, {});
    await labelIn(packer, taken.parcel_id, "voided");
    await load(collection_id, gone.code);
    assert.equal((await read(collection_id)).parcels, 1);
    assert.deepEqual((await handOver(collection_id)).not_collected, []);
  });

  it("leave while the carrier is away, and get their manifest once it is back", async () => {
    const { carrier } = await house();
    const parcel = await labelled();
    const { collection_id } = await only();
    await carrier.fault({ status: 503, path: "/v2/", times: 999 });
    await cutOff(collection_id);
    await until(async () => (await read(collection_id)).attempts > 0);
    const waiting = await read(collection_id);
    assert.equal(waiting.status, "manifesting");
    assert.match(waiting.last_error, /503/);
    await load(collection_id, parcel.code);
    assert.deepEqual((await handOver(collection_id)).not_collected, []);
    await carrier.mended();
    assert.equal((await inStatus(collection_id, "manifested")).manifest, "carrier");
    assert.equal((await scanForms(carrier.url)).length, 1);
  });

  it("say why a carrier refuses the manifest, which may be asked for again", async () => {
    const { carrier } = await house();
    const parcel = await labelled();
    const { collection_id } = await only();
    await carrier.fault({ status: 422, path: FORMS.easypost });
    await close(collection_id);
    const failed = await inStatus(collection_id, "manifest_failed");
    assert.match(failed.last_error, /EasyPost/);
    assert.match(await pdfOf(collection_id), /^%PDF-/, "the house's own");
    await load(collection_id, parcel.code);
    await close(collection_id);
    assert.equal((await inStatus(collection_id, "manifested", "manifest_failed")).status, "manifested");
    assert.equal((await scanForms(carrier.url)).length, 1);
  });

  it("have a further manifest for what is loaded after the first, before the truck leaves or as it does", async () => {
    const { carrier } = await house();
    const first = await labelled();
    const { collection_id } = await only();
    await close(collection_id);
    assert.equal((await inStatus(collection_id, "manifested")).without_manifest, 0);
    assert.equal((await close(collection_id)).status, "manifested", "nothing lacks one");
    const [second, third] = [await labelled(), await labelled()];
    const late = await load(collection_id, second.code);
    assert.deepEqual([late.on_manifest, late.without_manifest, late.parcels], [false, 1, 2]);
    assert.equal((await read(collection_id)).without_manifest, 1);
    // Somebody asks for it, so that the driver can take it along.
    const asked = await close(collection_id);
    assert.deepEqual([asked.status, asked.manifest_number, asked.without_manifest], ["manifesting", 2, 0]);
    assert.equal((await inStatus(collection_id, "manifested")).manifest, "carrier");
    await load(collection_id, first.code);
    await load(collection_id, third.code);
    const { collection } = await handOver(collection_id);
    assert.deepEqual([collection.status, collection.manifest_number], ["manifesting", 3]);
    await inStatus(collection_id, "manifested");
    assert.deepEqual(
      (await scanForms(carrier.url)).map(({ tracking_codes }) => tracking_codes).reverse(),
      [first, second, third].map(({ tracking_number }) => [tracking_number]),
    );
    const { manifests, contents } = await packer.ok("GET", at(collection_id));
    assert.deepEqual(
      manifests.map(({ manifest_number, parcels }: Record<string, number>) => [manifest_number, parcels]),
      [
        [1, 1],
        [2, 1],
        [3, 1],
      ],
    );
    assert.deepEqual(
      [first, second, third].map(
        ({ so_number }) =>
          contents.find((parcel: { so_number: string }) => parcel.so_number === so_number).manifest_number,
      ),
      [1, 2, 3],
    );
    const [newest, oldest] = [await pdfOf(collection_id), await pdfOf(collection_id, "?manifest_number=1")];
    assert.notEqual(newest, oldest);
    const none = await packer.get(`${at(collection_id)}/manifest?manifest_number=9`);
    assert.deepEqual([none.status, none.code], [404, "manifest_not_found"]);
  });

  it("have as many manifests as the carrier's limit asks for, and leave with the last one", async () => {
    const { carrier, account_id } = await house({}, "karrio");
    const config = { ...carrier.config, manifest_limit: "2" };
    await admin.ok("PUT", `${CARRIERS}/${account_id}`, { config });
    for (let n = 0; n < 5; n++) await labelled({ to: IN_EUROPE });
    const { collection_id } = await only();
    await close(collection_id);
    await until(async () => (await read(collection_id)).collected_at !== null);
    const { collection, manifests } = await packer.ok("GET", at(collection_id));
    assert.deepEqual([collection.status, collection.manifest_number], ["manifested", 3]);
    assert.deepEqual(
      manifests.map(({ parcels }: { parcels: number }) => parcels),
      [2, 2, 1],
    );
    assert.equal(await made(carrier, "karrio"), 3);
    const events = await db.value<number>(
      "select count(*)::int from integration_events where event_type = 'carrier.collected' and warehouse_id = $1",
      [warehouse_id],
    );
    assert.equal(events, 5, "each once");
  });

  it("have all that is loaded on the manifest of the house, whenever it comes", async () => {
    const account_id = await insertAccount(warehouse_id);
    await admin.ok("PUT", `${CARRIERS}/${account_id}`, { scan_out: true });
    const body = (tracking_number: string) => ({ body: { account_id, tracking_number, carrier: "UPS" } });
    const first = await labelled(body("1Z11"));
    const { collection_id } = await packer.ok("POST", COLLECTIONS, { account_id, carrier: "UPS" });
    await close(collection_id);
    await inStatus(collection_id, "manifested");
    await load(collection_id, first.code);
    const late = await load(collection_id, (await labelled(body("1Z12"))).code);
    assert.deepEqual([late.on_manifest, late.without_manifest, late.loaded], [true, 0, 2]);
    assert.deepEqual((await handOver(collection_id)).collection.status, "manifested");
  });

  it("leave what was not loaded to the next manifest, where the carrier refused theirs", async () => {
    const { carrier } = await house();
    const [gone, left] = [await labelled(), await labelled()];
    const { collection_id } = await only();
    await carrier.fault({ status: 422, path: FORMS.easypost });
    await close(collection_id);
    await inStatus(collection_id, "manifest_failed");
    await load(collection_id, gone.code);
    await handOver(collection_id);
    const [, next] = await list();
    await close(next.collection_id);
    await inStatus(next.collection_id, "manifested");
    assert.deepEqual(
      (await scanForms(carrier.url)).map(({ tracking_codes }) => tracking_codes),
      [[left.tracking_number]],
    );
  });

  it("have a manifest that the carrier made found, not made again, when they are closed after a failure", async () => {
    const { carrier } = await house();
    const parcel = await labelled();
    const { collection_id } = await only();
    // The carrier does not give what it has made.
    await carrier.fault({ status: 404, path: "/v2/scan_forms/", method: "GET" });
    await close(collection_id);
    assert.equal((await inStatus(collection_id, "manifest_failed", "manifested")).status, "manifest_failed");
    await close(collection_id);
    assert.equal((await inStatus(collection_id, "manifested")).manifest, "carrier");
    assert.equal(await made(carrier), 1, "only its file is fetched again");
    await load(collection_id, parcel.code);
    await handOver(collection_id);
    // Somebody made it already: the carrier refuses another, and says which one has the parcels.
    await labelled();
    const [, next] = await list();
    const remote_ids = await db.column<string>("select remote_id from label_purchases where collection_id = $1", [
      next.collection_id,
    ]);
    await fetch(`${carrier.url}${FORMS.easypost}`, {
      method: "POST",
      headers: {
        authorization: `Basic ${Buffer.from("EZTK_local:").toString("base64")}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ shipments: remote_ids.map((id) => ({ id })) }),
    });
    await close(next.collection_id);
    const found = await inStatus(next.collection_id, "manifested", "manifest_failed");
    assert.equal(found.status, "manifested", found.last_error);
    assert.equal((await scanForms(carrier.url)).length, 2);
  });

  it("are printed where a printer is set up for manifests", async () => {
    const printer = await openRawPrinter();
    try {
      await house({});
      const fields = { kind: "raw9100", address: printer.address, size: "4x6in", api_key: undefined };
      await admin.ok("POST", PRINTERS, printerBody(warehouse_id, { ...fields, documents: ["manifest"] }));
      await labelled();
      const { collection_id } = await only();
      const job = { document: "manifest", warehouse_id, record_ids: [collection_id] };
      await admin.ok("POST", PRINT_JOBS, job);
      await until(() => printer.printed.length > 0);
      assert.match(printer.printed.join(), /^\^XA/);
      const none = { ...job, record_ids: [999_999_999] };
      assert.equal((await admin.post(PRINT_JOBS, none)).code, "collection_not_found");
    } finally {
      await printer.close();
    }
  });
});
