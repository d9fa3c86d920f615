import { CollectionEmpty } from "../../../src/carriers/collections/problems.js";
import { collectionById, contentsOfCollection } from "../../../src/carriers/collections/queries.js";
import type { CollectedParcel, Collection, HandedOver, HandOver } from "../../../src/carriers/collections/shapes.js";
import type { Actor } from "../../../src/platform/actor.js";
import { int, text } from "../../../src/platform/db/columns.js";
import { ofSalesOrder } from "../../../src/platform/events/outbox.js";
import { groupBy } from "../../../src/platform/values.js";
import { command, type Tx } from "../../command.js";
import { entityOf, nextCollection } from "../begin-collection.js";
import { askForManifest } from "./close.js";
import { lockUnderWay } from "./lock.js";

/**
 * A collection leaves with the carrier. Where parcels are scanned, what was not loaded goes with the next one; one that
 * is still open is closed, and its manifest has what was loaded. What was loaded after its manifest gets a further one.
 */
export function handOver(input: HandOver & { collection_id: number }, by: Actor): Promise<HandedOver> {
  return command("carriers.handOver", by, input, async (tx) => {
    const { collection_id, driver_name, signature } = input;
    const collection = await lockUnderWay(tx, collection_id, by);
    const contents = await contentsOfCollection(tx, collection_id);
    const not_collected = collection.scan_out ? contents.filter(({ loaded_at }) => loaded_at === null) : [];
    const gone = contents.filter((parcel) => !not_collected.includes(parcel));
    if (gone.length === 0) throw CollectionEmpty();
    if (not_collected.length > 0) await leaveBehind(tx, collection);
    const now = (await collectionById(tx, collection_id)) as Collection;
    if (collection.status === "open" || (collection.status === "manifested" && now.without_manifest > 0))
      await askForManifest(tx, collection);
    await leave(tx, collection, { driver_name, signature, gone, not_collected }, by);
    return { collection: (await collectionById(tx, collection_id)) as Collection, not_collected };
  });
}

/** What is not loaded is in the next collection; on this one's manifest, if the carrier may have it already. */
async function leaveBehind(tx: Tx, { collection_id, account_id, carrier }: Collection): Promise<void> {
  // This one is taken for no open one: `nextCollection` would give it.
  await tx.run(
    `update carrier_collections set status = 'manifesting', updated_at = now()
     where collection_id = $1 and status = 'open'`,
    [collection_id],
  );
  const next = await nextCollection(tx, account_id, carrier, "always");
  await tx.run(
    `update label_purchases l
     set collection_id = :next, left_behind_at = coalesce(left_behind_at, now()),
         manifested_with = case when c.asking_at is null and c.remote_id is null
                                  and c.status in ('manifesting', 'manifest_failed')
                                  and l.manifested_with = c.collection_id and l.manifest_number = c.manifest_number
                                then null else l.manifested_with end
     from carrier_collections c
     where c.collection_id = :collection_id and l.collection_id = c.collection_id and l.status = 'bought'
       and not exists (select from parcels p join collection_loads d using (fulfillment_id)
                       where p.parcel_id = l.parcel_id and d.collection_id = c.collection_id)`,
    { collection_id, next },
  );
}

interface Leaving {
  driver_name: string | null;
  signature: string | null;
  gone: CollectedParcel[];
  not_collected: CollectedParcel[];
}

/** Writes that it has left. Audit COLLECTION_LEFT, and a `carrier.collected` for each order. */
export async function leave(tx: Tx, collection: Collection, leaving: Leaving, by: Actor): Promise<void> {
  const { driver_name, signature, gone, not_collected } = leaving;
  const { collection_id, carrier, collection_day } = collection;
  await tx.run(
    `update carrier_collections
     set collected_at = now(), collected_by = :username, driver_name = :driver_name, signature = :signature,
         updated_at = now()
     where collection_id = :collection_id`,
    { collection_id, username: by.username, driver_name, signature },
  );
  tx.audit({
    ...{ action: "COLLECTION_LEFT", ...entityOf(collection) },
    details: {
      ...{ carrier, day: collection_day, driver_name, signature, parcels: gone.length },
      not_collected: not_collected.map(({ so_number, parcel_number }) => ({ so_number, parcel_number })),
    },
  });
  for (const { so_id, external_id, parcels } of await ordersOf(tx, gone)) {
    const [{ so_number }] = parcels as [CollectedParcel];
    tx.emit({
      ...{ type: "carrier.collected", ...ofSalesOrder({ so_id, external_id, warehouse_id: collection.warehouse_id }) },
      data: {
        ...{ sales_order_external_id: external_id, so_number, carrier, collection_day },
        packages: parcels.map(({ external_id: package_external_id, parcel_number, tracking_number }) => ({
          ...(package_external_id !== null && { package_external_id }),
          ...(parcel_number !== null && { parcel_number }),
          tracking_number,
        })),
        ...{ collected_by_user_external_id: by.externalId, collected_at: tx.now },
      },
    });
  }
}

const OrderRow = { so_id: int, external_id: text };

/** The orders of parcels, each with its external id and its parcels. */
async function ordersOf(tx: Tx, parcels: CollectedParcel[]) {
  const byOrder = groupBy(parcels, ({ so_id }) => so_id);
  const sql = "select so_id, external_id from sales_orders where so_id = any($1) order by so_id";
  const orders = await tx.rows(OrderRow, sql, [[...byOrder.keys()]]);
  return orders.map((order) => ({ ...order, parcels: byOrder.get(order.so_id) as CollectedParcel[] }));
}
