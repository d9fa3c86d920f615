import { groupBy } from "../../src/platform/values.js";
import { type ContentLine, filledParcels, type OrderWithContent, type PackedParcel } from "./contents.js";

/** The packages in the payloads of `pack.confirmed` and `ship.confirmed` (docs/interface.md, Events). */

/** One for each parcel; an order without parcels is one package. */
export function packagesOf(order: OrderWithContent) {
  const parcels = filledParcels(order);
  return parcels.length > 0 ? parcels.map((parcel) => packageOf(order, parcel)) : [wholeOrder(order)];
}

function wholeOrder({ external_id, lines, weight_lbs }: OrderWithContent) {
  return {
    package_external_id: `${external_id}-pkg-1`,
    weight_lb: weight_lbs || null,
    dimensions_in: null,
    lines: lines.map((line) =>
      lineOf(line, Math.max(line.quantity_packed, line.quantity_picked), line.lots, line.serial_numbers),
    ),
  };
}

/** A parcel as it was packed. */
export function packageOf({ lines }: OrderWithContent, parcel: PackedParcel) {
  const { parcel_number, box_code, length_in: length, width_in: width, height_in: height } = parcel;
  const contents = groupBy(parcel.lines, ({ so_line_id }) => so_line_id);
  return {
    package_external_id: parcel.external_id,
    weight_lb: parcel.weight_lbs,
    dimensions_in: length === null || width === null || height === null ? null : { length, width, height },
    lines: lines.flatMap((line) => {
      const units = contents.get(line.so_line_id) ?? [];
      const quantity = sum(units);
      const lots = [...groupBy(units, ({ lot_number }) => lot_number)].flatMap(([lot_number, of]) =>
        lot_number === null ? [] : [{ ...lotOf(line, lot_number), quantity: sum(of) }],
      );
      const serials = units.flatMap(({ serial_number }) => (serial_number === null ? [] : [serial_number]));
      return quantity > 0 ? [lineOf(line, quantity, lots.sort(byExpiry), serials.sort())] : [];
    }),
    parcel_number,
    ...(box_code !== null && { box_code }),
    ...(parcel.carrier !== null && { carrier: parcel.carrier }),
    ...(parcel.service !== null && { service_level: parcel.service }),
    ...(parcel.tracking_number !== null && { tracking_number: parcel.tracking_number }),
  };
}

const sum = (units: { quantity: number }[]) => units.reduce((total, { quantity }) => total + quantity, 0);

/** A lot that the packer named may be one that no pick is known to have come from. */
const lotOf = ({ lots }: ContentLine, lot_number: string) => ({
  lot_number,
  expiry_date: lots.find((lot) => lot.lot_number === lot_number)?.expiry_date ?? null,
});

type Lot = ContentLine["lots"][number];
const byExpiry = (a: Lot, b: Lot) => (a.expiry_date ?? "9999").localeCompare(b.expiry_date ?? "9999");

const lineOf = (
  { item_external_id, sku, properties }: ContentLine,
  quantity_packed: number,
  lots: ContentLine["lots"],
  serial_numbers: string[],
) => ({
  ...{ item_external_id, sku, quantity_packed },
  ...(properties.length > 0 && { properties }),
  ...(lots.length > 0 && { lots }),
  ...(serial_numbers.length > 0 && { serial_numbers }),
});
