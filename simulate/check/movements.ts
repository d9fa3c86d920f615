import type { Json } from "../http/caller.js";

/** What events say about the stock of items in warehouses. */

/** Of an item in a warehouse, by their names in events. */
const keyOf = (warehouse_id: number, item: string) => `${warehouse_id} ${item}`;

export interface Movement {
  warehouse_id: number;
  item: string;
  units: number;
}

type Lines = { item_external_id: string; [quantity: string]: string | number }[];

/**
 * How an event changes what a warehouse owns: on its shelves, or picked and not yet shipped. So a pick changes nothing,
 * and neither does a move within a warehouse.
 */
export function movementsOf({ event_type, warehouse_id, data }: Json): Movement[] {
  const each = (lines: Lines, quantity: string, sign: 1 | -1, at: number = warehouse_id) =>
    lines.map((line) => ({ warehouse_id: at, item: line.item_external_id, units: sign * Number(line[quantity]) }));
  switch (event_type) {
    case "receipt.completed":
    case "return.received":
      return each(data.lines, "quantity_received", 1);
    case "receipt.cancelled":
      return each(data.lines, "quantity_reversed", -1);
    case "ship.confirmed":
      return data.packages.flatMap((parcel: { lines: Lines }) => each(parcel.lines, "quantity_packed", -1));
    case "inventoryadjusted.completed":
      return [{ warehouse_id, item: data.item_external_id, units: data.quantity_delta }];
    case "inventorytransfer.completed":
      return [
        ...each(data.lines, "quantity", -1, data.from_warehouse_id),
        ...each(data.lines, "quantity", 1, data.to_warehouse_id),
      ];
    default:
      return [];
  }
}

/** Sums by item and warehouse. */
export class Sums {
  readonly #sums = new Map<string, number>();

  add(warehouse_id: number, item: string, units: number): void {
    const key = keyOf(warehouse_id, item);
    this.#sums.set(key, (this.#sums.get(key) ?? 0) + units);
  }

  of(key: string): number {
    return this.#sums.get(key) ?? 0;
  }

  keys(): string[] {
    return [...this.#sums.keys()];
  }
}
