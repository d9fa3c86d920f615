import { trackingNumbersIn } from "../../../src/carriers/collections/codes.js";
import {
  AlreadyCollected,
  LabelTakenBack,
  NothingByThisCode,
  NotLoaded,
  OtherCarrier,
  ParcelRecalled,
  ShipFirst,
} from "../../../src/carriers/collections/problems.js";
import { collectionById } from "../../../src/carriers/collections/queries.js";
import type { Collection, LoadedParcel } from "../../../src/carriers/collections/shapes.js";
import type { Actor } from "../../../src/platform/actor.js";
import { bool, int, text } from "../../../src/platform/db/columns.js";
import type { RowOf } from "../../../src/platform/db/shape.js";
import { recalledInOrder, recalledInParcels } from "../../../src/recalls/queries.js";
import { parcelOfCode } from "../../../src/shipping/parcels/code.js";
import { command, type Tx } from "../../command.js";
import { lockUnderWay } from "./lock.js";

/** Parcels are scanned as they are loaded onto the truck. */

interface Scan {
  collection_id: number;
  scanned_barcode: string;
}

/** Loads what a code is of. The same code again changes nothing, and gets the same answer. */
export function loadParcel(input: Scan, by: Actor): Promise<LoadedParcel> {
  return command("carriers.loadParcel", by, input, async (tx) => {
    const collection = await lockUnderWay(tx, input.collection_id, by, "share");
    const found = await findScanned(tx, collection, input.scanned_barcode);
    if (found.loaded_with !== collection.collection_id) {
      await refuseUnfit(tx, collection, found);
      await load(tx, collection, found, by);
    }
    return answer(tx, collection, found, true);
  });
}

/** Takes down what was loaded by mistake. */
export function unloadParcel(input: Scan, by: Actor): Promise<LoadedParcel> {
  return command("carriers.unloadParcel", by, input, async (tx) => {
    const collection = await lockUnderWay(tx, input.collection_id, by, "share");
    const found = await findScanned(tx, collection, input.scanned_barcode);
    const { so_id, so_number, parcel_number, tracking_number, fulfillment_id } = found;
    const taken = await tx.run("delete from collection_loads where fulfillment_id = $1 and collection_id = $2", [
      fulfillment_id,
      collection.collection_id,
    ]);
    if (taken === 0) throw NotLoaded({ what: nameOf(found) });
    const { carrier, collection_day: day, warehouse_id: warehouseId } = collection;
    tx.audit({
      ...{ action: "COLLECTION_UNLOAD", entity: "SO", entityId: so_id, warehouseId },
      details: { so_number, parcel_number, tracking_number, carrier, day },
    });
    return answer(tx, collection, found, false);
  });
}

/** A parcel, or an order that went as a whole: then without a parcel, and its status is that of its shipment. */
const Scanned = {
  ...{ so_id: int, so_number: text, parcel_id: int.nullable(), parcel_number: int.nullable(), status: text },
  ...{ fulfillment_id: int.nullable(), tracking_number: text.nullable(), carrier: text.nullable() },
  /** Its newest label, if it ever had one. */
  ...{ purchase_id: int.nullable(), label_status: text.nullable(), account_id: int.nullable(), on_manifest: bool },
  /** The collection that it is loaded with. */
  ...{ loaded_with: int.nullable(), loaded_day: text.nullable() },
};
type Scanned = RowOf<typeof Scanned>;

/** SQL: parcels `p` and shipments without one, `f`, as they are scanned. */
const SCANNED = `
  select f.so_id, so.so_number, p.parcel_id, p.parcel_number, f.status, f.fulfillment_id,
         coalesce(l.tracking_number, f.tracking_number) as tracking_number, coalesce(l.carrier, f.carrier) as carrier,
         l.purchase_id, l.status as label_status, l.account_id,
         coalesce(l.manifested_with is not null, false) as on_manifest,
         d.collection_id as loaded_with, c.collection_day as loaded_day
  from (
    select so_id, fulfillment_id, parcel_id, status, tracking_number, carrier, warehouse_id from parcels
    where parcel_id = :parcel_id or tracking_number = any(:numbers)
    union all
    select so_id, fulfillment_id, null, status::text, tracking_number, carrier, warehouse_id from item_fulfillments i
    where tracking_number = any(:numbers)
      and not exists (select from parcels x where x.fulfillment_id = i.fulfillment_id)
  ) f
  join sales_orders so using (so_id) left join parcels p using (parcel_id)
  left join lateral (select purchase_id, status, account_id, carrier, tracking_number, manifested_with
                     from label_purchases l where l.parcel_id = p.parcel_id and l.bought_at is not null
                     order by purchase_id desc limit 1) l on true
  left join collection_loads d on d.fulfillment_id = f.fulfillment_id
  left join carrier_collections c on c.collection_id = d.collection_id
  where f.warehouse_id = :warehouse_id
  order by f.status = 'VOIDED', f.fulfillment_id desc nulls last limit 1`;

