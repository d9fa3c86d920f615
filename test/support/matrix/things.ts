import { insertApproval } from "../agent-requests.js";
import { insertAccount, insertCollection, insertLabel, RULES } from "../carrier-requests.js";
import { type Floor, floor } from "../change.js";
import { channel } from "../channels.js";
import { db } from "../db.js";
import * as fixtures from "../fixtures.js";
import { fresh, push, sender } from "../inbound.js";
import { destination } from "../notifications.js";
import { openParcel } from "../parcels.js";
import { consumerGroup } from "../polling.js";
import { insertPrinter, insertPrintJob } from "../printing-requests.js";
import { failedPush } from "../push-rows.js";
import { replenishmentTask, waitingWave } from "../replenishments.js";
import { variance } from "../requests.js";
import { insertSandbox } from "../sandbox-requests.js";
import type { TestService } from "../service.js";
import { incoming, outgoing } from "../transfer-requests.js";
import { delivery, numberedEvent, subscribe } from "../webhooks.js";
import type { Kind } from "./id-names.js";

/** Ids of each kind of thing that lies in a warehouse; the first is what a sound request would name. */
export interface Things extends Record<Kind, (string | number)[]> {
  /** What the sender of `pushable` calls them. */
  pushed: string[];
}

/** Resources of other systems whose records lie in a warehouse, each with its number. */
export const pushable = [
  ["sales_orders", "so_number"],
  ["purchase_orders", "po_number"],
] as const;
/** Texts that stand for things, which change when they are marked. */
type Texts = Pick<Things, "orderNumber" | "code">;

const ORDERS = "/api/admin/sales-orders";

