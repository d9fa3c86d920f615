import { z } from "zod";
import { OrderInAnotherWarehouse } from "../../src/inbound/problems.js";
import { bool, text } from "../../src/platform/db/columns.js";
import type { Tx } from "../command.js";
import type { Incoming } from "./incoming.js";

const Elsewhere = z.strictObject({
  so_number: text,
  warehouse_code: text,
  is_live: bool,
  /** The code of the warehouse that the order is now sent to. */
  here: text,
});

/**
 * The number of a shop's new order. An order belongs to one warehouse: where another warehouse that reads the same shop
 * has it, it is refused, unless the shop assigned a part of it to this one; that part has the warehouse in its number.
 */
export async function numberHere(tx: Tx, { pushKey, shop }: Incoming, number: unknown): Promise<unknown> {
  const { source_system, external_id } = pushKey;
  const [, elsewhere] = await tx.inOrder([
    tx.run("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
      JSON.stringify(["order of a shop", source_system.replace(/-\d+$/, ""), external_id]),
    ]),
    tx.rows(Elsewhere, ELSEWHERE, [source_system, external_id]),
  ]);
  const live = elsewhere.find(({ is_live }) => is_live);
  if (live && !shop?.assigned)
    throw OrderInAnotherWarehouse({ warehouse: live.warehouse_code, number: live.so_number });
  const taken = elsewhere.find(({ so_number }) => so_number === number);
  return taken ? `${number}-${taken.here}` : number;
}

const ELSEWHERE = `
  select so.so_number, w.warehouse_code, so.status not in ('CANCELLED', 'REFUNDED') as is_live,
         (select warehouse_code from warehouses h where h.warehouse_id = mine.warehouse_id) as here
  from connector_shops mine
    join connector_shops other on other.connector_name = mine.connector_name and other.shop = mine.shop
      and other.warehouse_id <> mine.warehouse_id and other.is_current
    join cross_system_mappings m on m.source_system = other.connector_name || '-' || other.warehouse_id
      and m.source_type = 'sales_order' and m.source_id = $2
    join sales_orders so on so.external_id = m.canonical_id
    join warehouses w on w.warehouse_id = so.warehouse_id
  where mine.is_current and mine.connector_name || '-' || mine.warehouse_id = $1 order by so.so_id`;
