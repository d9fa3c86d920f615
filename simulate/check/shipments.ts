import type { Json } from "../http/caller.js";
import { type Movement, movementsOf } from "./movements.js";

/**
 * The shipments that stand: of each order the units that left with it, as events tell of them. It grows with the orders
 * of a run, by some hundred bytes each.
 */
export class Shipments {
  readonly #standing = new Map<string, Movement[]>();
  /** Orders that were shipped while a shipment of theirs stood. */
  readonly twice: string[] = [];

  /** What an event moves. A void names no units: those of its shipment are picked and not shipped again. */
  movementsOf(event: Json): Movement[] {
    const { sales_order_external_id: order, so_number } = event.data;
    const moved = movementsOf(event);
    switch (event.event_type) {
      case "ship.confirmed":
        if (this.#standing.has(order)) this.twice.push(so_number);
        this.#standing.set(order, moved);
        return moved;
      case "ship.voided": {
        const left = this.#standing.get(order) ?? [];
        this.#standing.delete(order);
        return left.map((one) => ({ ...one, units: -one.units }));
      }
      default:
        return moved;
    }
  }
}
