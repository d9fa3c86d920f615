import { closeParcel, packRest } from "../../../activities/shipping/parcels/close.js";
import { openParcel, scanIntoParcel, voidParcel } from "../../../activities/shipping/parcels/pack.js";
import { shipParcel, voidParcelShipment } from "../../../activities/shipping/parcels/ship.js";
import { inParcels, isFilled, restOf, sum, unitsIn } from "./model.js";
import type { Parcel, SalesOrder, View } from "./site.js";
import { type Ask, at, choose, NONE, still } from "./step.js";

/** A parcel, and the order that it is of. */
interface OfOrder extends Parcel {
  order: SalesOrder;
}

const parcelsOf = ({ orders }: View): OfOrder[] =>
  orders.flatMap((order) => order.parcels.map((parcel) => ({ ...parcel, order })));

/** What stands against anything that is done with a parcel in other statuses than these. */
const refusal = (parcel: OfOrder | undefined, ...wanted: string[]) =>
  !parcel ? "parcel_not_found" : wanted.includes(parcel.status) ? undefined : "parcel_wrong_status";

/** Whether something of its order is left when it has left. */
const isPart = ({ order, ...parcel }: OfOrder) =>
  sum(order.lines, ({ picked, shipped }) => picked - shipped) > unitsIn(parcel);

/** How orders are packed in parcels, of which each leaves by itself. */
export const parcels = {
  openParcel: (_site, { orders }, { a }) => {
    const order = choose(orders, (o) => o.status === "PICKED", a);
    return {
      expected: !order ? "so_not_found" : order.status === "PICKED" ? "ok" : "so_not_picked",
      change: still,
      run: (by) => openParcel({ so_id: order?.so_id ?? NONE }, by),
    };
  },

  scanParcel: ({ items }, view, { a, b, c, quantity }) => {
    const parcel = choose(parcelsOf(view), (p) => p.status === "OPEN" && restOf(p.order) > 0, a);
    const lines = parcel?.order.lines ?? [];
    const room = (line: SalesOrder["lines"][0]) => line.picked - inParcels(parcel?.order, line);
    const line = choose(lines, (one) => room(one) > 0, b);
    const item = items.find(({ item_id }) => item_id === line?.item_id) ?? at(items, b);
    const left = sum(
      lines.filter(({ item_id }) => item_id === item.item_id),
      room,
    );
    const units = c % 3 && left > 0 ? left : quantity;
    return {
      expected: refusal(parcel, "OPEN") ?? (left === 0 ? "already_verified" : units > left ? "over_pack" : "ok"),
      change: still,
      run: (by) =>
        scanIntoParcel({ parcel_id: parcel?.parcel_id ?? NONE, scanned_barcode: item.sku, quantity: units }, by),
    };
  },

  /** Nobody knows what the items weigh. */
  closeParcel: (_site, view, { a, c }) => {
    const parcel = choose(parcelsOf(view), (p) => p.status === "OPEN" && isFilled(p), a);
    const isWeighed = c % 6 > 0;
    return {
      expected:
        refusal(parcel, "OPEN") ?? (parcel && !isFilled(parcel) ? "parcel_empty" : isWeighed ? "ok" : "weight_unknown"),
      change: still,
      run: (by) => closeParcel({ parcel_id: parcel?.parcel_id ?? NONE, ...(isWeighed && { weight_lbs: 1 }) }, by),
    };
  },

  packRest: (_site, { orders }, { a }) => {
    const order = choose(orders, (o) => o.status === "PICKED" && o.parcels.length > 0 && restOf(o) > 0, a);
    return {
      expected: !order
        ? "so_not_found"
        : order.status !== "PICKED"
          ? "so_not_picked"
          : restOf(order) > 0
            ? "ok"
            : "nothing_left_to_pack",
      change: still,
      run: (by) => packRest({ so_id: order?.so_id ?? NONE, weight_lbs: 1 }, by),
    };
  },

  voidParcel: (_site, view, { a }) => {
    const parcel = choose(parcelsOf(view), (p) => ["OPEN", "CLOSED"].includes(p.status), a);
    return {
      expected: refusal(parcel, "OPEN", "CLOSED") ?? "ok",
      change: still,
      run: (by) => voidParcel({ parcel_id: parcel?.parcel_id ?? NONE }, by),
    };
  },

  shipParcel: (_site, view, { a }) => {
    const mayLeave = (p: OfOrder) => p.order.status === "PACKED" || isPart(p);
    const parcel = choose(parcelsOf(view), (p) => p.status === "CLOSED" && mayLeave(p), a);
    return {
      expected: refusal(parcel, "CLOSED") ?? (parcel && !mayLeave(parcel) ? "so_not_packed" : "ok"),
      change: still,
      run: (by) => shipParcel({ parcel_id: parcel?.parcel_id ?? NONE, tracking_number: "1Z", carrier: "UPS" }, by),
    };
  },

  voidShipment: (_site, view, { a }) => {
    const parcel = choose(parcelsOf(view), (p) => p.status === "SHIPPED", a);
    return {
      expected: refusal(parcel, "SHIPPED") ?? "ok",
      change: still,
      run: (by) => voidParcelShipment({ parcel_id: parcel?.parcel_id ?? NONE, reason: "wrong label" }, by),
    };
  },
} satisfies Record<string, Ask>;
