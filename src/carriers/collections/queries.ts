import { z } from "zod";
import { bool, bytes, int, text } from "../../platform/db/columns.js";
import { closedDaysOf, todayAt } from "../../platform/db/days.js";
import { db, type Sql } from "../../platform/db/db.js";
import { builder, codeOf } from "../../platform/db/list.js";
import { listPage } from "../../platform/db/listing.js";
import { msUntil } from "../../platform/db/ms-until.js";
import type { OfWarehouse } from "../../platform/temporal/priorities.js";
import { CollectedParcel, Collection, type CollectionFilters, collectionList, StoredManifest } from "./shapes.js";

/**
 * SQL: what is in a collection, a row for each parcel. Labels say which parcels that are; besides, what was loaded
 * without one: shipped with a tracking number that somebody typed.
 */
const contentsOf = (collectionId: string) => `
  select so.so_id, so.so_number, p.parcel_id, p.external_id, p.parcel_number, l.tracking_number,
         p.status = 'SHIPPED' as is_shipped,
         l.manifested_with is not null as on_manifest,
         case when l.manifested_with = l.collection_id then l.manifest_number end as manifest_number,
         d.loaded_at, d.loaded_by, l.left_behind_at
  from label_purchases l join parcels p using (parcel_id) join sales_orders so using (so_id)
  left join collection_loads d on d.fulfillment_id = p.fulfillment_id and d.collection_id = l.collection_id
  where l.collection_id = ${collectionId} and l.status = 'bought'
  union all
  select so.so_id, so.so_number, p.parcel_id, p.external_id, p.parcel_number, f.tracking_number, true, false, null,
         d.loaded_at, d.loaded_by, null
  from collection_loads d join item_fulfillments f using (fulfillment_id) join sales_orders so using (so_id)
  left join parcels p using (fulfillment_id)
  where d.collection_id = ${collectionId} and f.status = 'SHIPPED' and not exists (
    select from label_purchases l
    where l.parcel_id = p.parcel_id and l.collection_id = d.collection_id and l.status = 'bought')`;

/** SQL: the manifest of a collection `c` is the house's own, which has all that is in it when it is drawn. */
const IS_DRAWN_HERE = "(c.status = 'manifested' and c.remote_id is null and c.manifest_number = 1)";

/** SQL: a label `l` of a collection `c` that no manifest has. */
const WITHOUT_MANIFEST = "l.collection_id = c.collection_id and l.status = 'bought' and l.manifested_with is null";

/** The columns of a collection `c` with its account `a`. */
const COLLECTION = `
  c.collection_id, c.external_id, c.warehouse_id, ${codeOf("c.warehouse_id")}, c.account_id, a.account_name, c.carrier,
  c.collection_day, c.status, c.scan_out, c.cut_off_at, n.parcels, n.loaded,
  case when c.status in ('open', 'cancelled') or ${IS_DRAWN_HERE} then 0
       else (select count(*)::int from label_purchases l where ${WITHOUT_MANIFEST}) end as without_manifest,
  c.manifest_number,
  case when ${IS_DRAWN_HERE} then 'house' when c.status = 'manifested' then 'carrier' end as manifest,
  c.attempts, c.last_error, c.manifested_at, c.driver_name, c.signature, c.collected_at, c.collected_by, c.created_at,
  c.updated_at`;

/** SQL: the warehouse of a collection `c` is closed on its day, and it has a cut-off or that day is ahead. */
const IS_ON_CLOSED_DAY = `(array_position(${closedDaysOf("c.warehouse_id")}, c.collection_day) is not null
  and (c.cut_off_at is not null or c.collection_day > ${todayAt("c.warehouse_id")}))`;

/** What its columns are read from, besides `carrier_collections as c`. */
const OF_COLLECTION = `join carrier_accounts a on a.account_id = c.account_id
  cross join lateral (select count(*)::int as parcels, count(loaded_at)::int as loaded
                      from (${contentsOf("c.collection_id")}) inside) n`;

export const collectionById = (sql: Sql, collectionId: number): Promise<Collection | undefined> =>
  sql.row(Collection, `select ${COLLECTION} from carrier_collections c ${OF_COLLECTION} where c.collection_id = $1`, [
    collectionId,
  ]);

/** A page of collections, the newest day first. */
export function collections(filters: CollectionFilters, warehouseIds: number[] | null) {
  const { warehouse_id, account_id, carrier, day, status, collected } = filters;
  const query = builder("carrier_collections as c")
    .joinRaw(OF_COLLECTION)
    .select(builder.raw(COLLECTION))
    .orderBy([
      { column: "c.collection_day", order: "desc" },
      { column: "c.collection_id", order: "desc" },
    ]);
  if (warehouseIds) query.whereIn("c.warehouse_id", warehouseIds);
  if (warehouse_id) query.where("c.warehouse_id", warehouse_id);
  if (account_id) query.where("c.account_id", account_id);
  if (carrier) query.whereRaw("lower(c.carrier) = lower(?)", carrier);
  if (day) query.where("c.collection_day", day);
  if (status) query.where("c.status", status);
  if (collected !== undefined) query[collected ? "whereNotNull" : "whereNull"]("c.collected_at");
  return listPage(Collection, "collections", query, filters, collectionList);
}

