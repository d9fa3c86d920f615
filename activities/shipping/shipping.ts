import { refuseSilentShortfall } from "../../src/picking/shortfall.js";
import type { Actor } from "../../src/platform/actor.js";
import { NothingToShip } from "../../src/sales-orders/action-problems.js";
import { refuseUnshippable } from "../../src/shipping/guard.js";
import type { NewShipment, ShippedOrder } from "../../src/shipping/shapes.js";
import { command } from "../command.js";
import { lockWithContent, unitsPicked } from "./contents.js";
import { shipOrder } from "./ship-order.js";

/** Ships an order with the given carrier and tracking number (docs/interface.md, Shipping). */
export function fulfill(input: NewShipment, by: Actor): Promise<ShippedOrder> {
  return command("shipping.fulfill", by, input, async (tx) => {
    const { tracking_number, carrier } = input;
    const order = await lockWithContent(tx, input.so_id, by);
    await refuseUnshippable(tx, order);
    await refuseSilentShortfall(tx, order);
    const { so_number } = order;
    if (unitsPicked(order) === 0) throw NothingToShip({ so_number });
    const ship_method = input.ship_method || order.ship_method;
    const shipped = await shipOrder(tx, order, { tracking_number, carrier, ship_method }, by);
    return { message: `${so_number} is shipped`, so_number, tracking_number, carrier, ship_method, ...shipped };
  });
}
