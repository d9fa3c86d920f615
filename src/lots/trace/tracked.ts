import { z } from "zod";
import { int, text, time } from "../../platform/db/columns.js";
import { dayAt, zoneOfJoined } from "../../platform/db/days.js";
import { db } from "../../platform/db/db.js";
import { CUSTOMER_ADDRESS } from "../../sales-orders/addresses.js";
import type { Lot } from "../shapes.js";
import { crossingRows, destroyedRows, Place, stepRows, stepsOf } from "./steps.js";

/** What happened to units of a lot, with all that others ask of it: between whom, where, and by which document. */
export const TrackedStep = z.strictObject({
  ...Place.shape,
  kind: z.enum(["receipt", "return", "move", "pick", "sale", "destruction"]),
  ...{ at: time, day: text, quantity: int, username: text.nullable() },
  /** The bin: as events name it, and its code. */
  ...{ bin_external_id: text.nullable(), bin_code: text.nullable() },
  ...{ warehouse_code: text, warehouse_name: text, warehouse_address: text.nullable() },
  /** Of a movement: the bin that the units went to. */
  ...{ to_bin_external_id: text.nullable(), to_bin_code: text.nullable() },
  ...{ to_warehouse_code: text.nullable(), to_warehouse_name: text.nullable(), to_warehouse_address: text.nullable() },
  /** The vendor or the customer. */
  ...{ party_external_id: text.nullable(), party_name: text.nullable() },
  ...{ party_phone: text.nullable(), party_address: text.nullable() },
  /** The order, return or movement. */
  ...{ document_external_id: text.nullable(), document_number: text.nullable() },
  /** Of what was picked: the shipment that stands. */
  ...{ shipped_at: time.nullable(), shipped_on: text.nullable(), shipment_external_id: text.nullable() },
  ...{ carrier: text.nullable(), tracking_number: text.nullable() },
});
export type TrackedStep = z.infer<typeof TrackedStep>;

const NOTHING: Record<string, string> = {
  ...Object.fromEntries(
    Object.keys(TrackedStep.shape)
      .filter((name) => !(name in Place.shape))
      .map((name) => [name, "null"]),
  ),
  shipped_at: "null::timestamptz",
};

const dayOf = (moment: string, warehouse: string) => `${dayAt(moment, zoneOfJoined(`${warehouse}.timezone`))}::text`;

const when = (moment: string) => ({ at: moment, day: dayOf(moment, "w") });
const shipped = (moment: string) => ({ shipped_at: moment, shipped_on: dayOf(moment, "w") });
const BIN = { bin_external_id: "b.external_id", bin_code: "b.bin_code" };
const WAREHOUSE = {
  ...{ warehouse_code: "w.warehouse_code", warehouse_name: "w.warehouse_name", warehouse_address: "w.address" },
};
const ORDER = {
  ...{ party_name: "so.customer_name", party_phone: "so.customer_phone", party_address: CUSTOMER_ADDRESS },
  ...{ document_external_id: "so.external_id", document_number: "so.so_number" },
};

const VENDOR = "left join vendors vendor on vendor.canonical_id::text = po.vendor_id";

const statement = (rows: string, columns: Record<string, string>) => stepsOf(rows, { ...NOTHING, ...columns });

const receipts = statement(`${stepRows.receipt} ${VENDOR}`, {
  ...{ kind: "case when r.po_id is null then 'return' else 'receipt' end", quantity: "r.quantity_received" },
  ...{ ...when("r.received_at"), ...BIN, ...WAREHOUSE, username: "r.received_by" },
  party_external_id: "vendor.external_id",
  party_name: "coalesce(vendor.vendor_name, po.vendor_name, so.customer_name)",
  party_phone: "coalesce(vendor.phone, so.customer_phone)",
  party_address: `coalesce(vendor.billing_address, ${CUSTOMER_ADDRESS})`,
  document_external_id: "coalesce(po.external_id, so.external_id)",
  document_number: "coalesce(po.po_number, so.so_number)",
});
const picks = statement(stepRows.pick, {
  ...{ kind: "'pick'", quantity: "k.quantity", ...when("coalesce(p.picked_at, p.created_at)"), ...BIN, ...WAREHOUSE },
  ...{ username: "p.picked_by", ...ORDER, ...shipped("f.shipped_at"), shipment_external_id: "f.external_id" },
  ...{ carrier: "f.carrier", tracking_number: "f.tracking_number" },
});
const sales = statement(stepRows.sale, {
  ...{ kind: "'sale'", quantity: "u.quantity", ...when("so.created_at"), bin_code: "u.bin_code", ...WAREHOUSE },
  ...{ username: "so.created_by", ...ORDER, ...shipped("so.shipped_at") },
});
const movesIn = (rows: string) =>
  statement(rows, {
    ...{ kind: "'move'", quantity: "m.quantity", ...when("m.transferred_at"), ...BIN, ...WAREHOUSE },
    ...{ to_bin_external_id: "t.external_id", to_bin_code: "t.bin_code", to_warehouse_code: "o.warehouse_code" },
    ...{ to_warehouse_name: "o.warehouse_name", to_warehouse_address: "o.address", username: "m.transferred_by" },
    ...{ document_external_id: "m.external_id", document_number: "m.transfer_id::text" },
  });
const destructions = statement(destroyedRows, {
  ...{ kind: "'destruction'", quantity: "k.quantity", ...when("a.adjusted_at"), ...BIN, ...WAREHOUSE },
  ...{ username: "a.adjusted_by", document_external_id: "a.external_id", document_number: "a.adjustment_id::text" },
});

/** How a lot came into a warehouse, and how it left one. */
export const COMING_AND_GOING = [receipts, movesIn(crossingRows), picks, sales];
/** All that happened to it. */
export const WHOLE_LIFE = [receipts, movesIn(stepRows.move), picks, sales, destructions];

const LotSource = z.strictObject({ name: text.nullable(), phone: text.nullable(), address: text.nullable() });

/** Who gave the lot its number: its attribute `tlc_source`, else the vendor that it first came from, if known. */
export async function sourceOf({ item_id, lot_number, attributes }: Lot): Promise<z.infer<typeof LotSource>> {
  const named = attributes.tlc_source;
  if (named) return { name: named, phone: null, address: null };
  const first = await db.row(
    LotSource,
    `select coalesce(vendor.vendor_name, po.vendor_name) as name, vendor.phone, vendor.billing_address as address
     from item_receipts r join purchase_orders po using (po_id) ${VENDOR}
     where r.item_id = $1 and r.lot_number = $2 order by receipt_id limit 1`,
    [item_id, lot_number],
  );
  return first ?? { name: null, phone: null, address: null };
}
