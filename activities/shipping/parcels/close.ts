import type { Actor } from "../../../src/platform/actor.js";
import { int, text } from "../../../src/platform/db/columns.js";
import { PICKED_LOTS } from "../../../src/sales-orders/picked-lots.js";
import { SerialRequired } from "../../../src/serials/problems.js";
import { BoxNotFound } from "../../../src/shipping/boxes/problems.js";
import { BoxMeasures, closureOf, MEASURES, Measured, WEIGHT } from "../../../src/shipping/parcels/closure.js";
import { NothingLeftToPack, ParcelEmpty, ParcelLabelled } from "../../../src/shipping/parcels/problems.js";
import { IN_NO_PARCEL, restByLot } from "../../../src/shipping/parcels/rest.js";
import type { Closing, Parcel, RestOfOrder } from "../../../src/shipping/parcels/shapes.js";
import { command, type Tx } from "../../command.js";
import { packLine } from "../../stock/line-counters.js";
import { lockOrder, type Order } from "../contents.js";
import { IN_PARCELS, LineToPack, newlyPacked, type PackedUnits, refuseUnlessPicked } from "../pack-units.js";
import { lockParcel } from "./lock.js";
import { auditParcel, insertParcel, packAgain, parcelNow, putIn } from "./write.js";

/** Closes a parcel with its weight, as it was measured or as its contents have it. Audit PARCEL_CLOSE, no event. */
export function closeParcel(input: Closing & { parcel_id: number }, by: Actor): Promise<Parcel> {
  return command("parcels.close", by, input, async (tx) => {
    const { order, parcel } = await lockParcel(tx, input.parcel_id, ["OPEN"], by);
    refuseUnlessPicked(order);
    const { parcel_number } = parcel;
    if (parcel.lines.length === 0) throw ParcelEmpty({ parcel_number, so_number: order.so_number });
    return close(tx, order, input, by);
  });
}

/**
 * Packs all that is in no parcel yet into one more, and closes it. Units of items that are packed by serial number must
 * be packed before. Audit PARCEL_CLOSE, no event.
 */
export function packRest({ so_id, ...closing }: RestOfOrder, by: Actor): Promise<Parcel> {
  return command("parcels.packRest", by, { so_id, ...closing }, async (tx) => {
    const [order, lines, loose] = await tx.inOrder([
      lockOrder(tx, so_id, by),
      tx.rows(LineToPack, LINES, [so_id]),
      tx.rows(LooseSerial, LOOSE_SERIALS, [so_id]),
    ]);
    refuseUnlessPicked(order);
    const units = lines.flatMap((line) => restOf(line, loose));
    if (units.length === 0) throw NothingLeftToPack({ so_number: order.so_number });
    const parcel_id = await insertParcel(tx, order, closing.box_id ?? null);
    for (const line of lines) {
      const packed = newlyPacked(line, unitsOf(units, line));
      if (packed > 0) await packLine(tx.later, line.so_line_id, packed);
    }
    await putIn(tx.later, parcel_id, units);
    return close(tx, order, { ...closing, parcel_id }, by);
  });
}

/**
 * Opens a closed parcel again. An order that was PACKED is to be packed again. 409 `parcel_labelled` as long as it has
 * a carrier's label, which is of its weight. Audit PARCEL_REOPEN, no event.
 */
export function reopenParcel(parcel_id: number, by: Actor): Promise<Parcel> {
  return command("parcels.reopen", by, { parcel_id }, async (tx) => {
    const { order, parcel } = await lockParcel(tx, parcel_id, ["CLOSED"], by);
    // Who buys a label locks the parcel, too.
    await tx.run("select from parcels where parcel_id = $1 for update", [parcel_id]);
    const label = await tx.row(
      {},
      "select from label_purchases where parcel_id = $1 and status in ('pending', 'bought', 'voiding')",
      [parcel_id],
    );
    const { parcel_number } = parcel;
    if (label) throw ParcelLabelled({ parcel_number, so_number: order.so_number });
    tx.later.run(
      `update parcels set status = 'OPEN', closed_at = null, closed_by = null, updated_at = now()
       where parcel_id = $1`,
      [parcel_id],
    );
    packAgain(tx, order);
    auditParcel(tx, "PARCEL_REOPEN", order, { parcel_number });
    return parcelNow(tx, parcel_id);
  });
}

