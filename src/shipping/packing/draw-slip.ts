import { addressLines } from "../../platform/address/lines.js";
import { drawing } from "../../platform/labels/drawing.js";
import { Pages, type PrintedColumn } from "../../platform/labels/pages.js";
import { detailsOf } from "../../sales-orders/printed-line.js";
import type { PackingSlip, SlipLine } from "./slip.js";

const ordered = ["Ordered", "quantity_ordered"] as const;
const counts = [ordered, ["Packed", "quantity_packed"], ["Shipped", "quantity_shipped"]] as const;
/** For a parcel, and an order that is being packed: the contents that the parcel has, or will have. */
const countsAtBench = [ordered, ["Enclosed", "quantity_enclosed"]] as const;

/** The pages of packing slips. Those of each are laid out first, since each says how many there are. */
export const slipPages = drawing(import.meta.url, "slipPages", (slips: PackingSlip[], newSheet) =>
  slips.flatMap((slip) => {
    const { so_number, company_name, company_address, barcode, ship_to, bill_to, lines, returns_text } = slip;
    const shown: readonly (readonly [string, keyof SlipLine])[] =
      slip.parcel || slip.shipped_on === null ? countsAtBench : counts;
    const columns: PrintedColumn[] = [
      { title: "Item", left: 0, right: 0.6 },
      ...shown.map(([title], i) => ({ title, ...at(i), align: "right" as const })),
    ];
    const pages = new Pages(newSheet, so_number, `Packing slip of order ${so_number}`, columns);
    pages.head({ title: "Packing slip", company_name, company_address, barcode, facts: factsOf(slip) });
    pages.blocks([
      { title: "Ship to", lines: addressLines(ship_to), left: 0, right: 0.49 },
      { title: "Bill to", lines: bill_to ? addressLines(bill_to) : [], left: 0.51, right: 1 },
    ]);
    pages.tableHead();
    for (const line of lines)
      pages.row(
        line,
        shown.map(([, count]) => String(line[count])),
        detailsOf(line),
      );
    pages.end(returns_text);
    return pages.finished();
  }),
);

const factsOf = (slip: PackingSlip): [string, string | null][] => [
  ["Order", slip.so_number],
  ["Parcel", slip.parcel && `${slip.parcel.place} of ${slip.parcel.of}`],
  ["Ordered on", slip.order_date],
  ["Shipped on", slip.shipped_on],
  ["Ship method", slip.ship_method],
  ["Carrier", slip.carrier],
  ["Tracking", slip.tracking_number],
];

/** The fractions of the width between which a count is printed. */
const at = (i: number) => ({ left: 0.62 + i * 0.13, right: 0.74 + i * 0.13 });
