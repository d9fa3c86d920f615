import { int, text } from "../../src/platform/db/columns.js";
import { BackorderWarehouseUnavailable } from "../../src/pos/problems.js";
import type { Sale } from "../../src/pos/shapes.js";
import type { Tx } from "../command.js";
import { failed, type SaleUnits } from "./sale-units.js";

const BackorderUnitsRow = {
  item_id: int.nullable(),
  external_id: text.nullable(),
  sku: text,
  item_name: text.nullable(),
};

/**
 * The warehouse in which a backorder waits (docs/interface.md, Tills), and the units that it waits for. No stock is
 * touched.
 */
export async function backorderUnits(tx: Tx, { lines, cashier_id }: Sale, warehouseIds: number[]): Promise<SaleUnits> {
  const [items, warehouse, cashier] = await Promise.all([
    tx.rows(
      BackorderUnitsRow,
      `select item_id, external_id, n.sku, item_name
       from unnest($1::text[]) with ordinality as n(sku, place) left join items i on i.sku = n.sku and is_active
       order by place`,
      [lines.map((line) => line.sku)],
    ),
    tx.row({ warehouse_id: int, warehouse_code: text }, WAREHOUSE, [warehouseIds]),
    tx.row({ external_id: text }, "select external_id from users where username = $1", [cashier_id]),
  ]);
  const missing = items.findIndex((item) => item.item_id === null);
  const line = lines[missing];
  if (line) throw failed(missing, line);
  if (!warehouse) throw BackorderWarehouseUnavailable();
  return {
    ...warehouse,
    item_ids: items.map((item) => item.item_id as number),
    taken: [],
    named: [],
    backorder: {
      items: items.map(({ external_id, sku, item_name }, i) => ({
        ...{ item_external_id: external_id as string, sku, item_name: item_name as string },
        qty: lines[i]?.quantity as number,
      })),
      opened_by: cashier?.external_id ?? cashier_id,
    },
  };
}

const WAREHOUSE = `
  select warehouse_id, warehouse_code
  from warehouses,
       (select coalesce((select value from app_settings where key = 'BACKORDER_WAREHOUSE_CODE'), '')) s(code)
  where is_active and warehouse_id = any($1)
    and case s.code when '' then (select count(*) from warehouses where is_active and not is_sandbox) = 1
        else warehouse_code = s.code end`;
