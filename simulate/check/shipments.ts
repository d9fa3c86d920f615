import type { Json } from "../http/caller.js";
import { type Movement, movementsOf } from "./movements.js";

/** A wrong label is voided at once: so many shipments later the units that left are forgotten. */
const VOIDABLE = 500;
const MOST_FAULTS = 50;

/**
 * The shipments that stand, as events tell of them: of the newest ones the units that left, so that a void can take
 * them back, of all others nothing but that their orders were shipped.
 */
export class Shipments {
  /** By order, the oldest first. */
  readonly #newest = new Map<string, Movement[]>();
  readonly #others = new Set<string>();
  /** The first orders that were shipped while a shipment of theirs stood, or voided when its units were forgotten. */
  readonly faults: string[] = [];

  constructor(private readonly voidable = VOIDABLE) {}

  /** What an event moves. A void names no units: those of its shipment are picked and not shipped again. */
  movementsOf(event: Json): Movement[] {
    const { sales_order_external_id: order, so_number } = event.data;
    const moved = movementsOf(event);
    switch (event.event_type) {
      case "ship.confirmed":
        if (this.#newest.has(order) || this.#others.has(order)) this.#fault(so_number);
        this.#newest.set(order, moved);
        this.#forget();
        return moved;
      case "ship.voided": {
        if (this.#others.has(order)) this.#fault(`${so_number}, which was voided late`);
        const left = this.#newest.get(order) ?? [];
        this.#newest.delete(order);
        return left.map((one) => ({ ...one, units: -one.units }));
      }
      default:
        return moved;
    }
  }

  #fault(text: string): void {
    if (this.faults.length < MOST_FAULTS) this.faults.push(text);
  }

  #forget(): void {
    if (this.#newest.size <= this.voidable) return;
    const [oldest = ""] = this.#newest.keys();
    this.#newest.delete(oldest);
    this.#others.add(oldest);
  }
}