const LINES = `
  select so_line_id, item_id, sku, item_name, quantity_picked, quantity_packed, serial_policy, ${PICKED_LOTS} as lots,
         ${IN_PARCELS} as in_parcels
  from sales_order_lines l join items i using (item_id)
  where so_id = $1 and quantity_picked > 0 order by line_number, so_line_id`;

const LooseSerial = { so_line_id: int, serial_number: text, lot_number: text.nullable() };
type LooseSerial = { so_line_id: number; serial_number: string; lot_number: string | null };

/** The serials that are packed for an order in no parcel. */
const LOOSE_SERIALS = `
  select so_line_id, serial_number, lot_number from serials s
  where so_id = $1 and so_line_id is not null and state = 'PACKED' and ${IN_NO_PARCEL}
  order by serial_id`;

/** What of a line is in no parcel. */
function restOf(line: LineToPack, loose: LooseSerial[]): PackedUnits[] {
  const { so_line_id, item_id, sku, serial_policy } = line;
  const unit = { so_line_id, item_id };
  const rest = restByLot(line);
  if (serial_policy === "none") return rest.map((one) => ({ ...unit, ...one, serial_number: null }));
  const named = loose.filter((one) => one.so_line_id === so_line_id);
  if (named.length < rest.reduce((sum, { quantity }) => sum + quantity, 0)) throw SerialRequired({ sku });
  return named.map(({ serial_number, lot_number }) => ({ ...unit, lot_number, serial_number, quantity: 1 }));
}

const unitsOf = (units: PackedUnits[], { so_line_id }: LineToPack) =>
  units.filter((one) => one.so_line_id === so_line_id).reduce((sum, { quantity }) => sum + quantity, 0);

const CONTENTS = `
  select i.sku, sum(l.quantity) as quantity, ${WEIGHT("i.weight_lbs")} as weight, ${MEASURES("i")}
  from parcel_lines l join items i using (item_id) where parcel_id = $1 group by i.item_id order by i.sku`;

/** The box that is named now, else the one that the parcel was opened with. */
const BOX_OF_PARCEL = `
  select box_id, box_code, ${MEASURES("b")}, (tare_lbs * 10000)::int8 as tare, ${WEIGHT("max_weight_lbs")} as most
  from boxes b
  where box_id = coalesce($2, (select box_id from parcels where parcel_id = $1)) and ($2::int is null or is_active)`;

async function close(tx: Tx, order: Order, input: Closing & { parcel_id: number }, by: Actor): Promise<Parcel> {
  const { parcel_id, box_id = null, ...said } = input;
  const [contents, box] = await Promise.all([
    tx.rows(Measured, CONTENTS, [parcel_id]),
    tx.row(BoxMeasures, BOX_OF_PARCEL, [parcel_id, box_id]),
  ]);
  if (box_id !== null && !box) throw BoxNotFound();
  const closure = closureOf(contents, box, said);
  tx.later.run(
    `update parcels
     set status = 'CLOSED', box_id = :box_id, length_in = :length_in, width_in = :width_in, height_in = :height_in,
         weight_lbs = :weight_lbs, closed_at = now(), closed_by = :username, updated_at = now()
     where parcel_id = :parcel_id`,
    { ...closure, parcel_id, box_id: box?.box_id ?? null, username: by.username },
  );
  const parcel = await parcelNow(tx, parcel_id);
  const { parcel_number, box_code, weight_lbs, total_quantity } = parcel;
  auditParcel(tx, "PARCEL_CLOSE", order, {
    ...{ parcel_number, quantity: total_quantity, weight_lbs },
    ...(box_code && { box_code }),
    weighed: said.weight_lbs !== undefined,
  });
  return parcel;
}
