import assert from "node:assert/strict";
import type { CarrierOptions } from "../../activities/carriers/account.js";
import { askTracking } from "../../activities/carriers/ask-tracking.js";
import type { Caller } from "../support/caller.js";
import { CARRIERS } from "../support/carrier-requests.js";
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
  shippedWith,
} from "../support/carriers.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { openService, type TestService } from "../support/service.js";
import { until } from "../support/until.js";

const INBOX = "/api/admin/inbox";

/** Where each carrier sends a parcel, and its words for a parcel's steps. */
const carriers: Record<CarrierName, { to: Record<string, string>; exception: string; returned: string }> = {
  easypost: { to: {}, exception: "failure", returned: "return_to_sender" },
  sendcloud: {
    to: { line1: "Stadhuisplein 10", city: "Eindhoven", state: "", postal_code: "5611 EM", country: "NL" },
    ...{ exception: "exception", returned: "returned" },
  },
  karrio: {
    to: { line1: "Ring 1", city: "Berlin", state: "", postal_code: "10115", country: "DE" },
    ...{ exception: "delivery_failed", returned: "return_to_sender" },
  },
};

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

for (const [name, { to, exception, returned }] of Object.entries(carriers))
  describe(`parcels on their way with ${name}`, function () {
    this.timeout(60_000);
    let service: TestService;
    let carrier: LocalCarrier;
    let admin: Caller;
    let warehouse_id: number;
    let account_id: number;
    before(async () => {
      service = await openService({ worker: true, env: CARRIER_ENV });
      admin = service.admin;
    });
    after(() => service.close());
    beforeEach(async () => {
      carrier = await openCarrier(name as CarrierName);
      warehouse_id = await fixtures.warehouse();
      account_id = await accountWith(admin, warehouse_id, carrier, { carrier: name });
    });
    afterEach(() => carrier.close());

    const shipped = () => shippedWith(admin, warehouse_id, to);
    const trackingOf = (parcel_id: number) => admin.ok("GET", `${PARCELS}/${parcel_id}/tracking`);
    const statusOf = async (parcel_id: number) => (await trackingOf(parcel_id)).status;
    const eventsOf = (so_id: number) =>
      db.rows<{ event_type: string; status: string }>(
        `select event_type, event_data(e) ->> 'status' as status from integration_events e
         where entity_type = 'sales_order' and entity_id = $1 and event_type like 'parcel.%' order by event_timestamp`,
        [so_id],
      );
    const typesOf = async (so_id: number) => (await eventsOf(so_id)).map(({ event_type }) => event_type);
    const addressOf = async () => {
      const { carrier_accounts } = await admin.ok("GET", `${CARRIERS}?warehouse_id=${warehouse_id}`);
      return `${service.url}${carrier_accounts[0].webhook_path}`;
    };
    /** Has the carrier's webhooks come; gives their address. */
    async function withWebhooks(): Promise<string> {
      const address = await addressOf();
      const config = await carrier.sendTo(address);
      if (Object.keys(config).length > 0) await admin.ok("PUT", `${CARRIERS}/${account_id}`, { config });
      return address;
    }
    const unanswered = async () => (await carrier.calls()).filter(({ status }) => status === null).length;
    const ask = () => askTracking(service.config as unknown as CarrierOptions, AbortSignal.timeout(30_000));
    const due = () =>
      db.run("update parcel_trackings set look_at = now() where look_at is not null and warehouse_id = $1", [
        warehouse_id,
      ]);

    it("are told of by signed webhooks, each change once", async () => {
      await withWebhooks();
      const { so_id, parcel_id, tracking_number } = await shipped();
      const before = await trackingOf(parcel_id);
      const stranger = await service.user({ warehouse_ids: [] });
      assert.equal((await stranger.get(`${PARCELS}/${parcel_id}/tracking`)).code, "warehouse_denied");
      assert.deepEqual([before.status, before.scans.length, before.ended_at], ["pre_transit", 0, null]);
      for (const status of ["in_transit", "out_for_delivery", "delivered"]) {
        const { sent } = await carrier.step({ tracking: tracking_number, status, times: 2 });
        assert.deepEqual(
          sent.map((one) => one.status),
          [200, 200],
        );
        assert.equal(await statusOf(parcel_id), status);
      }
      const after = await trackingOf(parcel_id);
      assert.ok(after.ended_at && after.heard_at && after.look_at === null);
      assert.deepEqual(after.scans.map(({ status }: { status: string }) => status).toReversed(), [
        "in_transit",
        "out_for_delivery",
        "delivered",
      ]);
      assert.deepEqual(await typesOf(so_id), ["parcel.in_transit", "parcel.delivered"]);
      const parcel = await admin.ok("GET", `${PARCELS}/${parcel_id}`);
      assert.deepEqual([parcel.tracking_status, parcel.tracking_status_at], ["delivered", after.status_at]);
      const list = `/api/admin/parcels?warehouse_id=${warehouse_id}&tracking_status=`;
      assert.equal((await admin.ok("GET", `${list}delivered`)).total, 1);
      assert.equal((await admin.ok("GET", `${list}returned`)).total, 0);
      const { entries } = await admin.ok("GET", `/api/admin/sales-orders/${so_id}/story`);
      const told = entries.map((entry: { name: string }) => entry.name);
      for (const action of ["PARCEL_IN_TRANSIT", "PARCEL_OUT_FOR_DELIVERY", "PARCEL_DELIVERED"])
        assert.equal(told.filter((one: string) => one === action).length, 1, action);
    });

    it("stay where they are when old messages come late", async () => {
      await withWebhooks();
      const { so_id, parcel_id, tracking_number } = await shipped();
      await carrier.step({ tracking: tracking_number, status: "delivered", at: hoursAgo(1) });
      await carrier.step({ tracking: tracking_number, status: "in_transit", at: hoursAgo(20) });
      await carrier.step({ tracking: tracking_number, status: exception, at: hoursAgo(2) });
      const { status, scans } = await trackingOf(parcel_id);
      assert.deepEqual([status, scans.length], ["delivered", 3]);
      assert.deepEqual(await typesOf(so_id), ["parcel.delivered"]);
      await carrier.step({ tracking: tracking_number, status: returned });
      assert.equal(await statusOf(parcel_id), "returned");
      assert.deepEqual((await eventsOf(so_id)).at(-1), { event_type: "parcel.exception", status: "returned" });
    });

    it("are not moved by a webhook that is not signed, and one of another's parcel is dropped", async () => {
      const address = await withWebhooks();
      const { parcel_id, tracking_number } = await shipped();
      const [sent] = (await carrier.step({ tracking: tracking_number, status: "in_transit" })).sent;
      assert.equal(sent?.status, 200);
      const post = (url: string, headers: Record<string, string>, body: string) =>
        fetch(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });
      const forged = (sent?.content ?? "").replaceAll("in_transit", "delivered");
      for (const headers of [
        {},
        {
          "X-Hmac-Signature": `hmac-sha256-hex=${"0".repeat(64)}`,
          "Sendcloud-Signature": "00",
          "X-Event-Id": "whsec_1",
        },
      ] as Record<string, string>[]) {
        const refused = await post(address, headers, forged);
        const { code } = (await refused.json()) as { code: string };
        assert.deepEqual([refused.status, code], [401, "webhook_not_signed"]);
      }
      const nowhere = address.replace(/[^/]+$/, "3f2b6c1e-9a4d-4c58-8f0e-5d7a1b2c3d4e");
      assert.equal((await post(nowhere, {}, "{}")).status, 401);
      assert.equal(await statusOf(parcel_id), "in_transit");
      // Its tracking number is nobody's here.
      await db.run("update parcel_trackings set tracking_number = 'X' || tracking_number where parcel_id = $1", [
        parcel_id,
      ]);
      const [dropped] = (await carrier.step({ tracking: tracking_number, status: "delivered" })).sent;
      assert.equal(dropped?.status, 200);
      assert.equal(
        await db.value("select status from parcel_trackings where parcel_id = $1", [parcel_id]),
        "in_transit",
      );
    });

    it("whose label was taken back are told of no more", async () => {
      await withWebhooks();
      const { so_id, parcel_id } = await parcelTo(warehouse_id, to);
      await admin.ok("POST", `${PARCELS}/${parcel_id}/label`, {});
      const { purchase_id, tracking_number } = await labelIn(admin, parcel_id, "bought", "failed");
      await admin.ok("POST", `${LABELS}/${purchase_id}/void`, {});
      await labelIn(admin, parcel_id, "voided", "void_failed");
      for (const { status } of (await carrier.step({ tracking: tracking_number, status: exception })).sent ?? [])
        assert.equal(status, 200);
      const { status, ended_at, scans } = await trackingOf(parcel_id);
      assert.deepEqual([status, ended_at !== null, scans, await eventsOf(so_id)], ["pre_transit", true, [], []]);
      assert.equal((await admin.ok("GET", `${PARCELS}/${parcel_id}`)).tracking_status, null);
    });

    it("are asked for where no webhook comes, until they are delivered or long gone", async () => {
      const { so_id, parcel_id, tracking_number } = await shipped();
      const unshipped = await parcelTo(warehouse_id, to);
      await admin.ok("POST", `${PARCELS}/${unshipped.parcel_id}/label`, {});
      const expected = new Date(Date.now() + 48 * 3_600_000).toISOString().slice(0, 10);
      await carrier.step({ tracking: tracking_number, status: "in_transit", expected });
      const first = await ask();
      assert.deepEqual([first.asked, first.news, first.away], [1, 1, []]);
      const { status, expected_day, look_at } = await trackingOf(parcel_id);
      assert.deepEqual([status, expected_day], ["in_transit", expected]);
      assert.ok(Date.parse(look_at) > Date.now());
      assert.equal((await ask()).asked, 0, "it is asked for again at once");
      await due();
      assert.deepEqual([(await ask()).news, await typesOf(so_id)], [0, ["parcel.in_transit"]]);
      await carrier.step({ tracking: tracking_number, status: "delivered" });
      await due();
      assert.equal((await ask()).news, 1);
      assert.deepEqual(await typesOf(so_id), ["parcel.in_transit", "parcel.delivered"]);
      await due();
      assert.equal((await ask()).asked, 0, "a delivered parcel is asked for");
      const old = await shipped();
      await db.run("update parcels set shipped_at = now() - interval '31 days' where parcel_id = $1", [old.parcel_id]);
      const given = await ask();
      assert.deepEqual([given.asked, given.given_up], [0, 1]);
    });

    it("are asked for, too, where a worker of the release before bought their label", async () => {
      const { parcel_id, purchase_id, tracking_number } = await shipped();
      await db.run("delete from parcel_trackings where purchase_id = $1", [purchase_id]);
      await carrier.step({ tracking: tracking_number, status: "in_transit" });
      await ask();
      assert.equal(await statusOf(parcel_id), "in_transit");
    });

    it("of a carrier that is away are asked for later, and those of another go on", async () => {
      const { parcel_id, tracking_number } = await shipped();
      await shipped();
      await carrier.step({ tracking: tracking_number, status: "in_transit" });
      const other = await openCarrier(name as CarrierName);
      const elsewhere = await fixtures.warehouse();
      await accountWith(admin, elsewhere, other, { carrier: name });
      const { parcel_id: there } = await shippedWith(admin, elsewhere, to);
      await carrier.fault({ drop: "before", times: 100 });
      const away = await ask();
      assert.equal((away.away as string[]).length, 1);
      assert.equal(await unanswered(), 1, "it is asked for the next parcel");
      assert.equal((await trackingOf(parcel_id)).heard_at, null);
      assert.ok((await trackingOf(there)).heard_at);
      for (let i = 0; i < 12; i++) assert.equal(((await ask()).away as string[]).length, 1);
      assert.ok((await unanswered()) < 10, "its circuit breaker does not open");
      await carrier.mended();
      await until(async () => ((await ask()).asked as number) > 0);
      assert.equal(await statusOf(parcel_id), "in_transit");
      await other.close();
    });

    it("are in the inbox with a problem, late or lost, until somebody says what became of them", async () => {
      await withWebhooks();
      const kinds = async () => {
        const { parts } = await admin.ok("GET", `${INBOX}?warehouse_id=${warehouse_id}`);
        return parts.flatMap(({ kind, entries }: { kind: string; entries: { record_id: string }[] }) =>
          entries.map(({ record_id }) => [kind, record_id]),
        );
      };
      const { so_id, parcel_id, tracking_number } = await shipped();
      const it = `${so_id}/${parcel_id}`;
      await carrier.step({ tracking: tracking_number, status: "in_transit", at: hoursAgo(1) });
      assert.deepEqual(await kinds(), []);
      const set = (what: string) => db.run(`update parcel_trackings set ${what} where parcel_id = $1`, [parcel_id]);
      await set("expected_day = current_date - 3");
      assert.deepEqual(await kinds(), [["parcel_late", it]]);
      // Nobody works on these days: it is late after as many others.
      const closeOn = (what: string) =>
        db.run(`update warehouses set closed_days = ${what} where warehouse_id = $1`, [warehouse_id]);
      await closeOn("array[current_date - 2]");
      assert.deepEqual(await kinds(), [["parcel_late", it]], "yesterday was the day after");
      await closeOn("array[current_date - 2, current_date - 1]");
      assert.deepEqual(await kinds(), []);
      await set("last_scan_at = now() - interval '8 days'");
      await db.run("update parcels set shipped_at = now() - interval '9 days' where parcel_id = $1", [parcel_id]);
      assert.deepEqual(await kinds(), [], "of eight days six were open");
      await closeOn("array[current_date - 20, current_date - 1]");
      assert.deepEqual(await kinds(), [["parcel_late", it]]);
      await closeOn("'{}'");
      assert.deepEqual(await kinds(), [["parcel_lost", it]]);
      await admin.ok("PUT", "/api/admin/settings", { settings: { parcel_lost_days: "0", parcel_late_days: "5" } });
      assert.deepEqual(await kinds(), []);
      await admin.ok("PUT", "/api/admin/settings", { settings: { parcel_lost_days: "7", parcel_late_days: "1" } });
      await carrier.step({ tracking: tracking_number, status: exception });
      assert.deepEqual(await kinds(), [["parcel_exception", it]]);
      const close = `/api/admin/parcels/${parcel_id}/tracking/close`;
      const closed = await admin.ok("POST", close, { reason: "Sent again" });
      assert.deepEqual([closed.closed_by, closed.close_reason, closed.look_at], ["admin", "Sent again", null]);
      assert.deepEqual(await kinds(), []);
      assert.equal((await admin.post(close, { reason: "Again" })).code, "tracking_ended");
    });
  });

describe("parcels whose labels were bought by hand", () => {
  it("are tracked by nobody", async () => {
    const service = await openService();
    try {
      const { parcel_id } = await parcelTo(await fixtures.warehouse());
      assert.equal((await service.admin.get(`${PARCELS}/${parcel_id}/tracking`)).code, "parcel_not_tracked");
      const close = `/api/admin/parcels/${parcel_id}/tracking/close`;
      assert.equal((await service.admin.post(close, { reason: "Sent again" })).code, "parcel_not_tracked");
    } finally {
      await service.close();
    }
  });
});
