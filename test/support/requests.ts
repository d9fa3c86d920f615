import { randomUUID } from "node:crypto";
import { agentChanges } from "./agent-requests.js";
import { backorderChanges } from "./backorder-requests.js";
import { carrierChanges } from "./carrier-requests.js";
import { type Change, type Floor, floor } from "./change.js";
import { channelChanges } from "./channel-requests.js";
import { connectorChanges } from "./connector-requests.js";
import { consumerGroupChanges } from "./consumer-group-requests.js";
import { db } from "./db.js";
import * as fixtures from "./fixtures.js";
import { masterDataChanges } from "./master-data-requests.js";
import { notificationChanges } from "./notifications.js";
import { orderActionChanges } from "./order-action-requests.js";
import { parcelChanges } from "./parcel-requests.js";
import { partnerChanges } from "./partner-requests.js";
import { printingChanges } from "./printing-requests.js";
import { pushChanges } from "./push-rows.js";
import { recallChanges } from "./recall-requests.js";
import { fillFace, replenishmentTask, takenTask, waitingWave } from "./replenishments.js";
import { returnChanges } from "./return-requests.js";
import { salesOrderChanges } from "./sales-order-requests.js";
import { sandboxChanges } from "./sandbox-requests.js";
import type { TestService } from "./service.js";
import { signInChanges } from "./sign-in-requests.js";
import { syncChanges } from "./sync-requests.js";
import { tokenChanges } from "./token-requests.js";
import { transferChanges } from "./transfer-requests.js";
import { webhookChanges } from "./webhook-requests.js";

const PURCHASE_ORDERS = "/api/admin/purchase-orders";

/** A purchase order's line, and where it is edited. */
async function poLine({ by, expected }: Floor) {
  const { po_id } = await expected();
  const { lines } = await by.ok("GET", `${PURCHASE_ORDERS}/${po_id}`);
  return { by, path: `${PURCHASE_ORDERS}/${po_id}/lines/${lines[0].po_line_id}` };
}

/** Two orders of one customer, to be released alone. */
async function waveToRelease({ warehouse_id, order }: Floor) {
  const customer_id = code();
  const soIds = [await order(), await order()].map((so) => so.so_id);
  await db.run("update sales_orders set customer_id = $2 where so_id = any($1)", [soIds, customer_id]);
  return { warehouse_id, filter: { customer_id }, group: { max_orders: 1 } };
}

const savedView = () => ({ list: "orders", view_name: code(), parameters: "status=OPEN" });

/** A template that releases two such orders. */
async function template(at: Floor) {
  const { warehouse_id, filter, group } = await waveToRelease(at);
  return { warehouse_id, template_name: code(), plan: { filter, group }, times: ["14:00"] };
}

async function madeTemplate(at: Floor) {
  const path = "/api/admin/wave-templates";
  const { template_id } = await at.by.ok("POST", path, await template(at));
  return `${path}/${template_id}`;
}

const COUNTS = "/api/inventory/cycle-count";

/** What is submitted for a new count of a bin with 10 units. */
async function newCount({ by, warehouse_id, stocked }: Floor) {
  const { bin_id } = await stocked();
  const { counts } = await by.ok("POST", `${COUNTS}/create`, { warehouse_id, bin_ids: [bin_id] });
  const { count_id } = counts[0];
  const { lines } = await by.ok("GET", `${COUNTS}/${count_id}`);
  const { count_line_id } = lines[0];
  return (counted_quantity: number) => ({ count_id, lines: [{ count_line_id, counted_quantity }] });
}

/** A count that found 9 of 10 units: the adjustment that waits for a decision. */
export async function variance(at: Floor) {
  const counted = await newCount(at);
  const { summary } = await at.by.ok("POST", `${COUNTS}/submit`, counted(9));
  return summary.adjustments[0].adjustment_id as number;
}

/** A programme for a warehouse of its own, as a warehouse has one at most, with a bin that is due. */
async function programme() {
  const warehouse_id = await fixtures.warehouse();
  await fixtures.stock(warehouse_id, await fixtures.bin(warehouse_id), (await fixtures.item()).item_id, 5);
  return { warehouse_id, per_day: 5, start_time: "06:00" };
}

async function madeProgramme({ by }: Floor) {
  const path = "/api/admin/count-programmes";
  const { programme_id } = await by.ok("POST", path, await programme());
  return `${path}/${programme_id}`;
}

const code = () => randomUUID().slice(0, 8).toUpperCase();

