import type { Actor } from "../../../src/platform/actor.js";
import { arrayOf, int, text } from "../../../src/platform/db/columns.js";
import { DemoInUse, NoDemo } from "../../../src/system/demo/problems.js";
import { command, type Tx } from "../../command.js";
import { removeWhole, type Whole } from "../../remove-warehouses.js";

const Removed = { demo_id: text, warehouse_ids: arrayOf(int), item_ids: arrayOf(int) };
type Removed = Whole & { demo_id: string };
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
    await removeWhole(tx, demo, DemoInUse({ what: "records of other warehouses, or of a connector" }));
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
