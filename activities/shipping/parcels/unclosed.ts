import { NotInClosedParcel } from "../../../src/shipping/parcels/problems.js";
import { filledParcels, type OrderWithContent, unitsIn } from "../contents.js";

/** Throws 400 while packed units of an order that is packed in parcels are in no closed parcel. */
export function refuseUnclosed(order: OrderWithContent): void {
  const filled = filledParcels(order);
  if (filled.length === 0) return;
  const closed = filled.filter(({ status }) => status !== "OPEN");
  const count = order.lines.reduce(
    (sum, { so_line_id, quantity_packed }) => sum + quantity_packed - unitsIn(closed, so_line_id),
    0,
  );
  if (count > 0) throw NotInClosedParcel({ so_number: order.so_number, count });
}