async function carrying({ by, stocked, warehouse_id }: Floor): Promise<Change> {
  const { item_id, bin_id } = await stocked();
  const to_bin_id = await fixtures.bin(warehouse_id);
  const move = { item_id, from_bin_id: bin_id, to_bin_id };
  return { by, body: { ...move, quantity: 3 }, other: { ...move, quantity: 4 } };
}

/** A shipped parcel's body for each of two carriers. */
const parcel = (so_id: number, carrier: string) => ({ so_id, carrier, tracking_number: "1Z999" });

/** How each route that takes an `Idempotency-Key` is asked, by its name. */
const changes: Record<string, (at: Floor) => Promise<Change>> = {
  "post /api/admin/adjustments/direct": async (at) => {
    const { item_id, bin_id } = await at.stocked();
    const { warehouse_id } = at;
    const adjustment = { item_id, bin_id, warehouse_id, reason: "found" };
    const body = { ...adjustment, adjustment_type: "ADD", quantity: 3 };
    return { by: at.by, body, other: { ...body, quantity: 4 } };
  },
  "post /api/admin/adjustments/review": async (at) => {
    const { bin_id, item_id } = await at.stocked();
    const ids = [
      await variance(at),
      await variance(at),
      await fixtures.pendingAdjustment(at.warehouse_id, bin_id, item_id, -2),
    ];
    const decisions = ids.map((adjustment_id, i) => ({ adjustment_id, action: i === 1 ? "reject" : "approve" }));
    return { by: at.by, body: { decisions }, other: { decisions: decisions.slice(1) } };
  },
  "post /api/admin/bins": async ({ by, warehouse_id }) => {
    const { zone_id } = await by.ok("POST", "/api/admin/zones", {
      ...{ warehouse_id, zone_code: code() },
      ...{ zone_name: "Aisle", zone_type: "STORAGE" },
    });
    const body = { warehouse_id, zone_id, bin_code: code(), bin_barcode: code(), bin_type: "Pickable" };
    return { by, body, other: { ...body, bin_code: code() } };
  },
  "post /api/admin/import/:entity_type": async ({ by }) => {
    const records = Array.from({ length: 600 }, () => ({ sku: code(), item_name: "Mug" }));
    return { by, path: "/api/admin/import/items", body: { records }, other: { records: records.slice(1) } };
  },
  "post /api/admin/inter-warehouse-transfer": async (at) => {
    const { item_id, bin_id } = await at.stocked();
    const to_warehouse_id = await fixtures.warehouse();
    const body = {
      ...{ item_id, from_bin_id: bin_id, from_warehouse_id: at.warehouse_id },
      ...{ to_bin_id: await fixtures.bin(to_warehouse_id), to_warehouse_id },
      quantity: 3,
    };
    return { by: at.by, body, other: { ...body, quantity: 4 } };
  },
  "post /api/admin/items": async ({ by }) => {
    const body = { sku: code(), item_name: "Mug", weight_lbs: 1.5 };
    return { by, body, other: { ...body, sku: code() } };
  },
  "post /api/admin/purchase-orders": async ({ by, warehouse_id }) => {
    const { item_id } = await fixtures.item();
    const lines = [{ item_id, quantity_ordered: 5 }];
    const body = { po_number: code(), warehouse_id, lines };
    return { by, body, other: { ...body, po_number: code() } };
  },
  "put /api/admin/purchase-orders/:po_id": async ({ by, expected }) => {
    const { po_id } = await expected();
    const path = `${PURCHASE_ORDERS}/${po_id}`;
    const body = { vendor_name: code(), status: "CLOSED" };
    return { by, path, body, other: { status: "CLOSED" } };
  },
  "post /api/admin/purchase-orders/:po_id/close": async ({ by, expected }) => {
    const { po_id } = await expected();
    const path = `${PURCHASE_ORDERS}/${po_id}/close`;
    return { by, path, body: {}, other: { again: true } };
  },
  "post /api/admin/purchase-orders/:po_id/reopen": async ({ by, expected }) => {
    const { po_id } = await expected();
    const path = `${PURCHASE_ORDERS}/${po_id}`;
    await by.ok("POST", `${path}/close`);
    return { by, path: `${path}/reopen`, body: {}, other: { again: true } };
  },
  "post /api/admin/purchase-orders/:po_id/lines": async ({ by, expected }) => {
    const { po_id } = await expected();
    const { item_id } = await fixtures.item();
    const path = `${PURCHASE_ORDERS}/${po_id}/lines`;
    const body = { item_id, quantity_ordered: 3 };
    return { by, path, body, other: { ...body, quantity_ordered: 4 } };
  },
  "patch /api/admin/purchase-orders/:po_id/lines/:po_line_id": async (at) => ({
    ...(await poLine(at)),
    ...{ body: { quantity_ordered: 20 }, other: { quantity_ordered: 30 } },
  }),
  "delete /api/admin/purchase-orders/:po_id/lines/:po_line_id": async (at) => ({
    ...(await poLine(at)),
    ...{ body: {}, other: { again: true } },
  }),
  "post /api/admin/receipts/:receipt_id/unreceive": async (at) => {
    const { by, expected } = at;
    const { po_id, item_id, bin_id } = await expected();
    const { receipt_ids } = await by.ok("POST", "/api/receiving/receive", {
      ...{ po_id, items: [{ item_id, bin_id, quantity: 4 }] },
    });
    const path = `/api/admin/receipts/${receipt_ids[0]}/unreceive`;
    return { by, path, body: { reason: "wrong" }, other: {} };
  },
  "post /api/admin/sales-orders": async ({ by, warehouse_id, stocked }) => {
    const { item_id } = await stocked();
    const lines = [{ item_id, quantity_ordered: 5 }];
    const body = { so_number: code(), warehouse_id, lines };
    return { by, body, other: { ...body, so_number: code() } };
  },
  ...masterDataChanges,
  ...salesOrderChanges,
  ...orderActionChanges,
  ...backorderChanges,
  ...recallChanges,
  ...agentChanges,
  ...sandboxChanges,
  ...returnChanges,
  ...signInChanges,
  ...tokenChanges,
  ...channelChanges,
  ...syncChanges,
  ...webhookChanges,
  ...partnerChanges,
  ...notificationChanges,
  ...parcelChanges,
  ...carrierChanges,
  ...printingChanges,
  ...pushChanges,
  ...connectorChanges,
  ...consumerGroupChanges,
  ...transferChanges,
  "post /api/admin/users": async ({ by, warehouse_id }) => {
    const body = {
      ...{ username: code(), full_name: "Ann", role: "USER" },
      ...{ password: "correct horse 1", warehouse_ids: [warehouse_id] },
    };
    return { by, body, other: { ...body, password: "battery staple 2" } };
  },
  "post /api/admin/warehouses": async ({ by }) => {
    const body = { warehouse_code: code(), warehouse_name: "Main" };
    return { by, body, other: { ...body, warehouse_code: code() } };
  },
  "post /api/admin/zones": async ({ by, warehouse_id }) => {
    const body = { warehouse_id, zone_code: code(), zone_name: "Aisle", zone_type: "STORAGE" };
    return { by, body, other: { ...body, zone_code: code() } };
  },
  "put /api/admin/inbox/mark": async ({ by, warehouse_id }) => {
    const { so_id } = await fixtures.salesOrder(warehouse_id, []);
    await db.run("update sales_orders set status = 'FRAUD_REVIEW' where so_id = $1", [so_id]);
    const body = { kind: "order_in_review", record_id: `${so_id}`, taken: true };
    return { by, body, other: { ...body, taken: false } };
  },
  "post /api/admin/saved-views": async ({ by }) => {
    const body = savedView();
    return { by, body, other: { ...body, view_name: code() } };
  },
  "delete /api/admin/saved-views/:view_id": async ({ by }) => {
    const { view_id } = await by.ok("POST", "/api/admin/saved-views", savedView());
    return { by, path: `/api/admin/saved-views/${view_id}`, body: {}, other: { again: true } };
  },
  "put /api/v1/dashboard/preferences": async ({ by }) => ({
    by,
    body: { default_range: "last_7d", chart_order: ["shipped", "picking"] },
    other: { default_view: "table" },
  }),
  "put /api/admin/settings": async ({ by }) => {
    const settings = { [code()]: "1", [code()]: "2" };
    return { by, body: { settings }, other: { settings: { [code()]: "3" } } };
  },
  "post /api/inventory/cycle-count/create": async (at) => {
    const { warehouse_id } = at;
    const bins = [await at.stocked(), await at.stocked()];
    const bin_ids = bins.map((bin) => bin.bin_id);
    const body = { warehouse_id, bin_ids };
    return { by: at.by, body, other: { warehouse_id, bin_ids: [bin_ids[0]] } };
  },
  "post /api/inventory/cycle-count/submit": async (at) => {
    const counted = await newCount(at);
    return { by: at.by, body: counted(9), other: counted(8) };
  },
  "post /api/admin/count-programmes": async ({ by }) => {
    const body = await programme();
    return { by, body, other: { ...body, per_day: 6 } };
  },
  "put /api/admin/count-programmes/:programme_id": async (at) => ({
    ...{ by: at.by, path: await madeProgramme(at), body: { per_day: 6 }, other: { per_day: 7 } },
  }),
  "delete /api/admin/count-programmes/:programme_id": async (at) => ({
    ...{ by: at.by, path: await madeProgramme(at), body: {}, other: { again: true } },
  }),
  "post /api/admin/count-programmes/:programme_id/run": async (at) => ({
    ...{ by: at.by, path: `${await madeProgramme(at)}/run`, body: {}, other: { again: true } },
  }),
  "post /api/packing/verify": async ({ by, picked }) => {
    const { so_id, sku } = await picked();
    const body = { so_id, scanned_barcode: sku, quantity: 2 };
    return { by, body, other: { ...body, quantity: 1 } };
  },
  "post /api/packing/complete": async ({ by, picked }) => {
    const [packed, unpacked] = [await picked(), await picked()];
    const { so_id, sku } = packed;
    const scan = { so_id, scanned_barcode: sku, quantity: 5 };
    await by.ok("POST", "/api/packing/verify", scan);
    return { by, body: { so_id }, other: { so_id: unpacked.so_id } };
  },
  "post /api/picking/cancel-batch": async ({ by, wave }) => {
    const { batch_id } = await wave();
    return { by, body: { batch_id }, other: { batch_id: batch_id + 1 } };
  },
  "post /api/picking/complete-batch": async ({ by, wave }) => {
    const { batch_id, pick_task_id, sku } = await wave();
    const scan = { pick_task_id, scanned_barcode: sku, quantity_picked: 5 };
    await by.ok("POST", "/api/picking/confirm", scan);
    return { by, body: { batch_id }, other: { batch_id: batch_id + 1 } };
  },
  "post /api/picking/confirm": async ({ by, wave }) => {
    const { pick_task_id, sku } = await wave();
    const body = { pick_task_id, scanned_barcode: sku, quantity_picked: 5 };
    return { by, body, other: { ...body, quantity_picked: 4 } };
  },
  "post /api/picking/create-batch": async ({ by, warehouse_id, order }) => {
    const numbers = [await order(), await order()].map((so) => so.so_number);
    const body = { so_identifiers: numbers, warehouse_id };
    return { by, body, other: { ...body, so_identifiers: ["unknown"] } };
  },
  "post /api/admin/waves/release": async (at) => {
    const body = await waveToRelease(at);
    return { by: at.by, body, other: { ...body, combine: false } };
  },
  "post /api/admin/wave-templates": async (at) => {
    const body = await template(at);
    return { by: at.by, body, other: { ...body, times: ["15:00"] } };
  },
  "put /api/admin/wave-templates/:template_id": async (at) => ({
    ...{ by: at.by, path: await madeTemplate(at), body: { days: [6] }, other: { days: [7] } },
  }),
  "delete /api/admin/wave-templates/:template_id": async (at) => ({
    ...{ by: at.by, path: await madeTemplate(at), body: {}, other: { again: true } },
  }),
  "post /api/admin/wave-templates/:template_id/run": async (at) => ({
    ...{ by: at.by, path: `${await madeTemplate(at)}/run`, body: {}, other: { again: true } },
  }),
  "post /api/replenishment/take": async (at) => {
    const { by, warehouse_id } = at;
    const { replenishment_id } = await replenishmentTask(at);
    return { by, body: { warehouse_id }, other: { warehouse_id, replenishment_id } };
  },
  "post /api/replenishment/confirm": async (at) => {
    const { replenishment_id } = await takenTask(at);
    return { by: at.by, body: { replenishment_id, quantity: 2 }, other: { replenishment_id, quantity: 1 } };
  },
  "post /api/replenishment/short": async (at) => {
    const task = await takenTask(at);
    const { replenishment_id } = task;
    await fillFace(task);
    return { by: at.by, body: { replenishment_id }, other: { replenishment_id: replenishment_id + 1 } };
  },
  "post /api/replenishment/give-back": async (at) => {
    const { replenishment_id } = await takenTask(at);
    return { by: at.by, body: { replenishment_id }, other: { replenishment_id: replenishment_id + 1 } };
  },
  "post /api/admin/replenishments/:replenishment_id/cancel": async (at) => {
    const task = await replenishmentTask(at);
    const { replenishment_id } = task;
    await fillFace(task);
    const path = `/api/admin/replenishments/${replenishment_id}/cancel`;
    return { by: at.by, path, body: {}, other: { again: true } };
  },
  "post /api/picking/batch/:batch_id/lease": async ({ by, wave }) => {
    const { batch_id } = await wave();
    const path = `/api/picking/batch/${batch_id}/lease`;
    return { by, path, body: { device: "K7Q2MX", take_over: true }, other: { device: "K7Q2MX" } };
  },
  "post /api/picking/batch/:batch_id/give-back-lease": async ({ by, wave }) => {
    const { batch_id } = await wave();
    const { lease_id } = await by.ok("POST", `/api/picking/batch/${batch_id}/lease`, { device: "K7Q2MX" });
    const path = `/api/picking/batch/${batch_id}/give-back-lease`;
    return { by, path, body: { lease_id }, other: { lease_id: randomUUID() } };
  },
  "post /api/admin/pick-batches/:batch_id/end-lease": async ({ by, wave }) => {
    const { batch_id } = await wave();
    await by.ok("POST", `/api/picking/batch/${batch_id}/lease`, { device: "K7Q2MX" });
    const path = `/api/admin/pick-batches/${batch_id}/end-lease`;
    return { by, path, body: {}, other: { again: true } };
  },
  "post /api/picking/next-batch": async (at) => {
    const { by, warehouse_id, stocked } = at;
    const { bin_id } = await stocked();
    await by.ok("POST", "/api/admin/waves/release", await waveToRelease(at));
    return { by, body: { warehouse_id }, other: { warehouse_id, near_bin_id: bin_id } };
  },
  "post /api/admin/pick-batches/:batch_id/assign": async (at) => {
    const { by } = at;
    const { batches } = await by.ok("POST", "/api/admin/waves/release", await waveToRelease(at));
    const path = `/api/admin/pick-batches/${batches[0].batch_id}/assign`;
    return { by, path, body: { user_id: by.userId }, other: { user_id: by.userId + 1 } };
  },
  "delete /api/admin/waves/waiting/:waiting_id": async (at) => ({
    ...{ by: at.by, path: `/api/admin/waves/waiting/${await waitingWave(at)}`, body: {}, other: { again: true } },
  }),
  "post /api/picking/give-back": async ({ by, wave }) => {
    const { batch_id } = await wave();
    return { by, body: { batch_id }, other: { batch_id: batch_id + 1 } };
  },
  "post /api/picking/short": async ({ by, wave }) => {
    const { pick_task_id } = await wave();
    const body = { pick_task_id, quantity_available: 2 };
    return { by, body, other: { ...body, quantity_available: 1 } };
  },
  "post /api/picking/wave-create": async ({ by, warehouse_id, order }) => {
    const ids = [await order(), await order()].map((so) => so.so_id);
    const body = { so_ids: ids, warehouse_id };
    return { by, body, other: { ...body, so_ids: ids.slice(1) } };
  },
  "post /api/putaway/confirm": carrying,
  "post /api/putaway/update-preferred": async ({ by, stocked }) => {
    const { item_id, bin_id } = await stocked();
    const body = { item_id, bin_id };
    return { by, body, other: { ...body, set_as_primary: false } };
  },
  "post /api/receiving/cancel": async ({ by, expected }) => {
    const { po_id, item_id, bin_id } = await expected();
    const items = [1, 2].map((quantity) => ({ item_id, bin_id, quantity }));
    const path = "/api/receiving/receive";
    const { receipt_ids } = await by.ok("POST", path, { po_id, items });
    const body = { po_id, receipt_ids };
    return { by, body, other: { ...body, receipt_ids: [] } };
  },
  "post /api/receiving/receive": async ({ by, expected }) => {
    const { po_id, item_id, bin_id } = await expected();
    const receipt = (quantity: number) => ({ po_id, items: [{ item_id, bin_id, quantity }] });
    return { by, body: receipt(4), other: receipt(5) };
  },
  "post /api/shipping/fulfill": async ({ by, picked }) => {
    const { so_id, sku } = await picked();
    const scan = { so_id, scanned_barcode: sku, quantity: 5 };
    await by.ok("POST", "/api/packing/verify", scan);
    await by.ok("POST", "/api/packing/complete", { so_id });
    return { by, body: parcel(so_id, "UPS"), other: parcel(so_id, "DHL") };
  },
  "post /api/transfers/move": carrying,
};

/**
 * A fresh request for a route, by its name, in a warehouse of its own unless another is named; undefined for a route
 * that nobody has said how to ask.
 */
export async function changeOf(service: TestService, name: string, warehouseId?: number): Promise<Change | undefined> {
  return changes[name]?.(await floor(service, warehouseId));
}
