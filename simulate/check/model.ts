import type { Heard } from "../http/measure.js";
import type { House, Site } from "../site/site.js";
import { Sums } from "./movements.js";

/**
 * What the service told its clients that it did, and what must be true because of it. It knows nothing but their
 * requests and the answers.
 */

/** A sales order or a return. */
export interface KnownOrder {
  so_number: string;
  warehouse_id: number;
  status: string;
  /** Its units by item. */
  packed: Map<string, number>;
  isBackorder: boolean;
  parent?: number;
}

/** What a till sold or took back; it names warehouses by their codes. */
interface LineAtTill {
  sku: string;
  warehouse_id: string;
  quantity: number;
}

interface Variance {
  warehouse_id: number;
  item: string;
  units: number;
}

export const adjustmentsOf = (warehouse_id: number, item: string) => `adjustments of item ${warehouse_id} ${item}`;

export const movesIn = (warehouse_id: number) => `moves in warehouse ${warehouse_id}`;

/** Lists by names. */
export type Lists = Map<string, string[]>;
export function note(lists: Lists, name: string, text: string): void {
  const list = lists.get(name);
  if (list) list.push(text);
  else lists.set(name, [text]);
}

export class Model {
  readonly orders = new Map<number, KnownOrder>();
  /** What came in less what went out, of each item in each warehouse. */
  readonly moved = new Sums();
  /** By the record that they are about, in their order. */
  readonly events: Lists = new Map();
  /** In cents, by the number of the sale or the credit memo; what was paid back is negative. */
  readonly paid = new Map<string, number>();
  /** Counts that have been submitted, and transfer orders that were closed. */
  readonly counted = new Set<number>();
  readonly closed = new Set<number>();
  readonly #sales = new Map<string, LineAtTill[]>();
  readonly #repeated = new Set<string>();
  readonly #poNumbers = new Map<number, string>();
  readonly #countHouses = new Map<number, number>();
  readonly #variances = new Map<number, Variance>();
  readonly #transfers = new Map<number, { to_number: string; from: number; to: number }>();
  /** The walk of each pick task, and what was picked on it since it was last submitted. */
  readonly #walks = new Map<number, number>();
  readonly #onWalk = new Map<number, Map<string, number>>();
  /** What waits for an approval. */
  readonly #submitted = new Map<number, { to_id: number; units: Map<string, number> }>();

  constructor(private readonly site: Site) {}

