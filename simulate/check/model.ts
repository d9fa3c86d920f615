import { groupBy } from "../../src/platform/values.js";
import type { Json } from "../http/caller.js";
import type { House, Site } from "../site/site.js";
import { Sums } from "./movements.js";
import { add, inWords, type Package, type Units } from "./packages.js";

/**
 * What the service told its clients that it did, and what must be true because of it. It knows nothing but their
 * requests and the answers.
 */

/** A sales order or a return. */
export interface KnownOrder {
  so_number: string;
  warehouse_id: number;
  status: string;
  /** In the order in which they were begun. */
  packages: Package[];
  /** Those of them that left, in this order, and how the order stood before the last one did. */
  left: Package[];
  statusBefore: string;
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
  readonly #parcels = new Map<number, { order: KnownOrder; one: Package }>();
  readonly #sales = new Map<string, LineAtTill[]>();
  readonly #poNumbers = new Map<number, string>();
  readonly #countHouses = new Map<number, number>();
  readonly #variances = new Map<number, Variance>();
  readonly #transfers = new Map<number, { to_number: string; from: number; to: number }>();
  /** The walk of each pick task, and what was picked on it since it was last submitted. */
  readonly #walks = new Map<number, number>();
  readonly #onWalk = new Map<number, Units>();
  /** What waits for an approval. */
  readonly #submitted = new Map<number, { to_id: number; units: Units }>();

  constructor(private readonly site: Site) {}

  begun({ so_id, so_number, warehouse_id, status }: KnownOrder & { so_id: number }, parent?: number): void {
    const isBackorder = parent !== undefined;
    const order = { so_number, warehouse_id, status, statusBefore: status, isBackorder, parent };
    this.orders.set(so_id, { ...order, packages: [], left: [] });
    if (isBackorder) this.event(so_number, "backorder.opened");
  }

  /** A customer may cancel while somebody works on the order: then the answers come in any order. */
  became(order: KnownOrder | undefined, status: string): void {
    if (order && order.status !== "CANCELLED") order.status = status;
  }

  /** A SHIPPED one is not cancelled: the answer of the void that came before is still on its way. */
  cancelled(so_id: number): void {
    for (const [id, order] of this.orders) {
      const isMeant = id === so_id || (order.parent === so_id && order.status !== "SHIPPED");
      if (!isMeant || order.status === "CANCELLED") continue;
      order.status = "CANCELLED";
      if (order.isBackorder) this.event(order.so_number, "backorder.cancelled");
    }
  }

  /** Scanned into no parcel: the order goes as a whole. */
  verified(so_id: number, upc: string, units: number): void {
    const order = this.orders.get(so_id);
    if (!order) return;
    const [whole = begin(order)] = order.packages;
    whole.status = "CLOSED";
    add(whole.units, this.item({ upc }), units);
  }

  /** A parcel is opened, or the rest is packed into it, then with what is in it. */
  parcelIs({ parcel_id, external_id, so_id, status, lines }: Json): void {
    const order = this.orders.get(so_id);
    if (!order) return;
    const one = begin(order, { parcel_id, external_id });
    this.#parcels.set(parcel_id, { order, one });
    one.status = status;
    for (const { sku, quantity } of lines) add(one.units, this.item({ sku }), quantity);
  }

  putIn(parcel_id: number, upc: string, units: number): void {
    const parcel = this.#parcels.get(parcel_id);
    if (parcel) add(parcel.one.units, this.item({ upc }), units);
  }

  parcelBecame(parcel_id: number, status: Package["status"]): void {
    const parcel = this.#parcels.get(parcel_id);
    if (parcel) parcel.one.status = status;
  }

  packed(order: KnownOrder | undefined, status: string): void {
    if (!order) return;
    this.became(order, status);
    const standing = order.packages.filter((one) => one.status !== "VOIDED");
    this.event(order.so_number, `pack.confirmed ${inWords(standing)}`);
  }

  /** All of an order that has not left. */
  shipped(order: KnownOrder | undefined, status: string): void {
    const waiting = order?.packages.filter((one) => one.status === "CLOSED") ?? [];
    if (order) this.#leave(order, waiting, status);
  }

  /** Parcels that leave with one carrier are told of together. */
  shippedParcels(so_number: string, parcels: Json[], status: string): void {
    const order = this.numbered(so_number);
    if (!order) return;
    for (const [, group] of groupBy(parcels, ({ carrier, ship_method }) => `${carrier} ${ship_method}`)) {
      const packages = group.flatMap(({ parcel_id }) => this.#parcels.get(parcel_id)?.one ?? []);
      this.#leave(order, packages, status);
    }
  }

  #leave(order: KnownOrder, packages: Package[], status: string): void {
    if (order.status !== status) order.statusBefore = order.status;
    this.became(order, status);
    this.event(order.so_number, `ship.confirmed ${inWords(packages)}`);
    for (const one of packages) {
      one.status = "SHIPPED";
      order.left.push(one);
      for (const [item, units] of one.units) this.moved.add(order.warehouse_id, item, -units);
    }
  }

  /**
   * The shipment of a parcel, or else the newest one of the order, is void. Where the answer does not say how the order
   * stands, one that was SHIPPED is as it was before its last parcel left.
   */
  voided(order: KnownOrder | undefined, { parcel_id, status }: { parcel_id?: number; status?: string }): void {
    const one = order?.left.findLast(({ parcel }) => parcel_id === undefined || parcel?.parcel_id === parcel_id);
    if (!order || !one) return;
    order.left.splice(order.left.indexOf(one), 1);
    one.status = "CLOSED";
    this.became(order, status ?? (order.status === "SHIPPED" ? order.statusBefore : order.status));
    this.event(order.so_number, `ship.voided ${one.parcel?.external_id ?? "as a whole"}`);
    for (const [item, units] of one.units) this.moved.add(order.warehouse_id, item, units);
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

function begin(order: KnownOrder, parcel?: Package["parcel"]): Package {
  const one: Package = { parcel, status: "OPEN", units: new Map() };
  order.packages.push(one);
  return one;
}