/** One of every kind, in the warehouse. */
export async function thingsIn(
  service: TestService,
  warehouse_id: number,
  connector_id: string,
): Promise<Omit<Things, keyof Texts>> {
  const at = await floor(service, warehouse_id);
  const { by } = at;
  const [order, walked, packed, boxed] = [
    ...[await at.order(), await at.picked(), await at.picked(), await at.picked()],
  ] as const;
  const scan = { scanned_barcode: packed.sku, quantity: 5 };
  await by.ok("POST", "/api/packing/verify", { so_id: packed.so_id, ...scan });
  await by.ok("POST", "/api/packing/complete", { so_id: packed.so_id });
  const { lines } = await by.ok("GET", `${ORDERS}/${order.so_id}`);
  const waiting = await backorder(at);
  const wave = await at.wave();
  await shortPick(at);
  const goods = await at.expected();
  const { po_id, item_id, bin_id } = goods;
  const { receipt_ids } = await by.ok("POST", "/api/receiving/receive", {
    ...{ po_id, items: [{ item_id, bin_id, quantity: 3 }] },
  });
  const po = await by.ok("GET", `/api/admin/purchase-orders/${po_id}`);
  const { counts } = await by.ok("POST", "/api/inventory/cycle-count/create", {
    ...{ warehouse_id, bin_ids: [order.bin_id] },
  });
  const counting = `/api/inventory/cycle-count/${counts[0].count_id}`;
  const count = await by.ok("GET", counting);
  const staging = await fixtures.bin(warehouse_id, { type: "Staging" });
  await fixtures.stock(warehouse_id, staging, item_id, 2);
  const rule = { warehouse_id, priority: 10, rule_name: fresh("RULE") };
  await service.admin.ok("POST", "/api/admin/put-away-rules", rule);
  const template = await by.ok("POST", "/api/admin/wave-templates", {
    ...{ warehouse_id, template_name: fresh("T"), times: ["14:00"] },
  });
  const programmes = "/api/admin/count-programmes";
  // A warehouse has one at most, and this may be asked for again.
  const { count_programmes } = await by.ok("GET", `${programmes}?warehouse_id=${warehouse_id}`);
  const programme =
    count_programmes[0] ?? (await by.ok("POST", programmes, { warehouse_id, per_day: 5, start_time: "06:00" }));
  const task = await replenishmentTask(at);
  const preferring = "/api/admin/preferred-bins";
  await by.ok("POST", preferring, { item_id, bin_id });
  const preferred = await by.ok("GET", `${preferring}?bin_id=${bin_id}`);
  const webhook = await subscribe(by, { subscription_filter: { warehouse_ids: [warehouse_id] } });
  const event_id = await numberedEvent({ warehouse_id });
  const dead = { status: "dlq", event_id, error_detail: "refused" } as const;
  const shop = await sender(service, { warehouse_ids: [warehouse_id] });
  const pushed = [];
  for (const [resource, number] of pushable) {
    pushed.push(fresh(resource));
    await push(shop, resource, pushed.at(-1) as string, 1, { [number]: fresh("N"), warehouse_id, lines: [] });
  }
  await push(shop, "sales_orders", pushed[0] as string, 0, {});
  await Promise.all([refusedRecord(warehouse_id), syncRun(warehouse_id)]);
  const [sent, coming] = [await outgoing(at), await incoming(at)];
  const row = await db.row<{ inbound_id: number; refused_id: number; link_id: number; zone_id: number; code: string }>(
    `select (select max(inbound_id) from inbound_sales_orders) as inbound_id, zone_id,
       (select max(inbound_id) from inbound_refusals where resource = 'sales_orders') as refused_id,
       (select mapping_id from cross_system_mappings where source_id = $3) as link_id,
       (select warehouse_code from warehouses where warehouse_id = $2) as code from bins where bin_id = $1`,
    [bin_id, warehouse_id, pushed[0]],
  );
  if (!row) throw new Error("nothing made");
  const orders = [order.so_id, walked.so_id, packed.so_id, waiting];
  const named = await db.rows<{ external_id: string }>(
    "select external_id from sales_orders where so_id = any($1) order by so_id",
    [orders],
  );
  const stockRow = await fixtures.stock(warehouse_id, bin_id, (await fixtures.item()).item_id, 5);
  const held = await by.ok("POST", `/api/admin/inventory/${stockRow}/hold`, { quantity: 2, reason: "wet" });
  const quarantine = { quantity: 2, condition: "QUARANTINE", reason: "complaint" };
  const inspected = await by.ok("POST", `/api/admin/inventory/${stockRow}/hold`, quarantine);
  const serial = await db.value<number>(
    `insert into serials (item_id, serial_number, state, warehouse_id, so_id) values ($1, $2, 'IN_STOCK', $3, $4)
     returning serial_id`,
    [item_id, fresh("SN"), warehouse_id, order.so_id],
  );
  const parcel = await openParcel(by, boxed.so_id, boxed.sku, 2);
  const parcelLine = await db.value<number>("select parcel_line_id from parcel_lines where parcel_id = $1", [
    parcel.parcel_id,
  ]);
  const account_id = await insertAccount(warehouse_id);
  await by.ok("POST", RULES, { warehouse_id, priority: 1, rule_name: fresh("RULE") });
  const printer_id = await insertPrinter(warehouse_id, ["bin_label"]);
  return {
    warehouse: [warehouse_id],
    warehouseCode: [row.code],
    zone: [row.zone_id],
    bin: [bin_id, order.bin_id],
    order: orders,
    orderExternalId: named.map(({ external_id }) => external_id),
    orderLine: [lines[0].so_line_id],
    transfer: [sent.to_id, coming.to_id],
    transferLine: [sent.lines[0]?.to_line_id as number],
    approval: [coming.to_approval_id],
    purchaseOrder: [po_id],
    purchaseOrderLine: [po.lines[0].po_line_id],
    receipt: receipt_ids,
    serial: [serial as number],
    batch: [wave.batch_id],
    waveTemplate: [template.template_id],
    waitingWave: [await waitingWave(at)],
    replenishment: [task.replenishment_id],
    pickTask: [wave.pick_task_id],
    count: [counts[0].count_id],
    countLine: [count.lines[0].count_line_id],
    countProgramme: [programme.programme_id],
    adjustment: [await variance(at)],
    preferredBin: [preferred.preferred_bins[0].preferred_bin_id],
    token: [shop.token_id],
    webhook: [webhook.subscription_id],
    notificationWebhook: [(await destination(by, warehouse_id)).webhook_id],
    printer: [printer_id],
    carrierAccount: [account_id],
    label: [await insertLabel(parcel.parcel_id, account_id)],
    collection: [await insertCollection(account_id)],
    printJob: [await insertPrintJob(printer_id)],
    parcel: [parcel.parcel_id],
    parcelLine: [parcelLine as number],
    push: [await failedPush(warehouse_id)],
    channel: [(await channel(by, { sku_scope: { warehouse_ids: [warehouse_id] } })).channel_id],
    delivery: [await delivery(webhook.subscription_id, dead)],
    consumerGroup: [await consumerGroup(connector_id, { warehouse_ids: [warehouse_id] })],
    user: [(await service.user({ warehouse_ids: [warehouse_id] })).userId],
    inboundRow: [row.inbound_id, row.refused_id],
    sourceLink: [row.link_id],
    stockRow: [stockRow],
    hold: [held.hold_id],
    inspection: [inspected.inspection_id],
    sandbox: [await insertSandbox()],
    agentApproval: [await insertApproval({ warehouse_ids: [warehouse_id] })],
    pushed,
  };
}

