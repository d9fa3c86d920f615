import type { Actor } from "../../../src/platform/actor.js";
import { int, text } from "../../../src/platform/db/columns.js";
import { OverTakeOut, ParcelLineNotFound } from "../../../src/shipping/parcels/problems.js";
import type { NewParcel, PackedIntoParcel, Parcel, ParcelScan, TakeOut } from "../../../src/shipping/parcels/shapes.js";
import { command } from "../../command.js";
import { lockOrder } from "../contents.js";
import { linesToPack, packUnits, readUnits, refuseUnlessPicked } from "../pack-units.js";
import { lockParcel } from "./lock.js";
import { auditParcel, insertParcel, packAgain, parcelNow, putIn, unpack, voidThese } from "./write.js";

/** Opens a parcel of an order that is being packed (docs/parcels.md). Audit PARCEL_OPEN, no event. */
export function openParcel({ so_id, box_id = null }: NewParcel, by: Actor): Promise<Parcel> {
  return command("parcels.open", by, { so_id, box_id }, async (tx) => {
    const order = await lockOrder(tx, so_id, by);
    refuseUnlessPicked(order);
    const parcel = await parcelNow(tx, await insertParcel(tx, order, box_id));
    const { parcel_number, box_code } = parcel;
    auditParcel(tx, "PARCEL_OPEN", order, { parcel_number, ...(box_code && { box_code }) });
    return parcel;
  });
}

/** Puts scanned units into an open parcel, and counts them as packed as `verifyItem` does. */
export function scanIntoParcel(input: ParcelScan & { parcel_id: number }, by: Actor): Promise<PackedIntoParcel> {
  return command("parcels.scan", by, input, async (tx) => {
    const { parcel_id, ...scanned } = input;
    const { order } = await lockParcel(tx, parcel_id, ["OPEN"], by);
    const asked = readUnits({ ...scanned, so_id: order.so_id, intoParcel: true });
    const { units, answer } = await packUnits(tx, order, await linesToPack(tx, asked), asked, by);
    await putIn(tx.later, parcel_id, units);
    return { ...answer, parcel: await parcelNow(tx, parcel_id) };
  });
}

const LineInParcel = {
  ...{ so_line_id: int, quantity: int, sku: text, serial_number: text.nullable(), lot_number: text.nullable() },
};

/** Takes units out of an open parcel; they are packed no more. Audit PARCEL_TAKE_OUT, no event. */
export function takeOut(input: TakeOut & { parcel_id: number }, by: Actor): Promise<Parcel> {
  return command("parcels.takeOut", by, input, async (tx) => {
    const { parcel_id, parcel_line_id } = input;
    const { order, parcel } = await lockParcel(tx, parcel_id, ["OPEN"], by);
    refuseUnlessPicked(order);
    const line = await tx.row(
      LineInParcel,
      `select so_line_id, quantity, sku, serial_number, lot_number from parcel_lines join items using (item_id)
       where parcel_id = $1 and parcel_line_id = $2`,
      [parcel_id, parcel_line_id],
    );
    if (!line) throw ParcelLineNotFound();
    const { sku, quantity: there, lot_number, serial_number } = line;
    const quantity = input.quantity ?? there;
    if (quantity > there) throw OverTakeOut({ sku, there, quantity });
    if (quantity === there) tx.later.run("delete from parcel_lines where parcel_line_id = $1", [parcel_line_id]);
    else
      tx.later.run("update parcel_lines set quantity = quantity - $2 where parcel_line_id = $1", [
        ...[parcel_line_id, quantity],
      ]);
    tx.later.run("update parcels set updated_at = now() where parcel_id = $1", [parcel_id]);
    await unpack(tx.later, order, [{ ...line, quantity }], by);
    auditParcel(tx, "PARCEL_TAKE_OUT", order, {
      ...{ parcel_number: parcel.parcel_number, sku, quantity },
      ...(lot_number && { lot_number }),
      ...(serial_number && { serial_number }),
    });
    return parcelNow(tx, parcel_id);
  });
}

/**
 * Voids a parcel that has not left: what was in it is packed no more. An order that was PACKED is to be packed again.
 * Audit PARCEL_VOID, no event.
 */
export function voidParcel(input: { parcel_id: number; reason?: string | null }, by: Actor): Promise<Parcel> {
  return command("parcels.void", by, input, async (tx) => {
    const { parcel_id, reason = null } = input;
    const { order, parcel } = await lockParcel(tx, parcel_id, ["OPEN", "CLOSED"], by);
    await unpack(tx.later, order, parcel.lines, by);
    await voidThese(tx.later, [parcel_id], reason, by);
    packAgain(tx, order);
    const quantity = parcel.lines.reduce((sum, line) => sum + line.quantity, 0);
    auditParcel(tx, "PARCEL_VOID", order, { parcel_number: parcel.parcel_number, quantity, reason });
    return parcelNow(tx, parcel_id);
  });
}
