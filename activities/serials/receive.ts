import { z } from "zod";
import type { Actor } from "../../src/platform/actor.js";
import { text } from "../../src/platform/db/columns.js";
import { SerialKnown, SerialNamedTwice, SerialNotInStock } from "../../src/serials/problems.js";
import type { Tx } from "../command.js";
import { refuseItemCodes } from "./named.js";
import { lockSerialItems } from "./nameless.js";
import { stepBy, withStep } from "./steps.js";

/** A unit that comes in with a receipt. */
export interface ArrivedSerial {
  item_id: number;
  sku: string;
  serial: string;
  lot: string | null;
  receipt_id: number;
}

interface Arrival {
  po_number: string;
  warehouse_id: number;
}

/**
 * Records the serials of received units. Refused by name where one is in the house or was shipped: what was shipped
 * comes back by a return. One whose receipt was taken back may come again.
 */
export async function receiveSerials(tx: Tx, units: ArrivedSerial[], { po_number, warehouse_id }: Arrival, by: Actor) {
  if (units.length === 0) return;
  const keys = units.map(({ item_id, serial }) => `${item_id} ${serial}`);
  const twice = units.find((_, i) => keys.indexOf(keys[i] as string) < i);
  if (twice) throw SerialNamedTwice({ serial: twice.serial, sku: twice.sku });
  await refuseItemCodes(tx, units);
  const values = {
    ...stepBy(po_number, by),
    warehouse_id,
    item_ids: units.map((unit) => unit.item_id),
    serials: units.map((unit) => unit.serial),
    lots: units.map((unit) => unit.lot),
    receipt_ids: units.map((unit) => unit.receipt_id),
  };
  const [, kept] = await tx.inOrder([
    lockSerialItems(tx, [...new Set(values.item_ids)]),
    tx.run(withStep(ARRIVE, "RECEIVED"), values),
  ]);
  if (kept === units.length) return;
  const [known] = await tx.rows(Known, KNOWN, [values.item_ids, values.serials, values.receipt_ids]);
  throw SerialKnown(known as Known);
}

const ARRIVE = `
  insert into serials (item_id, serial_number, state, warehouse_id, lot_number, receipt_id)
  select item_id, serial, 'IN_STOCK', :warehouse_id, lot, receipt_id
  from unnest(:item_ids::int[], :serials::text[], :lots::text[], :receipt_ids::int[])
    as u(item_id, serial, lot, receipt_id)
  order by item_id, serial
  on conflict (item_id, serial_number) do update
    set state = 'IN_STOCK', warehouse_id = excluded.warehouse_id, lot_number = excluded.lot_number,
        receipt_id = excluded.receipt_id, updated_at = now()
    where serials.state = 'GONE'`;

const Known = z.strictObject({ serial: text, sku: text, state: text });
type Known = z.infer<typeof Known>;

/** The first of the serials that another receipt brought, or that was packed before. */
const KNOWN = `
  select serial_number as serial, sku, state
  from unnest($1::int[], $2::text[], $3::int[]) with ordinality as u(item_id, serial_number, receipt_id, place)
  join serials s using (item_id, serial_number) join items using (item_id)
  where s.receipt_id is distinct from u.receipt_id or s.state <> 'IN_STOCK' order by place limit 1`;

/** The serials that these receipts brought, an array `$1`. */
const OF_RECEIPTS = `
  select serial_id from serial_steps where kind = 'RECEIVED' and receipt_id = any(:receipt_ids::int[])`;

/**
 * Takes serials out with their receipts, which are taken back: refused by name where one is not in stock any more.
 * They may be received again.
 */
export async function unreceiveSerials(tx: Tx, receiptIds: number[], poNumber: string, by: Actor): Promise<void> {
  const values = { receipt_ids: receiptIds };
  const [, [left]] = await tx.inOrder([
    tx.run(
      withStep(
        `update serials set state = 'GONE', updated_at = now()
         where serial_id in (${OF_RECEIPTS}) and state = 'IN_STOCK'`,
        "RECEIPT_REVERSED",
      ),
      { ...values, ...stepBy(poNumber, by) },
    ),
    tx.rows(
      Known,
      `select serial_number as serial, sku, state from serials s join items using (item_id)
       where serial_id in (${OF_RECEIPTS}) and 'RECEIPT_REVERSED' <> (
         select kind from serial_steps p where p.serial_id = s.serial_id order by step_id desc limit 1)
       order by serial_number limit 1`,
      values,
    ),
  ]);
  if (left) throw SerialNotInStock(left);
}
