import assert from "node:assert/strict";
import { followRefunds } from "../../activities/carriers/follow-refunds.js";
import type { Caller } from "../support/caller.js";
import { toAddress } from "../support/carrier-requests.js";
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
import { closedParcel } from "../support/parcels.js";
import { openService, type TestService } from "../support/service.js";
import { until } from "../support/until.js";
import { pickedOrder } from "../support/walk.js";

describe("labels that end otherwise than they should", function () {
  this.timeout(60_000);
  let service: TestService;
  let carrier: LocalCarrier;
  let admin: Caller;
  let warehouse_id: number;
  before(async () => {
    service = await openService({ worker: true, env: CARRIER_ENV });
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
    await accountWith(admin, warehouse_id, carrier);
  });

  async function bought() {
    const { parcel_id, so_id } = await parcelTo(warehouse_id);
    await admin.ok("POST", `${PARCELS}/${parcel_id}/label`, {});
    const label = await labelIn(admin, parcel_id, "bought", "failed");
    assert.equal(label.status, "bought", label.last_error);
    return { parcel_id, so_id, purchase_id: label.purchase_id as number, label };
  }
  /** One whose parcel the carrier has on its way already. */
  async function notTakenBack() {
    const made = await bought();
    await carrier.step({ reference: await keyOf(made.purchase_id), status: "in_transit" });
    await admin.ok("POST", `${LABELS}/${made.purchase_id}/void`, {});
    assert.equal((await labelIn(admin, made.parcel_id, "voided", "void_failed")).status, "void_failed");
    return made;
  }
  const writeOff = (purchase_id: number) =>
    admin.post(`${LABELS}/${purchase_id}/write-off`, { reason: "The carrier has it" });
  const costs = async () =>
    (await admin.ok("GET", `/api/v1/dashboard/carrier-costs?warehouse_id=${warehouse_id}`)).costs;
  const inInbox = async (so_id: number) =>
    (await admin.ok("GET", `/api/admin/inbox?warehouse_id=${warehouse_id}&kind=label_failed`)).parts[0].entries.filter(
      ({ record_id }: { record_id: string }) => record_id === `${so_id}`,
    ).length;

  it("are given up where the carrier does not take them back: the parcel gets another one, both are seen", async () => {
    const { parcel_id, purchase_id, label } = await notTakenBack();
    const another = await admin.post(`${PARCELS}/${parcel_id}/label`, {});
    assert.equal(another.code, "already_labelled");
    const { status, body } = await writeOff(purchase_id);
    assert.deepEqual([status, body.status, body.tracking_number], [200, "written_off", label.tracking_number]);
    assert.equal((await writeOff(purchase_id)).code, "label_not_refused");
    assert.equal((await writeOff(999_999_999)).code, "label_purchase_not_found");
    await admin.ok("POST", `${PARCELS}/${parcel_id}/label`, {});
    await until(async () => (await labelOf(admin, parcel_id)).status === "bought");
    const { labels } = await admin.ok("GET", `${PARCELS}/${parcel_id}/labels`);
    assert.deepEqual(
      labels.map((one: { status: string }) => one.status),
      ["bought", "written_off"],
    );
    const [one] = await costs();
    assert.deepEqual([one.labels, one.voided, one.cost_minor], [2, 0, 2 * label.cost_minor]);
    const told = await db.value("select details->>'reason' from audit_log where action_type = 'LABEL_WRITTEN_OFF'");
    assert.equal(told, "The carrier has it");
  });

  it("are not given up where a parcel left with them", async () => {
    const { parcel_id, so_id, purchase_id } = await notTakenBack();
    const fulfillment_id = await db.value<number>(
      "insert into item_fulfillments (so_id, warehouse_id) values ($1, $2) returning fulfillment_id",
      [so_id, warehouse_id],
    );
    await db.run(
      "update parcels set status = 'SHIPPED', shipped_at = now(), fulfillment_id = $2 where parcel_id = $1",
      [...[parcel_id, fulfillment_id]],
    );
    assert.equal((await writeOff(purchase_id)).code, "labelled_parcel_shipped");
  });

  it("are asked about until they are paid back, or are not", async () => {
    const labels = [await bought(), await bought(), await bought()];
    for (const { purchase_id, parcel_id } of labels) {
      await admin.ok("POST", `${LABELS}/${purchase_id}/void`, {});
      assert.equal((await labelIn(admin, parcel_id, "voided", "void_failed")).refund, "submitted");
    }
    const [paid, refused, open] = labels as [(typeof labels)[0], (typeof labels)[0], (typeof labels)[0]];
    const settle = async (purchase_id: number, status: string) =>
      carrier.refund({ reference: await keyOf(purchase_id), status });
    await settle(paid.purchase_id, "refunded");
    await settle(refused.purchase_id, "rejected");
    const follow = () => followRefunds(service.config, new AbortController().signal);
    await carrier.fault({ status: 503, path: "/v2/shipments", times: 100 });
    assert.deepEqual(await follow(), { refunded: 0, rejected: 0, open: 0, unanswered: 3 });
    await carrier.mended();
    await until(async () => (await follow()).unanswered === 0);
    for (const [{ parcel_id }, refund] of [
      [paid, "refunded"],
      [refused, "rejected"],
      [open, "submitted"],
    ] as const)
      assert.deepEqual(
        [(await labelOf(admin, parcel_id)).status, (await labelOf(admin, parcel_id)).refund],
        [...["voided", refund]],
      );
    const [one] = await costs();
    assert.deepEqual([one.labels, one.voided, one.cost_minor], [3, 2, refused.label.cost_minor]);
    assert.deepEqual([await inInbox(refused.so_id), await inInbox(paid.so_id)], [1, 0]);
  });

  it("come late: shipment, order and partners get the number of a parcel that left without one", async () => {
    const item = await fixtures.item();
    const { so_id } = await pickedOrder(admin, warehouse_id, [{ item, quantity: 1 }]);
    await toAddress(so_id);
    await db.run("update sales_orders set ship_method = 'Pickup' where so_id = $1", [so_id]);
    const { parcel_id } = await closedParcel(admin, so_id, item.upc as string);
    await admin.ok("POST", "/api/packing/complete", { so_id });
    await carrier.fault({ status: 503, path: "/v2/", times: 1_000 });
    const { purchase_id } = await admin.ok("POST", `${PARCELS}/${parcel_id}/label`, {});
    await admin.ok("POST", `/api/shipping/parcels/${parcel_id}/ship`, {});
    await carrier.mended();
    // Somebody who takes it back, and asks again, would not wait; the row says when the next attempt is.
    await until(async () => (await labelOf(admin, parcel_id)).attempts > 0);
    const { tracking_number, carrier: by } = await labelIn(admin, parcel_id, "bought", "failed");
    assert.ok(tracking_number);
    const numbers = await db.row(
      `select p.tracking_number as parcel, f.tracking_number as shipment, f.carrier, so.tracking_number as order
       from parcels p join item_fulfillments f using (fulfillment_id) join sales_orders so on so.so_id = p.so_id
       where parcel_id = $1`,
      [parcel_id],
    );
    assert.deepEqual(numbers, {
      ...{ parcel: tracking_number, shipment: tracking_number, carrier: by, order: tracking_number },
    });
    const [told, ...more] = await db.column<{ tracking_number: string; parcel_number: number }>(
      "select event_data(e) from integration_events e where event_type = 'parcel.tracking_added' and entity_id = $1",
      [so_id],
    );
    assert.deepEqual([told?.tracking_number, told?.parcel_number, more], [tracking_number, 1, []]);
    assert.equal((await labelOf(admin, parcel_id)).purchase_id, purchase_id);
  });
});
