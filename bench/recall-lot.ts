import { db, transaction } from "../src/platform/db/db.js";

/** A lot for bench/recall.ts, as the service would have written its life. */

const BINS = 1_000;
const MOVES = 1_000_000;
export const SHIPMENTS = 100_000;
/** Units that are left in the bins. */
const LEFT = 20 * BINS;

const AT = "now() - n * interval '1 minute'";

const ROWS = [
  "insert into warehouses (warehouse_id, warehouse_code, warehouse_name, address) values (1, 'W', 'W', 'Way 1')",
  "insert into zones (zone_id, warehouse_id, zone_code, zone_name, zone_type) values (1, 1, 'Z', 'Z', 'STORAGE')",
  `insert into bins (bin_id, zone_id, warehouse_id, bin_code, bin_barcode, bin_type, pick_sequence)
   select n, 1, 1, 'B-' || n, 'B-' || n, 'Pickable', n from generate_series(1, ${BINS}) n`,
  "insert into items (item_id, sku, item_name, upc) values (1, 'JAM', 'Jam', '4006381333931')",
  "insert into lots (lot_id, item_id, lot_number, expiry_date) values (1, 1, 'L-7', '2040-01-31')",
  `insert into inventory (inventory_id, item_id, bin_id, warehouse_id, quantity_on_hand, lot_number, expiry_date)
   select n, 1, n, 1, ${LEFT / BINS}, 'L-7', '2040-01-31' from generate_series(1, ${BINS}) n`,
  `insert into purchase_orders (po_id, po_number, po_barcode, vendor_name, status, warehouse_id)
   values (1, 'PO-1', 'PO-1', 'Orchard', 'RECEIVED', 1)`,
  `insert into purchase_order_lines (po_line_id, po_id, item_id, quantity_ordered, quantity_received, status)
   values (1, 1, 1, ${SHIPMENTS + LEFT}, ${SHIPMENTS + LEFT}, 'RECEIVED')`,
  `insert into item_receipts (po_id, po_line_id, item_id, quantity_received, bin_id, warehouse_id, lot_number,
     received_by)
   select 1, 1, 1, ${(SHIPMENTS + LEFT) / 100}, 1, 1, 'L-7', 'rita' from generate_series(1, 100)`,
  `insert into bin_transfers (item_id, from_bin_id, to_bin_id, warehouse_id, quantity, transfer_type, lot_number,
     transferred_by, transferred_at)
   select 1, 1 + n % ${BINS}, 1 + (n + 1) % ${BINS}, 1, 1, 'MOVE', 'L-7', 'rita', ${AT}
   from generate_series(1, ${MOVES}) n`,
  `insert into sales_orders (so_id, so_number, so_barcode, customer_name, customer_phone, status, warehouse_id,
     ship_address, created_at, picked_at, packed_at, shipped_at)
   select n, 'SO-' || n, 'SO-' || n, 'Customer ' || n, '030 ' || n, 'SHIPPED', 1, 'Lane ' || n, ${AT}, ${AT}, ${AT},
     ${AT} from generate_series(1, ${SHIPMENTS}) n`,
  `insert into sales_order_lines (so_line_id, so_id, item_id, quantity_ordered, quantity_allocated, quantity_picked,
     quantity_packed, quantity_shipped, status)
   select n, n, 1, 1, 1, 1, 1, 1, 'SHIPPED' from generate_series(1, ${SHIPMENTS}) n`,
  `insert into pick_batches (batch_id, batch_number, warehouse_id, status, total_orders, total_items)
   select n, 'WAVE-' || n, 1, 'COMPLETED', 20, 20 from generate_series(1, ${SHIPMENTS / 20}) n`,
  `insert into pick_batch_orders (batch_id, so_id, active)
   select ceil(n / 20.0), n, false from generate_series(1, ${SHIPMENTS}) n`,
  `insert into pick_tasks (pick_task_id, batch_id, so_id, so_line_id, inventory_id, item_id, bin_id, quantity_to_pick,
     quantity_picked, status, picked_by, picked_at)
   select n, ceil(n / 20.0), n, n, 1 + n % ${BINS}, 1, 1 + n % ${BINS}, 1, 1, 'PICKED', 'rita', ${AT}
   from generate_series(1, ${SHIPMENTS}) n`,
  `insert into wave_pick_breakdown (pick_task_id, so_id, so_line_id, quantity, quantity_picked)
   select n, n, n, 1, 1 from generate_series(1, ${SHIPMENTS}) n`,
  `insert into item_fulfillments (fulfillment_id, so_id, warehouse_id, tracking_number, carrier, shipped_by, shipped_at)
   select n, n, 1, '1Z' || n, 'UPS', 'rita', ${AT} from generate_series(1, ${SHIPMENTS}) n`,
  `insert into item_fulfillment_lines (fulfillment_id, so_line_id, item_id, quantity_shipped, bin_id, lot_number)
   select n, n, 1, 1, 1 + n % ${BINS}, 'L-7' from generate_series(1, ${SHIPMENTS}) n`,
];

/** Fills an empty house with a lot in a thousand bins, after a million movements and a hundred thousand shipments. */
export async function fillLot(): Promise<void> {
  await transaction(async (tx) => {
    await tx.run("set local session_replication_role = replica");
    for (const rows of ROWS) await tx.run(rows);
  });
  await db.run("vacuum analyze");
}
