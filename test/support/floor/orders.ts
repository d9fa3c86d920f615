import { createSalesOrder } from "../../../activities/sales-orders/create.js";
import { completePacking, verifyItem } from "../../../activities/shipping/packing.js";
import { fulfill } from "../../../activities/shipping/shipping.js";
import { unique } from "../unique.js";
import { hasPicks, isClosed, isWhollyPacked, waitingParcels } from "./model.js";
import { type Ask, at, choose, NONE, still } from "./step.js";

/** What is done for orders beside their picking, from their making to the carrier. */
export const orders = {
  order: ({ warehouse_id, items }, _, { a, b, quantity }) => {
    const so_number = `F-${unique()}`;
    const lines = [a, b]
      .slice(0, 1 + (a % 2))
      .map((n) => ({ item_id: at(items, n).item_id, quantity_ordered: quantity }));
    return { expected: "ok", change: still, run: (by) => createSalesOrder({ so_number, warehouse_id, lines }, by) };
  },

  verify: ({ items }, { orders }, { a, b, c, quantity }) => {
    const order = choose(orders, (o) => o.status === "PICKED", a);
    const line = order && choose(order.lines, (l) => l.packed < l.picked, b);
    const item = items.find((i) => i.item_id === line?.item_id) ?? at(items, b);
    const left = order?.lines
      .filter((l) => l.item_id === item.item_id)
      .map((l) => l.picked - l.packed)
      .find((units) => units > 0);
    const units = c % 3 ? (left ?? quantity) : quantity;
    return {
      expected: !order
        ? "so_not_found"
        : order.status !== "PICKED"
          ? "so_not_picked"
          : left === undefined
            ? "already_verified"
            : units > left
              ? "over_pack"
              : "ok",
      change: still,
      run: (by) => verifyItem({ so_id: order?.so_id ?? NONE, scanned_barcode: item.sku, quantity: units }, by),
    };
  },

  pack: (_site, { orders }, { a }) => {
    const order = choose(orders, (o) => o.status === "PICKED" && isWhollyPacked(o) && isClosed(o), a);
    return {
      expected: !order
        ? "so_not_found"
        : order.status !== "PICKED"
          ? "so_not_picked"
          : !hasPicks(order)
            ? "nothing_to_ship"
            : !isWhollyPacked(order)
              ? "not_all_verified"
              : isClosed(order)
                ? "ok"
                : "not_in_closed_parcel",
      change: still,
      run: (by) => completePacking({ so_id: order?.so_id ?? NONE }, by),
    };
  },

  ship: (_site, { orders }, { a }) => {
    const order = choose(orders, (o) => o.status === "PACKED" && waitingParcels(o) < 2, a);
    const isOne = order && waitingParcels(order) < 2;
    const refusals: Record<string, string> = { PACKED: isOne ? "ok" : "order_in_parcels", PICKED: "so_not_packed" };
    return {
      expected: order ? (refusals[order.status] ?? "so_not_shippable") : "so_not_found",
      change: still,
      run: (by) => fulfill({ so_id: order?.so_id ?? NONE, tracking_number: "1Z", carrier: "UPS" }, by),
    };
  },
} satisfies Record<string, Ask>;
