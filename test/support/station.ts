import { randomUUID } from "node:crypto";
import type { Answer, Caller } from "./caller.js";
import { db } from "./db.js";
import * as fixtures from "./fixtures.js";
import { assertInvariants } from "./invariants.js";
import { testService } from "./service.js";
import { tokenCaller } from "./tokens.js";
import { type LineToWalk, pickedOrder } from "./walk.js";

/** A service with a shipping station in one of two warehouses, for a file of tests, and what such tests do. */
export function shippingStation(env: Record<string, string> = {}) {
  const service = testService({ worker: true, env });
  let here: number;
  let elsewhere: number;
  /** The station's token. */
  let station: Caller;
  /** Who stands there. */
  let operator: Caller;
  before(async () => {
    here = await fixtures.warehouse();
    elsewhere = await fixtures.warehouse();
    station = await newStation({ token_name: "Bench 4" });
    operator = await service.user({ username: "otto" });
  });
  afterEach(() => assertInvariants());

  const newStation = async (fields: object = {}) =>
    (await tokenCaller(service, { endpoints: ["station.dispatch"], warehouse_ids: [here], ...fields })).caller;

  /** An order that was picked, whole unless told otherwise, and packed. */
  async function packed(lines: LineToWalk[], warehouse_id = here) {
    const order = await pickedOrder(service.admin, warehouse_id, lines);
    for (const { item, quantity, found = quantity } of lines)
      if (found > 0)
        await service.admin.ok("POST", "/api/packing/verify", {
          ...{ so_id: order.so_id, scanned_barcode: item.sku, quantity: found },
        });
    await service.admin.ok("POST", "/api/packing/complete", { so_id: order.so_id });
    return order;
  }
  const packedMug = async (warehouse_id = here) => packed([{ item: await fixtures.item(), quantity: 2 }], warehouse_id);

  const pathOf = (so_number: string, action = "") =>
    `/api/v1/station/orders/${encodeURIComponent(so_number)}${action && `/${action}`}`;
  const look = (so_number: string, by = station): Promise<Answer> => by.get(pathOf(so_number));
  const parcel = (more: object = {}) => ({
    ...{ tracking: "1Z999", carrier: "UPS", operator_username: operator.username, idempotency_key: randomUUID() },
    ...more,
  });
  const ship = (so_number: string, more: object = {}, by = station): Promise<Answer> =>
    by.post(pathOf(so_number, "ship"), parcel(more));
  const voiding = (more: object = {}) => ({
    ...{ reason: "wrong label", operator_username: operator.username, idempotency_key: randomUUID() },
    ...more,
  });
  const voidShip = (so_number: string, more: object = {}, by = station): Promise<Answer> =>
    by.post(pathOf(so_number, "void-ship"), voiding(more));

  /** Past the route, which refuses while orders are PACKED. */
  const setPackingRequired = (value: boolean) =>
    db.run(
      `insert into app_settings (key, value) values ('require_packing_before_shipping', $1)
       on conflict (key) do update set value = excluded.value`,
      [String(value)],
    );
  const headerOf = (so_id: number) =>
    db.row(
      `select status, carrier, tracking_number, ship_method, shipped_at is not null as shipped from sales_orders
       where so_id = $1`,
      [so_id],
    );
  const linesOf = (so_id: number) =>
    db.rows(
      `select quantity_picked as picked, quantity_packed as packed, quantity_shipped as shipped, status
       from sales_order_lines where so_id = $1 order by line_number`,
      [so_id],
    );
  const fulfilmentsOf = (so_id: number) =>
    db.rows<Record<string, unknown>>("select * from item_fulfillments where so_id = $1 order by fulfillment_id", [
      so_id,
    ]);
  const auditsOf = (so_id: number, like: string) =>
    db.rows<{ log_id: number; user_id: string; warehouse_id: number; details: Record<string, unknown> }>(
      `select log_id, user_id, warehouse_id, details from audit_log
       where entity_type = 'SO' and entity_id = $1 and action_type like $2 order by log_id`,
      [so_id, like],
    );
  const eventsOf = (so_id: number, like: string) =>
    db.rows<{ type: string; source_txn_id: string; warehouse_id: number; data: Record<string, unknown> }>(
      `select event_type as type, source_txn_id, warehouse_id, event_data(e) as data from integration_events e
       where entity_type = 'sales_order' and entity_id = $1 and event_type like $2
       order by event_timestamp`,
      [so_id, like],
    );

  return {
    ...{ newStation, packed, packedMug, pathOf, look, parcel, ship, voiding, voidShip },
    ...{ headerOf, linesOf, fulfilmentsOf, auditsOf, eventsOf },
    setPackingRequired,
    get service() {
      return service;
    },
    get here() {
      return here;
    },
    get elsewhere() {
      return elsewhere;
    },
    get station() {
      return station;
    },
    get operator() {
      return operator;
    },
  };
}
