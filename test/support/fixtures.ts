import { db } from "./db.js";
import { unique } from "./unique.js";

/** Small parts of a warehouse, put straight into the database; each gives its id. Names are unique by themselves. */

const id = async (text: string, values: unknown[]): Promise<number> => (await db.value<number>(text, values)) as number;

export function warehouse(): Promise<number> {
  return id("insert into warehouses (warehouse_code, warehouse_name) values ($1, $1) returning warehouse_id as id", [
    `W${unique()}`,
  ]);
}

export interface NewBin {
  type?: "Pickable" | "PickableStaging" | "Staging";
  pick_sequence?: number;
  code?: string;
  is_reserve?: boolean;
}

/** A bin in a zone of its own. */
export async function bin(
  warehouse_id: number,
  { type = "Pickable", pick_sequence = 100, code = `B${unique()}`, is_reserve = false }: NewBin = {},
) {
  const zone_id = await id(
    `insert into zones (warehouse_id, zone_code, zone_name, zone_type) values ($1, $2, $2, 'STORAGE')
      returning zone_id as id`,
    [warehouse_id, `Z${unique()}`],
  );
  const bin_id = await id(
    `insert into bins (zone_id, warehouse_id, bin_code, bin_barcode, bin_type, pick_sequence)
     values ($1, $2, $3, $3, $4, $5) returning bin_id as id`,
    [zone_id, warehouse_id, code, type, pick_sequence],
  );
  // The release before, whose database the test of upgrades fills, has no such column.
  if (is_reserve) await db.run("update bins set is_reserve = true where bin_id = $1", [bin_id]);
  return bin_id;
}

/** An item; its SKU, name and UPC follow from one word. */
export async function item(fields: { sku?: string; upc?: string | null; aliases?: string[]; weight?: string } = {}) {
  const sku = fields.sku ?? `SKU-${unique()}`;
  const upc = fields.upc === undefined ? `UPC-${sku}` : fields.upc;
  const item_id = await id(
    `insert into items (sku, item_name, upc, barcode_aliases, weight_lbs) values ($1, $2, $3, $4::jsonb, $5)
      returning item_id as id`,
    [sku, `Item ${sku}`, upc, JSON.stringify(fields.aliases ?? []), fields.weight ?? null],
  );
  return { item_id, sku, upc };
}

/** Units on hand, promised to nobody. */
export function stock(
  warehouse_id: number,
  bin_id: number,
  item_id: number,
  quantity: number,
  lot: string | null = null,
) {
  return id(
    `insert into inventory (item_id, bin_id, warehouse_id, quantity_on_hand, lot_number) values ($1, $2, $3, $4, $5)
     returning inventory_id as id`,
    [item_id, bin_id, warehouse_id, quantity, lot],
  );
}

export interface OrderedLine {
  item_id: number;
  quantity: number;
}

/** An OPEN sales order without reservations. */
export async function salesOrder(warehouse_id: number, lines: OrderedLine[], so_number = `SO-${unique()}`) {
  const so_id = await id(
    `insert into sales_orders (so_number, so_barcode, warehouse_id, customer_name, order_date)
     values ($1, $1, $2, 'Customer', current_date) returning so_id as id`,
    [so_number, warehouse_id],
  );
  await insertLines("sales_order_lines", "so_id", so_id, lines);
  return { so_id, so_number };
}

/** An OPEN purchase order. */
export async function purchaseOrder(warehouse_id: number, lines: OrderedLine[], po_number = `PO-${unique()}`) {
  const po_id = await id(
    `insert into purchase_orders (po_number, po_barcode, warehouse_id, vendor_name)
      values ($1, $1, $2, 'Vendor') returning po_id as id`,
    [po_number, warehouse_id],
  );
  await insertLines("purchase_order_lines", "po_id", po_id, lines);
  return { po_id, po_number };
}

function insertLines(table: string, key: string, order_id: number, lines: OrderedLine[]): Promise<number> {
  return db.run(
    `insert into ${table} (${key}, item_id, quantity_ordered, line_number)
     select $1, item_id, quantity, place from unnest($2::int[], $3::int[]) with ordinality as l(item_id, quantity,
       place)`,
    [order_id, lines.map((line) => line.item_id), lines.map((line) => line.quantity)],
  );
}

/** An adjustment that waits for a decision and that no count made. */
export function pendingAdjustment(warehouse_id: number, bin_id: number, item_id: number, change: number) {
  return id(
    `insert into inventory_adjustments (item_id, bin_id, warehouse_id, quantity_change, reason_code, reason_detail,
      adjusted_by)
     values ($1, $2, $3, $4, 'SHORT', 'not in its place', 'somebody') returning adjustment_id as id`,
    [item_id, bin_id, warehouse_id, change],
  );
}

/** What a stock row holds. */
export async function stockOf(inventory_id: number) {
  return (await db.row<{ on_hand: number; allocated: number }>(
    "select quantity_on_hand as on_hand, quantity_allocated as allocated from inventory where inventory_id = $1",
    [inventory_id],
  )) as { on_hand: number; allocated: number };
}

/** A SHIPPED sales order with these units shipped, as the database has it afterwards. */
export async function shippedOrder(warehouse_id: number, lines: OrderedLine[]) {
  const order = await salesOrder(warehouse_id, lines);
  await db.run(
    `with o as (
       update sales_orders set status = 'SHIPPED', picked_at = now(), packed_at = now(), shipped_at = now(),
         carrier = 'UPS', tracking_number = '1Z999' where so_id = $1
     )
     update sales_order_lines
     set quantity_allocated = quantity_ordered, quantity_picked = quantity_ordered, quantity_packed = quantity_ordered,
       quantity_shipped = quantity_ordered, status = 'SHIPPED' where so_id = $1`,
    [order.so_id],
  );
  return order;
}
