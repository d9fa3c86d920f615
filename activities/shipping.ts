import type { Actor } from "../src/actor.js";
import { refuseSilentShortfall } from "../src/picking/shortfall.js";
import { refuseUnshippable } from "../src/shipping/guard.js";
import { command } from "./command.js";
import { lockParcel } from "./parcels.js";
import { type Fulfillment, shipOrder } from "./ship-order.js";

export interface Shipment {
  so_id: number;
  tracking_number: string;
  carrier: string;
  ship_method?: string | null | undefined;
}

export interface Shipped extends Fulfillment {
  message: string;
  so_number: string;
  tracking_number: string;
  carrier: string;
  ship_method: string | null;
}

/** Hands a parcel to its carrier (spec 4.5, reference 02 §7). */
export function fulfill(input: Shipment, by: Actor): Promise<Shipped> {
  return command("shipping.fulfill", by, input, async (tx) => {
    const { tracking_number, carrier } = input;
    const order = await lockParcel(tx, input.so_id, by);
    await refuseUnshippable(tx, order);
    await refuseSilentShortfall(tx, order);
    const { so_number } = order;
    const ship_method = input.ship_method || order.ship_method;
    const shipped = await shipOrder(
      tx,
      order,
      { tracking_number, carrier, ship_method },
      by,
    );
    return {
      message: `${so_number} is shipped`,
      so_number,
      tracking_number,
      carrier,
      ship_method,
      ...shipped,
    };
  });
}
