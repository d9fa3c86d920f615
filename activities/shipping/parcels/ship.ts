import type { z } from "zod";
import { refuseSilentShortfall } from "../../../src/picking/shortfall.js";
import type { Actor } from "../../../src/platform/actor.js";
import { liveReturnsOf } from "../../../src/returns/queries.js";
import { HasReturns } from "../../../src/sales-orders/action-problems.js";
import { TrackingRequired } from "../../../src/sales-orders/problems.js";
import { carrierOf, isPickup } from "../../../src/shipping/carrier.js";
import { refuseUnshippable } from "../../../src/shipping/guard.js";
import { NoClosedParcel, ParcelNotFound } from "../../../src/shipping/parcels/problems.js";
import type {
  Parcel,
  ParcelCarriage,
  ParcelsToShip,
  ShipmentVoiding,
  ShippedParcels,
} from "../../../src/shipping/parcels/shapes.js";
import { Voided } from "../../../src/station/shapes.js";
import { command, type Tx } from "../../command.js";
import type { Carriage } from "../carriage.js";
import { lockWithContent, type OrderWithContent, type PackedParcel } from "../contents.js";
import { voidFulfilment } from "../void-shipment.js";
import { type Leaving, shipParcels, unitsLeft } from "./leave.js";
import { lockParcel, refuseUnless } from "./lock.js";
import { parcelNow } from "./write.js";

/** Ships a closed parcel; the rest of its order stays to be packed and shipped (docs/parcels.md). */
export function shipParcel(input: ParcelCarriage & { parcel_id: number }, by: Actor): Promise<ShippedParcels> {
  return command("parcels.ship", by, input, async (tx) => {
    const { parcel_id, ...carriage } = input;
    const { order, parcel } = await lockParcel(tx, parcel_id, ["CLOSED"], by);
    return ship(tx, order, [leaving(order, parcel, carriage)], by);
  });
}

/** Ships the named parcels of an order, else all that are closed, all of them or none. */
export function shipParcelsOf({ so_id, parcels: named }: ParcelsToShip, by: Actor): Promise<ShippedParcels> {
  return command("parcels.shipAll", by, { so_id, parcels: named }, async (tx) => {
    const order = await lockWithContent(tx, so_id, by);
    const { parcels, so_number } = order;
    if (named && new Set(named.map(({ parcel_id }) => parcel_id)).size < named.length) throw ParcelNotFound();
    const wanted = named
      ? named.map(({ parcel_id, ...carriage }) => {
          const parcel = parcels.find((one) => one.parcel_id === parcel_id);
          if (!parcel) throw ParcelNotFound();
          refuseUnless(["CLOSED"], order, parcel);
          return leaving(order, parcel, carriage);
        })
      : parcels.filter(({ status }) => status === "CLOSED").map((parcel) => leaving(order, parcel, {}));
    if (wanted.length === 0) throw NoClosedParcel({ so_number });
    return ship(tx, order, wanted, by);
  });
}

const Newest = { pre_ship_status: Voided.shape.status };

/**
 * Voids the shipment of a parcel, which is closed again: exactly its units are as they were before it left. A SHIPPED
 * order is as it was before its last parcel left. Audit SHIP_VOID, `ship.voided`.
 */
export function voidParcelShipment(input: ShipmentVoiding & { parcel_id: number }, by: Actor): Promise<Parcel> {
  return command("parcels.voidShipment", by, input, async (tx) => {
    const { parcel_id, reason } = input;
    const { order, parcel } = await lockParcel(tx, parcel_id, ["SHIPPED"], by);
    const { so_id, so_number } = order;
    const [newest, returns] = await Promise.all([
      tx.row(
        Newest,
        `select pre_ship_status from item_fulfillments where so_id = $1 and status = 'SHIPPED'
         order by fulfillment_id desc limit 1`,
        [so_id],
      ),
      liveReturnsOf(tx, so_id),
    ]);
    if (returns.length > 0) throw HasReturns({ so_number, returns: returns.join(", ") }, { returns });
    const target = order.status === "SHIPPED" ? newest?.pre_ship_status : order.status;
    const fulfillment_id = parcel.fulfillment_id as number;
    const voided = { fulfillment_id, parcel, reason, target: target as z.infer<typeof Voided>["status"] };
    await voidFulfilment(tx, order, voided, by);
    return parcelNow(tx, parcel_id);
  });
}

function leaving(order: OrderWithContent, parcel: PackedParcel, given: ParcelCarriage): Leaving {
  const ship_method = given.ship_method || parcel.service || order.ship_method;
  const tracking_number = given.tracking_number ?? parcel.tracking_number;
  if (!tracking_number && !isPickup(ship_method)) throw TrackingRequired();
  const carriage: Carriage = {
    ...{ tracking_number, ship_method },
    carrier: given.carrier ?? parcel.carrier ?? carrierOf(ship_method),
  };
  return { parcel, carriage };
}

async function ship(tx: Tx, order: OrderWithContent, wanted: Leaving[], by: Actor): Promise<ShippedParcels> {
  const { so_number, status } = order;
  const units_left = unitsLeft(
    order,
    wanted.map(({ parcel }) => parcel),
  );
  await refuseUnshippable(tx, order, units_left > 0);
  await refuseSilentShortfall(tx, order);
  const left = await shipParcels(tx, order, wanted, by);
  return {
    message: units_left === 0 ? `${so_number} is shipped` : `${left.length} parcel(s) of ${so_number} shipped`,
    ...{ so_number, so_status: units_left === 0 ? "SHIPPED" : status, units_left },
    parcels: left.map(({ parcel: { parcel_id, parcel_number }, carriage, ...fulfillment }) => {
      const { tracking_number, carrier, ship_method } = carriage;
      return { parcel_id, parcel_number, tracking_number, carrier, ship_method, ...fulfillment };
    }),
  };
}
