import assert from "node:assert/strict";
import type { Answer, Caller } from "./caller.js";
import { db } from "./db.js";
import * as fixtures from "./fixtures.js";
import { assertInvariants } from "./invariants.js";
import { testService } from "./service.js";
import { pickedOrder } from "./walk.js";

/** Receives units at the desk. What is refused there, the scanner refuses for the same reason. */
export async function receiveAtDesk(by: Caller, so_id: number, body: object): Promise<Answer> {
  const answer = await by.post(`/api/admin/sales-orders/${so_id}/receive-return`, body);
  if (![400, 409, 503].includes(answer.status)) return answer;
  const { status, code } = await by.post("/api/receiving/receive-return", { so_id, ...body });
  assert.deepEqual([status, code], [answer.status, answer.code], "at the scanner");
  return answer;
}

/** A service with two warehouses for a file of tests of returns, and what such tests do. */
export function returnsDesk() {
  const service = testService({ worker: true });
  let here: number;
  let elsewhere: number;
  let dock: number;
  /** May use the page of sales orders in the first warehouse. */
  let clerk: Caller;
  before(async () => {
    here = await fixtures.warehouse();
    elsewhere = await fixtures.warehouse();
    dock = await fixtures.bin(here, { type: "Staging" });
    clerk = await service.user({ warehouse_ids: [here], page_keys: ["sales-orders"] });
  });
  afterEach(() => assertInvariants());

  const pathOf = (so_id: number, action?: string) =>
    `/api/admin/sales-orders/${so_id}${action === undefined ? "" : `/${action}`}`;
  const create = (so_id: number, lines: object[], more: object = {}, by = clerk) =>
    by.post(pathOf(so_id, "create-rma"), { lines, ...more });
  const receive = (so_id: number, item_id: number, quantity: number, more: object = {}, by = clerk) =>
    receiveAtDesk(by, so_id, { item_id, quantity, warehouse_id: here, bin_id: dock, ...more });
  const voidIt = (so_id: number, by = service.admin) => by.post(pathOf(so_id, "void-return"));

  /** So many shipped units of an item, in an order of its own. */
  async function shipped(quantity = 5, warehouse_id = here) {
    const goods = await fixtures.item();
    const order = await fixtures.shippedOrder(warehouse_id, [{ item_id: goods.item_id, quantity }]);
    return { ...order, ...goods };
  }

  /** The same, from a bin: it was picked, packed and shipped. */
  async function shippedFromBin(quantity = 5, lot?: string) {
    const goods = await fixtures.item();
    const order = await pickedOrder(service.admin, here, [{ item: goods, quantity, ...(lot && { lot }) }]);
    const { so_id } = order;
    await service.admin.ok("POST", "/api/packing/verify", { so_id, scanned_barcode: goods.sku, quantity });
    await service.admin.ok("POST", "/api/packing/complete", { so_id });
    await service.admin.ok("POST", "/api/shipping/fulfill", { so_id, carrier: "UPS", tracking_number: "1Z999" });
    return { ...order, ...goods };
  }

  /** A return of some of them. */
  async function expected(quantity = 3, of = 5, from: (of: number) => ReturnType<typeof shipped> = shipped) {
    const original = await from(of);
    const { item_id, sku } = original;
    const made = await create(original.so_id, [{ item_id, quantity }]);
    return { so_id: made.body.so_id as number, so_number: made.body.so_number as string, item_id, sku, original };
  }

  const headerOf = async (so_id: number) => (await service.admin.ok("GET", pathOf(so_id))).sales_order;
  const onHand = (item_id: number) =>
    db.value<number>("select coalesce(sum(quantity_on_hand), 0) as units from inventory where item_id = $1", [item_id]);
  const receivedOf = async (so_id: number): Promise<number[]> =>
    (await service.admin.ok("GET", pathOf(so_id))).lines.map(
      (line: { quantity_received: number }) => line.quantity_received,
    );
  const events = (so_id: number) =>
    db.rows<{ payload: Record<string, unknown>; warehouse_id: number; aggregate_type: string }>(
      `select event_data(e) as payload, e.warehouse_id, aggregate_type from integration_events e
       where event_type = 'return.received'
         and entity_id in (select receipt_id from item_receipts where so_id = $1) order by outbox_id`,
      [so_id],
    );

  return {
    at: () => ({ service, here, elsewhere, dock, clerk }),
    ...{ pathOf, create, receive, voidIt, shipped, shippedFromBin, expected, headerOf, onHand, receivedOf, events },
  };
}
