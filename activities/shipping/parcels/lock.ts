import { type Actor, checkWarehouse } from "../../../src/platform/actor.js";
import { int } from "../../../src/platform/db/columns.js";
import { ParcelNotFound, ParcelWrongStatus } from "../../../src/shipping/parcels/problems.js";
import type { ParcelStatus } from "../../../src/shipping/parcels/shapes.js";
import type { Tx } from "../../command.js";
import { lockWithContent, type OrderWithContent, type PackedParcel } from "../contents.js";

const NAMED = { so_id: int, warehouse_id: int, parcel_number: int };

/**
 * Locks the order of a parcel, and with it all its parcels and lines. 404 when there is no such parcel, 409 unless it
 * is in one of these statuses.
 */
export async function lockParcel(
  tx: Tx,
  parcelId: number,
  wanted: ParcelStatus[],
  by: Actor,
): Promise<{ order: OrderWithContent; parcel: PackedParcel }> {
  const named = await tx.row(NAMED, "select so_id, warehouse_id, parcel_number from parcels where parcel_id = $1", [
    parcelId,
  ]);
  if (!named) throw ParcelNotFound();
  checkWarehouse(by, named.warehouse_id);
  const order = await lockWithContent(tx, named.so_id, by);
  const parcel = order.parcels.find(({ parcel_id }) => parcel_id === parcelId);
  refuseUnless(wanted, order, parcel ?? { ...named, status: "VOIDED" });
  return { order, parcel: parcel as PackedParcel };
}

/** Throws 409 unless a parcel is in one of these statuses. */
export function refuseUnless(
  wanted: ParcelStatus[],
  { so_number }: { so_number: string },
  { parcel_number, status }: Pick<PackedParcel, "parcel_number" | "status">,
): void {
  if (!wanted.includes(status))
    throw ParcelWrongStatus({ parcel_number, so_number, status, wanted: wanted.join(" or ") });
}
