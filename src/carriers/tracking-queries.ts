import { int, text, time } from "../platform/db/columns.js";
import { db, type Sql } from "../platform/db/db.js";
import { ACCOUNT, StoredAccount } from "./queries.js";
import { Tracking } from "./tracking-shapes.js";

/** The most scans of a parcel that are shown. */
const MOST_SCANS = 200;

/** SQL: where the parcel of a label is, with what was noted of it. */
const TRACKING = `
  select t.parcel_id, p.so_id, so.so_number, p.parcel_number, t.warehouse_id, t.purchase_id, l.carrier,
         t.tracking_number, t.status, t.status_at, t.message, t.place, t.expected_day, t.last_scan_at, t.heard_at,
         t.look_at, t.ended_at, t.closed_by, t.close_reason,
         (select coalesce(json_agg(json_build_object('scanned_at', scanned_at, 'status', status, 'message', message,
                    'place', place) order by scanned_at desc, scan_id desc), '[]')
          from (select * from parcel_scans s where s.purchase_id = t.purchase_id
                order by scanned_at desc, scan_id desc limit ${MOST_SCANS}) s) as scans
  from parcel_trackings t
  join label_purchases l using (purchase_id)
  join parcels p on p.parcel_id = t.parcel_id
  join sales_orders so on so.so_id = p.so_id`;

/** Where a parcel is, by its newest label; undefined where nobody tracks it. */
export const trackingOfParcel = (parcelId: number, sql: Sql = db): Promise<Tracking | undefined> =>
  sql.row(Tracking, `${TRACKING} where t.parcel_id = $1 order by t.purchase_id desc limit 1`, [parcelId]);

const LabelRow = { purchase_id: int };

/**
 * The label that an account's carrier means, unless it was taken back; the newest, should it give a number again after
 * years.
 */
export const trackedLabel = async (accountId: number, trackingNumber: string): Promise<number | undefined> =>
  (
    await db.row(
      LabelRow,
      `select purchase_id from parcel_trackings t join label_purchases l using (purchase_id)
       where t.account_id = $1 and t.tracking_number = $2 and l.status in ('pending', 'bought', 'void_failed')
       order by purchase_id desc limit 1`,
      [accountId, trackingNumber],
    )
  )?.purchase_id;

/** The account that webhooks with this key are of. */
export const accountOfWebhook = (key: string): Promise<StoredAccount | undefined> =>
  db.row(StoredAccount, `select ${ACCOUNT}, a.config_sealed from carrier_accounts a where webhook_key = $1`, [key]);

/** The accounts with parcels whose carrier is to be asked where they are. */
export const accountsToAsk = (): Promise<StoredAccount[]> =>
  db.rows(
    StoredAccount,
    `select ${ACCOUNT}, a.config_sealed from carrier_accounts a
     where is_active and exists (select from parcel_trackings t where t.account_id = a.account_id and look_at <= now())
     order by account_id`,
  );

const DueRow = { purchase_id: int, tracking_number: text, remote_id: text };

/** The parcels under way that an account's carrier is asked for next, those that wait longest first. */
export const dueTrackings = (accountId: number, limit: number) =>
  db.rows(
    DueRow,
    `select t.purchase_id, t.tracking_number, l.remote_id
     from parcel_trackings t
     join label_purchases l using (purchase_id)
     join parcels p on p.parcel_id = t.parcel_id
     where t.account_id = $1 and look_at <= now() and p.status = 'SHIPPED' and l.remote_id is not null
     order by look_at, t.purchase_id limit $2`,
    [accountId, limit],
  );

export const StandingRow = {
  ...{ purchase_id: int, status: Tracking.shape.status, status_at: time.nullable(), message: text.nullable() },
  ...{ place: text.nullable(), expected_day: Tracking.shape.expected_day, expected_as_of: time.nullable() },
  ...{ last_scan_at: time.nullable(), ended_at: time.nullable() },
};
/** The columns that say where a parcel stands. */
export const STANDING = `purchase_id, status, status_at, message, place, expected_day, expected_as_of, last_scan_at,
  ended_at`;
