import { int } from "../../src/platform/db/columns.js";
import { addressColumns } from "../../src/sales-orders/addresses.js";
import { PARTS } from "../../src/sales-orders/holds.js";
import type { Tx } from "../command.js";
import { releaseTooOld } from "../sales-orders/too-old.js";
import type { Incoming } from "./incoming.js";
import { updateRow, type Values } from "./records.js";

/** Columns that this service fills itself: a null from the source leaves them as they are. */
const filledByService = ["so_barcode", "source_system", "order_date"];

/** The columns that the parts of an order inherit from it until they get values of their own. */
const shared = [
  ...["customer_name", "customer_id", "customer_phone", "customer_email", "customer_address"],
  ...["ship_method", "ship_address", "ship_by_date", "min_days_at_shipping", "priority"],
  ...addressColumns,
];

/** Writes columns of a locked order; its parts that are not shipped get the inherited ones. */
export async function updateParts(tx: Tx, incoming: Incoming, soId: number, values: Values): Promise<void> {
  for (const column of filledByService) if (values[column] === null) delete values[column];
  const columns = shared.filter((column) => column in values);
  const daysDiffer =
    "min_days_at_shipping" in values &&
    (await tx.row(
      { so_id: int },
      "select so_id from sales_orders where so_id = $1 and min_days_at_shipping is distinct from $2",
      [soId, values.min_days_at_shipping],
    ));
  const parts = columns.length > 0 ? await updateOpenParts(tx, soId, columns, values) : [];
  const noted: Record<string, string> = Object.keys(values).length > 0 ? { updated_at: "clock_timestamp()" } : {};
  await updateRow(tx, incoming, values, noted);
  if (daysDiffer) await releaseTooOld(tx, [soId, ...parts]);
}

/** Returns the parts that were changed. */
async function updateOpenParts(tx: Tx, soId: number, columns: string[], values: Values): Promise<number[]> {
  const taken = columns.map(
    (name) => `case when part.${name} is not distinct from so.${name} then new.${name} else part.${name} end`,
  );
  const of = (row: string) => columns.map((name) => `${row}.${name}`);
  const rows = await tx.rows(
    { so_id: int },
    `with recursive parts as (
       select so_id from sales_orders where parent_so_id = $1 and order_type in ${PARTS}
       union
       select c.so_id from parts join sales_orders c on c.parent_so_id = parts.so_id and c.order_type in ${PARTS}
     )
     update sales_orders part set updated_at = clock_timestamp(), (${columns}) = row(${taken})
     from sales_orders so, jsonb_populate_record(null::sales_orders, $2) new
     where so.so_id = $1 and part.so_id in (select so_id from parts)
       and part.status not in ('SHIPPED', 'CANCELLED', 'REFUNDED') and (${of("so")}) is distinct from (${of("new")})
     returning part.so_id`,
    [soId, JSON.stringify(values)],
  );
  return rows.map((part) => part.so_id);
}
