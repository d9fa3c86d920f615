import type { Json } from "../http/caller.js";
import { adjustmentsOf, type Lists, movesIn, note } from "./model.js";
import { inWords, packageOf } from "./packages.js";

/** The steps that events tell of, by the record that they are about: in the words in which the model expects them. */
export class Told {
  readonly events: Lists = new Map();
  /** How often stock became free for an order, for which nobody asks. */
  readonly released = new Map<string, number>();

  hear(event: Json): void {
    const { event_type, data } = event;
    if (event_type === "backorder.fulfillable") {
      const so_number: string = data.backorder_so_number;
      this.released.set(so_number, (this.released.get(so_number) ?? 0) + 1);
    } else for (const [about, text] of stepsOf(event)) note(this.events, about, text);
  }
}

type Step = [about: string, text: string];

function stepsOf({ event_type, warehouse_id, data }: Json): Step[] {
  const each = (about: string, quantity: string): Step[] =>
    data.lines.map((line: Json) => [about, `${event_type} ${line.item_external_id} ${line[quantity]}`]);
  switch (event_type) {
    case "pick.confirmed":
      return [[data.so_number, event_type]];
    case "pack.confirmed":
    case "ship.confirmed":
      return [[data.so_number, `${event_type} ${inWords(data.packages.map(packageOf))}`]];
    case "ship.voided":
      return [[data.so_number, `${event_type} ${data.package_external_id ?? "as a whole"}`]];
    case "backorder.opened":
    case "backorder.cancelled":
      return [[data.backorder_so_number, event_type]];
    case "receipt.completed":
      return each(data.po_number, "quantity_received");
    case "return.received":
      return each(data.so_number, "quantity_received");
    case "inventorytransfer.completed":
      return each(data.to_number ?? movesIn(warehouse_id), "quantity");
    case "cycle_count.adjusted":
    case "inventoryadjusted.completed":
      return [[adjustmentsOf(warehouse_id, data.item_external_id), `${event_type} ${data.quantity_delta}`]];
    default:
      return [[event_type, "is an event that nobody caused"]];
  }
}