/** An order that waits for the units that another one was short of. */
async function backorder({ by, order }: Floor): Promise<number> {
  const path = `${ORDERS}/${(await order()).so_id}`;
  const { lines } = await by.ok("GET", path);
  const cut = { lines: [{ so_line_id: lines[0].so_line_id, short_qty: 2 }] };
  const { so_id } = (await by.ok("POST", `${path}/partial-fulfill`, cut)).backorder_so;
  // The stock is there, so it came free at once.
  await db.run("update sales_orders set status = 'WAITING_STOCK', backorder_fulfillable_at = null where so_id = $1", [
    so_id,
  ]);
  return so_id;
}

/** A record of a connector that could not be written. */
const refusedRecord = (warehouse_id: number) =>
  db.run(
    `insert into connector_refusals (connector_name, warehouse_id, sync_type, external_id, external_version, record,
                                     error_kind, error_message)
     values ('example', $1::int, 'orders', 'R-' || $1::int, '1', '{}', 'cross_system_lookup_miss', 'unknown item')
     on conflict do nothing`,
    [warehouse_id],
  );

/** A run of a sync that has ended. */
const syncRun = (warehouse_id: number) =>
  db.run(
    `insert into sync_runs (run_id, connector_name, warehouse_id, sync_type, workflow_id, status, started_at, ended_at)
     values (gen_random_uuid(), 'example', $1, 'items', 'connector-sync-example', 'completed', now(), now())`,
    [warehouse_id],
  );

/** A walk on which units were missing. */
async function shortPick({ by, wave }: Floor): Promise<void> {
  const { pick_task_id } = await wave();
  const found = { pick_task_id, quantity_available: 2 };
  await by.ok("POST", "/api/picking/short", found);
}

/** The things with the numbers and barcodes that they have now. */
export async function withTexts(things: Omit<Things, keyof Texts>): Promise<Things> {
  const { order, purchaseOrder, bin } = things;
  const read = async (column: string, table: string, ids: unknown[]) => {
    const key = { sales_orders: "so_id", purchase_orders: "po_id" }[table];
    const rows = await db.rows<{ text: string }>(
      `select ${column} as text from ${table} where ${key ?? "bin_id"} = any($1)`,
      [ids],
    );
    return rows.map(({ text }) => text);
  };
  const orderNumber = await read("so_number", "sales_orders", order);
  const code = [
    ...(await read("so_barcode", "sales_orders", order)),
    ...(await read("po_barcode", "purchase_orders", purchaseOrder)),
    ...(await read("bin_barcode", "bins", bin)),
  ];
  return { ...things, orderNumber, code };
}
