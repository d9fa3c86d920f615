import type { Actor } from "../../../src/platform/actor.js";
import { arrayOf, int, text } from "../../../src/platform/db/columns.js";
import { DemoInUse, NoDemo } from "../../../src/system/demo/problems.js";
import { command, type Tx } from "../../command.js";
import { refusingReferenced } from "../../edit.js";

const Removed = { demo_id: text, warehouse_ids: arrayOf(int), item_ids: arrayOf(int) };
type Removed = { demo_id: string; warehouse_ids: number[]; item_ids: number[] };
const Code = { warehouse_code: text };

/**
 * Removes the demo whole: its warehouses with all that is in them, and its items. What is outside and depends on any of
 * it, such as an order of another warehouse, refuses this, and then nothing is removed. The audit log and the stream of
 * events only ever grow: what happened stays in them.
 */
export function removeDemo(by: Actor): Promise<{ message: string; warehouse_ids: number[] }> {
  return command("demo.remove", by, {}, async (tx) => {
    const demo = await lockDemo(tx);
    const { warehouse_ids, item_ids } = demo;
    const codes = await tx.rows(
      Code,
      "select warehouse_code from warehouses where warehouse_id = any($1) order by warehouse_id",
      [warehouse_ids],
    );
    await refuseConnected(tx, demo);
    for (const statement of REMOVED)
      await refusingReferenced(
        tx.run(statement, { warehouse_ids, item_ids }),
        DemoInUse({ what: "records of other warehouses, or of a connector" }),
      );
    await tx.run("delete from demos where demo_id = $1", [demo.demo_id]);
    const warehouse_codes = codes.map(({ warehouse_code }) => warehouse_code);
    tx.audit({
      action: "DEMO_REMOVE",
      entity: "WAREHOUSE",
      entityId: warehouse_ids[0] ?? 0,
      details: { warehouse_codes, items: item_ids.length },
    });
    return { message: `Demo removed: ${warehouse_codes.join(", ")}`, warehouse_ids };
  });
}

/** The locked demo. No user has its warehouses any more: users come first in the lock order. */
async function lockDemo(tx: Tx): Promise<Removed> {
  const [demo] = await tx.rows(Removed, "select demo_id, warehouse_ids, item_ids from demos for update", []);
  if (!demo) throw NoDemo();
  const { warehouse_ids } = demo;
  await tx.run(
    `update users
     set warehouse_ids = array(select id from unnest(warehouse_ids) with ordinality as w(id, place)
                               where id <> all($1) order by place),
         warehouse_id = (array(select id from unnest(warehouse_ids) with ordinality as w(id, place)
                               where id <> all($1) order by place))[1]
     where warehouse_ids && $1 or warehouse_id = any($1)`,
    [warehouse_ids],
  );
  await tx.run("select from warehouses where warehouse_id = any($1) order by warehouse_id for update", [warehouse_ids]);
  return demo;
}

const Reason = { what: text };

/** Refuses to remove what another system knows: nothing in the database refers to it, but the other system does. */
async function refuseConnected(tx: Tx, { warehouse_ids, item_ids }: Removed): Promise<void> {
  const reason = await tx.row(
    Reason,
    `select what from (
       select 1 as no, 'token ' || token_name as what from wms_tokens
       where status = 'active' and warehouse_ids && :warehouse_ids
       union all
       select 2, 'source link ' || source_system || ' ' || source_id from cross_system_mappings
       where canonical_id in (
         select external_id from items where item_id = any(:item_ids)
         union select external_id from sales_orders where warehouse_id = any(:warehouse_ids)
         union select external_id from purchase_orders where warehouse_id = any(:warehouse_ids))
       union all
       select 3, 'channel ' || channel_id from channel_items where item_id = any(:item_ids)
       union all
       select 4, 'label ' || tracking_number from label_purchases
       where warehouse_id = any(:warehouse_ids) and bought_at is not null and status <> 'voided'
     ) as found order by no, what limit 1`,
    { warehouse_ids, item_ids },
  );
  if (reason) throw DemoInUse(reason);
}

const HERE = "warehouse_id = any(:warehouse_ids)";

/**
 * What refers to others comes before them. What is not named here goes with what it belongs to, such as lines with
 * their order, or refuses the removal: shipments that a shop was told of, credentials of a connector, transfer orders
 * to other warehouses.
 */
const REMOVED = [
  `delete from pick_batches where ${HERE}`,
  `delete from transfer_orders
   where source_warehouse_id = any(:warehouse_ids) and destination_warehouse_id = any(:warehouse_ids)`,
  `delete from replenishments where ${HERE}`,
  `delete from label_purchases where ${HERE}`,
  `delete from parcels where ${HERE}`,
  `delete from item_receipts where ${HERE}`,
  `delete from item_fulfillments where ${HERE}`,
  `delete from carrier_collections where ${HERE}`,
  `delete from inventory_adjustments where ${HERE}`,
  `delete from cycle_counts where ${HERE}`,
  `delete from bin_transfers where ${HERE}`,
  `delete from recalls where recall_id in (
     select recall_id from recall_lots join lots using (lot_id)
     group by recall_id having bool_and(item_id = any(:item_ids)))`,
  `delete from serials where ${HERE}`,
  `delete from inspections where ${HERE}`,
  `delete from sales_order_lines where so_id in (select so_id from sales_orders where ${HERE})`,
  `delete from sales_orders where ${HERE}`,
  `delete from purchase_order_lines where po_id in (select po_id from purchase_orders where ${HERE})`,
  `delete from purchase_orders where ${HERE}`,
  `delete from inventory where ${HERE}`,
  `delete from preferred_bins where bin_id in (select bin_id from bins where ${HERE})`,
  `delete from app_settings
   where (key = 'default_receiving_bin' and value in (select bin_id::text from bins where ${HERE}))
      or (key = 'BACKORDER_WAREHOUSE_CODE' and value in (select warehouse_code from warehouses where ${HERE}))`,
  `delete from bins where ${HERE}`,
  `delete from zones where ${HERE}`,
  "delete from items where item_id = any(:item_ids)",
  `delete from warehouses where ${HERE}`,
];
