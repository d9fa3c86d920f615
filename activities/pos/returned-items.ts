import { z } from "zod";
import type { Actor } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import {
  ReturnedItemNotOnParent,
  ReturnedItemUnknownSku,
  ReturnedQuantityExceedsRemaining,
} from "../../src/pos/problems.js";
import type { Sale } from "../../src/pos/shapes.js";
import { takeOrderId } from "../../src/returns/queries.js";
import type { Tx } from "../command.js";
import { insertReturn, nextReturnNumber, takenBackOf } from "../returns/create.js";
import type { Parent } from "./parent.js";

/**
 * Creates the return of an exchange, `<parent>-RMA`, for goods that come back by post or over the counter: at most the
 * shipped units, less those of returns that are not voided and of refunds. The caller has locked the parent.
 */
export async function returnItems(
  tx: Tx,
  parent: Parent,
  returned: NonNullable<Sale["returned_items"]>,
  by: Actor,
): Promise<{ so_id: number; so_number: string }> {
  const [items, so_id, so_number] = await Promise.all([
    tx.rows(ReturnedItem, RETURNED_ITEMS, [
      parent.so_id,
      returned.map((item) => item.sku),
      returned.map((item) => item.quantity),
    ]),
    takeOrderId(tx),
    nextReturnNumber(tx, parent),
  ]);
  for (const { sku, item_id, requested, shipped, back } of items) {
    if (item_id === null) throw ReturnedItemUnknownSku({ sku }, { sku });
    const on = { sku, parent_so_number: parent.so_number };
    if (shipped === null) throw ReturnedItemNotOnParent(on, on);
    const remaining = Math.max(0, shipped - back);
    const asked = { sku, shipped, remaining, requested };
    if (requested > remaining) throw ReturnedQuantityExceedsRemaining(asked, asked);
  }
  const rma = { so_id, so_number };
  const lines = items.map(({ item_id, requested: quantity, original_so_line_id }) => ({
    ...{ item_id: item_id as number, quantity, original_so_line_id },
  }));
  await insertReturn(tx, parent, rma, { lines, memo: null }, by);
  return rma;
}

const ReturnedItem = z.strictObject({
  sku: text,
  item_id: int.nullable(),
  requested: int,
  /** Null when the item is not on the order. */
  shipped: int.nullable(),
  /** The units of returns that are not voided, and of refunds. */
  back: int,
  /** The line of the item, where there is only one. */
  original_so_line_id: int.nullable(),
});

const RETURNED_ITEMS = `
  select r.sku, i.item_id, sum(r.units) as requested, l.shipped, l.original_so_line_id,
    coalesce((select units from (${takenBackOf("$1")}) t where t.item_id = i.item_id), 0) as back
  from unnest($2::text[], $3::int[]) with ordinality as r(sku, units, place) left join items i using (sku)
  cross join lateral (
    select sum(quantity_shipped) as shipped, case count(*) when 1 then min(so_line_id) end as original_so_line_id
    from sales_order_lines l where l.so_id = $1 and l.item_id = i.item_id) l
  group by r.sku, i.item_id, l.shipped, l.original_so_line_id order by min(r.place)`;
