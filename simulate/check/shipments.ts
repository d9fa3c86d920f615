import type { Json } from "../http/caller.js";
import { type Movement, movementsOf } from "./movements.js";

/** A wrong label is voided at once: so many shipments later the units that left are forgotten. */
const VOIDABLE = 500;
const MOST_FAULTS = 50;

/**
 * The shipments that stand, as events tell of them, by package: a parcel, or all of an order that is in none. Of the
 * newest ones the units that left, so that a void can take them back, of all others nothing but that they left.
 */
export class Shipments {
  /** By package, the oldest first. */
  readonly #newest = new Map<string, Movement[]>();
  readonly #others = new Set<string>();
  /** The first ones that left while a shipment of theirs stood, or were voided when their units were forgotten. */
  readonly faults: string[] = [];

  constructor(private readonly voidable = VOIDABLE) {}

  /** What an event moves. A void names no units: those of its shipment are picked and not shipped again. */
  movementsOf(event: Json): Movement[] {
    const { event_type, data } = event;
    switch (event_type) {
      case "ship.confirmed":
        return data.packages.flatMap((one: Json) => this.#left(event, one));
      case "ship.voided": {
        // That of an order as a whole names no package.
        const name = data.package_external_id ?? `${data.sales_order_external_id}-pkg-1`;
        if (this.#others.has(name)) this.#fault(`${data.so_number}, which was voided late`);
        const left = this.#newest.get(name) ?? [];
        this.#newest.delete(name);
        return left.map((one) => ({ ...one, units: -one.units }));
      }
      default:
        return movementsOf(event);
    }
  }

  #left(event: Json, one: Json): Movement[] {
    const { package_external_id: name, parcel_number } = one;
    const { so_number } = event.data;
    if (this.#newest.has(name) || this.#others.has(name))
      this.#fault(parcel_number ? `${so_number}, parcel ${parcel_number}` : so_number);
    const moved = movementsOf({ ...event, data: { packages: [one] } });
    this.#newest.set(name, moved);
    this.#forget();
    return moved;
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