async function findScanned(tx: Tx, { warehouse_id }: Collection, code: string): Promise<Scanned> {
  const found = await tx.row(Scanned, SCANNED, {
    ...{ warehouse_id, parcel_id: parcelOfCode(code) ?? null, numbers: trackingNumbersIn(code) },
  });
  if (!found) throw NothingByThisCode();
  return found;
}

const nameOf = ({ so_number, parcel_number }: Scanned): string =>
  parcel_number === null ? so_number : `parcel ${parcel_number} of ${so_number}`;

async function refuseUnfit(tx: Tx, collection: Collection, found: Scanned): Promise<void> {
  const what = nameOf(found);
  const { so_number, status, label_status, loaded_day, so_id, parcel_id } = found;
  const fields = { so_number };
  if (loaded_day !== null) throw AlreadyCollected({ what, collection_day: loaded_day }, fields);
  if (status !== "SHIPPED") throw ShipFirst({ what, status }, fields);
  if (label_status !== null && label_status !== "bought") throw LabelTakenBack({ what }, fields);
  if (!goesWith(collection, found)) {
    const { carrier } = collection;
    throw OtherCarrier({ what, carrier, goes_with: found.carrier ?? "no carrier" }, fields);
  }
  const recalled = await (parcel_id === null ? recalledInOrder(tx, so_id) : recalledInParcels(tx, [parcel_id]));
  if (recalled) throw ParcelRecalled({ what, ...recalled }, fields);
}

/** By its label; by the carrier that somebody typed, where it has none. */
const goesWith = ({ account_id, carrier }: Collection, found: Scanned): boolean =>
  (found.account_id === null || found.account_id === account_id) &&
  found.carrier?.toLowerCase() === carrier.toLowerCase();

async function load(tx: Tx, collection: Collection, found: Scanned, by: Actor): Promise<void> {
  const { collection_id, carrier, collection_day: day, warehouse_id: warehouseId } = collection;
  const { fulfillment_id, purchase_id, so_id, so_number, parcel_number, tracking_number } = found;
  // The house draws its manifest whenever it is asked, of all that is loaded by then.
  const isDrawnHere = collection.manifest === "house";
  const loaded = await tx.run(
    `insert into collection_loads (fulfillment_id, collection_id, loaded_by) values ($1, $2, $3)
     on conflict do nothing`,
    [fulfillment_id, collection_id, by.username],
  );
  if (loaded === 0) return;
  // A label that was bought after the cut-off goes today all the same.
  if (purchase_id !== null)
    await tx.run(
      `update label_purchases
       set collection_id = $2, manifested_with = case when $3::bool then $2 else manifested_with end
       where purchase_id = $1 and (collection_id is distinct from $2 or $3::bool)`,
      [purchase_id, collection_id, isDrawnHere && !found.on_manifest],
    );
  tx.audit({
    ...{ action: "COLLECTION_LOAD", entity: "SO", entityId: so_id, warehouseId },
    details: { so_number, parcel_number, tracking_number, carrier, day },
  });
}

async function answer(
  tx: Tx,
  { collection_id }: Collection,
  found: Scanned,
  is_loaded: boolean,
): Promise<LoadedParcel> {
  const { parcels, loaded, without_manifest, manifest } = (await collectionById(tx, collection_id)) as Collection;
  const { so_id, so_number, parcel_id, parcel_number, tracking_number, purchase_id } = found;
  const on_manifest = found.on_manifest || (is_loaded && purchase_id !== null && manifest === "house");
  return {
    ...{ so_id, so_number, parcel_id, parcel_number, tracking_number, on_manifest, is_loaded, parcels, loaded },
    without_manifest,
  };
}
