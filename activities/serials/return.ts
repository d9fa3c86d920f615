import { z } from "zod";
import type { Actor } from "../../src/platform/actor.js";
import { text } from "../../src/platform/db/columns.js";
import { SerialNotInStock, SerialNotOfOrder } from "../../src/serials/problems.js";
import type { Tx } from "../command.js";
import { serialsOf } from "./named.js";
import { stepBy, withStep } from "./steps.js";

interface ReturnedUnits {
  item_id: number;
  quantity: number;
  serial_numbers?: string[] | null | undefined;
}

interface ReturnedItem {
  sku: string;
  serial_policy: string;
}

interface ReturnOrder {
  so_id: number;
  so_number: string;
  parent_so_id: number | null;
}

/**
 * The serials of units that come back to a locked return, each of which its original order was shipped with. None where
 * that order left without serials, as before the item asked for them.
 */
export async function returningSerials(
  tx: Tx,
  { item_id, ...named }: ReturnedUnits,
  { sku, serial_policy }: ReturnedItem,
  { parent_so_id, so_number }: ReturnOrder,
): Promise<string[]> {
  if (serial_policy === "none") return serialsOf(named, { sku, serial_policy }, []);
  const shipped = await tx.rows(
    { serial_number: text },
    `select serial_number from serials where so_id = $1 and item_id = $2 and state = 'SHIPPED' order by serial_id
     for update`,
    [parent_so_id, item_id],
  );
  if (shipped.length === 0 && !named.serial_numbers?.length) return [];
  const serials = serialsOf(named, { sku, serial_policy }, [serial_policy]);
  const stranger = serials.find((serial) => shipped.every(({ serial_number }) => serial_number !== serial));
  if (stranger !== undefined) throw SerialNotOfOrder({ serial: stranger, sku, so_number });
  return serials;
}

interface Place {
  /** None of a refund at a till. */
  receipt_id: number | null;
  warehouse_id: number;
  lot: string | null;
}

/** Puts serials that `returningSerials` allowed into stock, with the receipt of the return. */
export async function returnSerials(
  tx: Tx,
  item_id: number,
  serials: string[],
  { so_id, so_number }: ReturnOrder,
  place: Place,
  by: Actor,
): Promise<void> {
  if (serials.length === 0) return;
  await tx.later.run(
    withStep(
      `update serials
       set state = 'IN_STOCK', so_id = null, so_line_id = null, fulfillment_id = null, warehouse_id = :warehouse_id,
           lot_number = :lot, receipt_id = :receipt_id::int, updated_at = now()
       where item_id = :item_id and serial_number = any(:serials::text[])`,
      "RETURNED",
      `serial_id, warehouse_id, :so_id::int as so_id, so_line_id, receipt_id, fulfillment_id`,
    ),
    { item_id, serials, so_id, ...place, ...stepBy(so_number, by) },
  );
}

const Left = z.strictObject({ serial: text, sku: text, state: text });

/** SQL: the serials that a receipt of a return brought. */
const OF_RECEIPT = "select serial_id from serial_steps where kind = 'RETURNED' and receipt_id = :receipt_id";

/**
 * Gives the serials of a return's receipt, which is taken back, to the shipment that they came from. Refused by name
 * where one left the stock since.
 */
export async function unreturnSerials(
  tx: Tx,
  receipt_id: number,
  { so_id, so_number, parent_so_id }: ReturnOrder,
  by: Actor,
): Promise<void> {
  const [, [left]] = await tx.inOrder([
    tx.run(
      withStep(
        `update serials s
         set state = 'SHIPPED', so_id = was.so_id, so_line_id = was.so_line_id, fulfillment_id = was.fulfillment_id,
             updated_at = now()
         from (select distinct on (serial_id) serial_id, so_id, so_line_id, fulfillment_id from serial_steps
               where kind = 'SHIPPED' and serial_id in (${OF_RECEIPT}) order by serial_id, step_id desc) was
         where s.serial_id = was.serial_id and s.state = 'IN_STOCK' and s.receipt_id = :receipt_id`,
        "RETURN_REVERSED",
        `s.serial_id, s.warehouse_id, :so_id::int as so_id, s.so_line_id, s.receipt_id, s.fulfillment_id`,
      ),
      { receipt_id, so_id, ...stepBy(so_number, by) },
    ),
    tx.rows(
      Left,
      `select serial_number as serial, sku, state from serials join items using (item_id)
       where serial_id in (${OF_RECEIPT}) and (state <> 'SHIPPED' or so_id is distinct from :parent_so_id)
       order by serial_number limit 1`,
      { receipt_id, parent_so_id },
    ),
  ]);
  if (left) throw SerialNotInStock(left);
}