  /** Every request of the day that was done, in the order in which the answers came. */
  readonly hear = (heard: Heard): void => {
    const rule = rules[heard.route];
    if (!rule) return;
    const key = heard.asked.idempotency_key;
    if (key !== undefined && this.#repeated.has(key)) return;
    if (key !== undefined) this.#repeated.add(key);
    rule(this, heard);
  };

  begun({ so_id, so_number, warehouse_id, status }: KnownOrder & { so_id: number }, parent?: number): void {
    const isBackorder = parent !== undefined;
    this.orders.set(so_id, { so_number, warehouse_id, status, packed: new Map(), isBackorder, parent });
    if (isBackorder) this.event(so_number, "backorder.opened");
  }

  /** A customer may cancel while somebody works on the order: then the answers come in any order. */
  became(order: KnownOrder | undefined, status: string): void {
    if (order && order.status !== "CANCELLED") order.status = status;
  }

  cancelled(so_id: number): void {
    for (const [id, order] of this.orders) {
      if ((id !== so_id && order.parent !== so_id) || ["CANCELLED", "SHIPPED"].includes(order.status)) continue;
      order.status = "CANCELLED";
      if (order.isBackorder) this.event(order.so_number, "backorder.cancelled");
    }
  }

  shipped(order: KnownOrder | undefined, isVoid: boolean, status: string): void {
    if (!order) return;
    this.became(order, status);
    this.event(order.so_number, isVoid ? "ship.voided" : "ship.confirmed");
    for (const [item, units] of order.packed) this.moved.add(order.warehouse_id, item, isVoid ? units : -units);
  }

  packed(so_id: number, upc: string, units: number): void {
    const order = this.orders.get(so_id);
    if (order) add(order.packed, this.item({ upc }), units);
  }

  numbered(so_number: string): KnownOrder | undefined {
    return [...this.orders.values()].find((order) => order.so_number === so_number);
  }

  poIs(po_id: number, po_number: string): void {
    this.#poNumbers.set(po_id, po_number);
  }

  received({ po_id, items }: { po_id: number; items: { item_id: number; quantity: number; bin_id: number }[] }): void {
    for (const { item_id, quantity, bin_id } of items) {
      const house = this.site.houses.find(({ dock }) => dock.bin_id === bin_id) as House;
      const item = this.item({ item_id });
      this.moved.add(house.warehouse_id, item, quantity);
      this.event(this.#poNumbers.get(po_id) ?? `${po_id}`, `receipt.completed ${item} ${quantity}`);
    }
  }

  cameBack(so_id: number, { item_id, quantity, warehouse_id }: Record<string, number>, status: string): void {
    const item = this.item({ item_id });
    const order = this.orders.get(so_id);
    this.became(order, status);
    this.moved.add(warehouse_id as number, item, quantity as number);
    this.event(order?.so_number ?? `${so_id}`, `return.received ${item} ${quantity}`);
  }

  sold(so_number: string, cents: number, lines: LineAtTill[]): void {
    this.#sales.set(so_number, lines);
    this.#paid(so_number, cents, lines, -1);
  }

  /** Without lines, all that was sold comes back. */
  refunded(so_number: string, cents: number, original: string, lines?: LineAtTill[]): void {
    this.#paid(so_number, -cents, lines ?? this.#sales.get(original) ?? [], 1);
  }

  #paid(so_number: string, cents: number, lines: LineAtTill[], sign: 1 | -1): void {
    this.paid.set(so_number, cents);
    for (const { sku, warehouse_id: code, quantity } of lines) {
      const house = this.site.houses.find((one) => one.code === code) as House;
      this.moved.add(house.warehouse_id, this.item({ sku }), sign * quantity);
    }
  }

  tidied({ item_id, from_bin_id, quantity }: { item_id: number; from_bin_id: number; quantity: number }): void {
    const house = this.site.houses.find(({ shelves }) => shelves.some(({ bin_id }) => bin_id === from_bin_id)) as House;
    const item = this.item({ item_id });
    this.event(movesIn(house.warehouse_id), `inventorytransfer.completed ${item} ${quantity}`);
  }

  countIs(count_id: number, warehouse_id: number): void {
    this.#countHouses.set(count_id, warehouse_id);
  }

  submitted(count_id: number, adjustments: { adjustment_id: number; sku: string; variance: number }[]): void {
    this.counted.add(count_id);
    const warehouse_id = this.#countHouses.get(count_id) as number;
    for (const { adjustment_id, sku, variance } of adjustments)
      this.#variances.set(adjustment_id, { warehouse_id, item: this.item({ sku }), units: variance });
  }

  /** Stock takes the whole variance, but never falls below zero: the answer says what it took. */
  decided(decisions: { adjustment_id: number; status: string; quantity_change?: number }[]): void {
    for (const { adjustment_id, status, quantity_change } of decisions) {
      const variance = this.#variances.get(adjustment_id);
      if (!variance || status === "PENDING") continue;
      this.#variances.delete(adjustment_id);
      if (status !== "APPROVED") continue;
      const { warehouse_id, item, units } = variance;
      const taken = quantity_change ?? units;
      this.moved.add(warehouse_id, item, taken);
      this.event(adjustmentsOf(warehouse_id, item), `cycle_count.adjusted ${units}`);
      this.event(adjustmentsOf(warehouse_id, item), `inventoryadjusted.completed ${taken}`);
    }
  }

  transferIs(to_id: number, to_number: string, from: number, to: number): void {
    this.#transfers.set(to_id, { to_number, from, to });
  }

  walkBegan(batch_id: number): void {
    this.#onWalk.set(batch_id, new Map());
  }

  taskIs(pick_task_id: number, batch_id: number): void {
    if (this.#onWalk.has(batch_id)) this.#walks.set(pick_task_id, batch_id);
  }

  picked({ pick_task_id, sku, quantity_picked }: { pick_task_id: number; sku: string; quantity_picked: number }): void {
    const walk = this.#onWalk.get(this.#walks.get(pick_task_id) ?? -1);
    if (walk) add(walk, this.item({ sku }), quantity_picked);
  }

  walked(batch_id: number, { to_id, to_approval_id }: { to_id: number; to_approval_id: number | null }): void {
    const units = this.#onWalk.get(batch_id);
    this.#onWalk.delete(batch_id);
    if (units && to_approval_id) this.#submitted.set(to_approval_id, { to_id, units });
  }

  approved(to_approval_id: number, isClosed: boolean): void {
    const submitted = this.#submitted.get(to_approval_id);
    const transfer = submitted && this.#transfers.get(submitted.to_id);
    if (!transfer) return;
    this.#submitted.delete(to_approval_id);
    if (isClosed) this.closed.add(submitted.to_id);
    for (const [item, units] of submitted.units) {
      if (units === 0) continue;
      this.moved.add(transfer.from, item, -units);
      this.moved.add(transfer.to, item, units);
      this.event(transfer.to_number, `inventorytransfer.completed ${item} ${units}`);
    }
  }

  event(about: string, text: string): void {
    note(this.events, about, text);
  }

  /** The name of an item in events. */
  item(known: { item_id?: number; sku?: string; upc?: string }): string {
    const found = this.site.items.find(
      ({ item_id, sku, upc }) => item_id === known.item_id || sku === known.sku || upc === known.upc,
    );
    return found?.external_id ?? JSON.stringify(known);
  }
}

function add(units: Map<string, number>, item: string, more: number): void {
  units.set(item, (units.get(item) ?? 0) + more);
}

const ORDERS = "/api/admin/sales-orders";
const TRANSFERS = "/api/admin/transfer-orders";
const STATION = "/api/v1/station/orders/:so_number";

interface Decision {
  adjustment_id: number;
  action: "approve" | "reject";
}
const asDecided = ({ adjustment_id, action }: Decision) => ({
  adjustment_id,
  status: action === "approve" ? "APPROVED" : "REJECTED",
});

/** What an answer of each route means. */
const rules: Record<string, (model: Model, heard: Heard) => void> = {
  [`post ${ORDERS}`]: (model, { answer }) => model.begun(answer.sales_order),
  [`post ${ORDERS}/:so_id/partial-fulfill`]: (model, { params, answer }) =>
    model.begun(
      { ...answer.backorder_so, warehouse_id: model.orders.get(Number(params.so_id))?.warehouse_id },
      Number(params.so_id),
    ),
  [`post ${ORDERS}/:so_id/cancel`]: (model, { params }) => model.cancelled(Number(params.so_id)),
  [`post ${ORDERS}/:so_id/cancel-backorder`]: (model, { params }) => model.cancelled(Number(params.so_id)),
  [`post ${ORDERS}/:so_id/create-rma`]: (model, { answer }) =>
    model.begun({ ...answer, status: "OPEN", warehouse_id: 0 }),
  [`post ${ORDERS}/:so_id/receive-return`]: (model, { params, asked, answer }) =>
    model.cameBack(Number(params.so_id), asked, answer.status),

  "get /api/picking/batch/:batch_id/next": (model, { params, answer }) =>
    answer.pick_task_id && model.taskIs(answer.pick_task_id, Number(params.batch_id)),
  "post /api/picking/confirm": (model, { answer }) => model.picked(answer.task),
  "post /api/picking/short": (model, { answer }) => model.picked(answer.task),
  "post /api/picking/complete-batch": (model, { asked, answer }) => {
    for (const { so_number } of answer.transfer ? [] : answer.summary.orders) {
      model.became(model.numbered(so_number), "PICKED");
      model.event(so_number, "pick.confirmed");
    }
    if (answer.transfer) model.walked(asked.batch_id, answer.transfer);
  },
  "post /api/packing/verify": (model, { asked }) => model.packed(asked.so_id, asked.scanned_barcode, asked.quantity),
  "post /api/packing/complete": (model, { answer: { so_number, status } }) => {
    model.became(model.numbered(so_number), status);
    model.event(so_number, "pack.confirmed");
  },
  "post /api/shipping/fulfill": (model, { asked }) => model.shipped(model.orders.get(asked.so_id), false, "SHIPPED"),
  [`post ${STATION}/ship`]: (model, { params, answer }) =>
    model.shipped(model.numbered(String(params.so_number)), false, answer.status),
  [`post ${STATION}/void-ship`]: (model, { params, answer }) =>
    model.shipped(model.numbered(String(params.so_number)), true, answer.status),

  "get /api/receiving/po/:barcode": (model, { answer: { purchase_order } }) =>
    model.poIs(purchase_order.po_id, purchase_order.po_number),
  "post /api/receiving/receive": (model, { asked }) => model.received(asked),

  "post /api/transfers/move": (model, { asked }) => model.tidied(asked),

  "post /api/v1/pos/checkout": (model, { asked, answer }) =>
    model.sold(answer.so_number, asked.payment_summary.total_cents, asked.lines),
  "post /api/v1/pos/refund": (model, { asked, answer }) =>
    model.refunded(answer.refund_so_id, asked.refund_summary.total_cents, asked.original_so_id, asked.lines),

  "get /api/inventory/cycle-counts/open": (model, { answer }) => {
    for (const { count_id, warehouse_id } of answer.counts) model.countIs(count_id, warehouse_id);
  },
  "post /api/inventory/cycle-count/create": (model, { asked, answer }) => {
    for (const { count_id } of answer.counts) model.countIs(count_id, asked.warehouse_id);
  },
  "post /api/inventory/cycle-count/submit": (model, { answer }) =>
    model.submitted(answer.count_id, answer.summary.adjustments),
  // 0.3.0, from which the upgrade test begins, answers only with how many: then stock took what was counted.
  "post /api/admin/adjustments/review": (model, { asked, answer }) =>
    model.decided(answer.decisions ?? asked.decisions.map(asDecided)),

  [`post ${TRANSFERS}`]: (model, { asked, answer }) =>
    model.transferIs(answer.to_id, answer.to_number, asked.source_warehouse_id, asked.destination_warehouse_id),
  [`post ${TRANSFERS}/:to_id/start-picking`]: (model, { answer }) => model.walkBegan(answer.batch_id),
  [`post ${TRANSFERS}/:to_id/approvals/:to_approval_id/approve`]: (model, { answer }) =>
    model.approved(answer.to_approval_id, answer.to_closed),
};