/** What is in a collection, what is not loaded first. */
export const contentsOfCollection = (
  sql: Sql,
  collectionId: number,
  { loaded, limit = null }: { loaded?: boolean | undefined; limit?: number | null } = {},
): Promise<CollectedParcel[]> =>
  sql.rows(
    CollectedParcel,
    `select * from (${contentsOf("$1")}) inside
     where ($2::bool is null or $2 = (loaded_at is not null))
     order by loaded_at nulls first, so_number, parcel_number limit $3`,
    [collectionId, loaded ?? null, limit],
  );

/** What an attempt needs to know of a collection. */
export const CollectionToDo = z.strictObject({
  ...Collection.pick({ collection_id: true, warehouse_id: true, warehouse_code: true, account_id: true }).shape,
  ...Collection.pick({ carrier: true, collection_day: true, status: true, scan_out: true, parcels: true }).shape,
  ...Collection.pick({ loaded: true, attempts: true, last_error: true, manifest_number: true }).shape,
  key: text,
  remote_id: text.nullable(),
  ...{ asking: bool, stored: bool, is_collected: bool, on_closed_day: bool },
  /** Until its cut-off; null where it has none. */
  cut_off_ms: int.nullable(),
  /** Until another process, that may have asked the carrier, has given up waiting for the answer. */
  settles_ms: int,
  /** Until the next attempt is due. */
  wait_ms: int,
});
export type CollectionToDo = z.infer<typeof CollectionToDo>;

/** @param settlesMs How long a request for a manifest may be under way. */
export const readCollection = (collectionId: number, settlesMs: number): Promise<CollectionToDo | undefined> =>
  db.row(
    CollectionToDo,
    `select c.collection_id, c.warehouse_id, ${codeOf("c.warehouse_id")}, c.account_id, c.carrier, c.collection_day,
            c.status, c.scan_out, n.parcels, n.loaded, c.attempts, c.last_error, c.key, c.manifest_number,
            c.remote_id,
            c.asking_at is not null as asking, c.collected_at is not null as is_collected,
            exists (select from collection_manifests m where m.collection_id = c.collection_id
                      and m.manifest_number = c.manifest_number) as stored,
            case when c.cut_off_at is not null then ${msUntil("c.cut_off_at")} end as cut_off_ms,
            c.status = 'open' and ${IS_ON_CLOSED_DAY} as on_closed_day, ${msUntil("c.due_at")} as wait_ms,
            coalesce(${msUntil("(c.asking_at + $2 * interval '1 millisecond')")}, 0) as settles_ms
     from carrier_collections c ${OF_COLLECTION} where c.collection_id = $1`,
    [collectionId, settlesMs],
  );

const LabelRow = { remote_id: text, tracking_number: text };

/** One of the manifests of a collection. */
export type ManifestOf = Pick<CollectionToDo, "collection_id" | "manifest_number">;

/** The labels of a manifest that the carrier knows: not those that were bought by hand. */
export const labelsForManifest = ({ collection_id, manifest_number }: ManifestOf) =>
  db.rows(
    LabelRow,
    `select remote_id, tracking_number from label_purchases
     where manifested_with = $1 and manifest_number = $2 and remote_id is not null order by purchase_id`,
    [collection_id, manifest_number],
  );

/** Whether a label was taken back that was to be on the manifest. */
export const lostLabels = ({ collection_id, manifest_number }: ManifestOf): Promise<boolean> =>
  db
    .row(
      { lost: bool },
      `select exists (select from label_purchases
                      where manifested_with = $1 and manifest_number = $2 and status <> 'bought') as lost`,
      [collection_id, manifest_number],
    )
    .then((row) => row?.lost === true);

/** The collections that something is to be done for. */
export const collectionsUnderWay = (): Promise<(OfWarehouse & { carrier: string; collection_day: string })[]> =>
  db.rows(
    UnderWayRow,
    `select collection_id as id, warehouse_id, carrier, collection_day::text from carrier_collections
     where status in ('open', 'manifesting') or (status = 'manifested' and collected_at is null)
     order by collection_id`,
  );

/** The open collections whose day is closed; what somebody began on such a day stays. */
export const collectionsOnClosedDays = (): Promise<OfWarehouse[]> =>
  db.rows(
    ToDoRow,
    `select collection_id as id, warehouse_id from carrier_collections c
     where status = 'open' and ${IS_ON_CLOSED_DAY} order by collection_id`,
  );

const ToDoRow = { id: int, warehouse_id: int };
const UnderWayRow = { ...ToDoRow, carrier: text, collection_day: text };

const FileRow = { content: bytes };

/** A manifest as the carrier drew it; the newest, unless another is named. */
export const manifestFile = (collectionId: number, manifestNumber?: number) =>
  db.row(
    FileRow,
    `select content from collection_manifests
     where collection_id = $1 and ($2::int is null or manifest_number = $2) order by manifest_number desc limit 1`,
    [collectionId, manifestNumber ?? null],
  );

/** The manifests of a collection that the carrier drew. */
export const storedManifests = (collectionId: number): Promise<StoredManifest[]> =>
  db.rows(
    StoredManifest,
    `select m.manifest_number, m.stored_at,
            (select count(*)::int from label_purchases l
             where l.manifested_with = m.collection_id and l.manifest_number = m.manifest_number) as parcels
     from collection_manifests m where collection_id = $1 order by manifest_number`,
    [collectionId],
  );
