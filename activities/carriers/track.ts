import { randomUUID } from "node:crypto";
import { ParcelNotTracked, TrackingEnded } from "../../src/carriers/problems.js";
import { eventOf, type Scan, type Standing, standingAfter, type Tracked } from "../../src/carriers/tracking.js";
import { STANDING, StandingRow, trackingOfParcel } from "../../src/carriers/tracking-queries.js";
import type { Tracking, TrackingClosing } from "../../src/carriers/tracking-shapes.js";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { bool, int, text } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import { ofSalesOrder } from "../../src/platform/events/outbox.js";
import { systemActor } from "../../src/platform/system-actor.js";
import type { TrackingStatus } from "../../src/shipping/parcels/tracking-statuses.js";
import { command, type Tx } from "../command.js";
import { entityOf } from "./request-label.js";

/** What carriers say of parcels on their way is noted, by scans that count once: docs/carriers.md, Tracking. */

/** The most scans that one answer or webhook may add, the newest of them. */
const MOST_SCANS = 200;
const LONGEST = { message: 500, place: 200 };

/** How a carrier came to say it, and when it is asked again. */
export type HeardBy = "webhook" | "question";
const LOOK_AFTER: Record<HeardBy, string> = {
  question: "interval '2 hours'",
  // As long as its webhooks come, it need not be asked.
  webhook: "interval '1 day'",
};

/**
 * Notes what a carrier says of the parcel of a label: its new scans, and where it is by all of them. What came before
 * changes nothing, and nothing is undone by what comes late. Says whether it was news.
 */
export async function noteTracking(purchaseId: number, said: Tracked, by: HeardBy): Promise<boolean> {
  const scans = said.scans
    .toSorted((a, b) => (a.at < b.at ? 1 : -1))
    .slice(0, MOST_SCANS)
    .map(({ message, place, ...scan }) => ({
      ...{ ...scan, message: message?.slice(0, LONGEST.message) ?? null },
      place: place?.slice(0, LONGEST.place) ?? null,
    }));
  const isNews = await hasNews(purchaseId, { ...said, scans });
  if (isNews) await note(purchaseId, { ...said, scans });
  await db.run(
    `update parcel_trackings
     set heard_at = now(), look_at = case when look_at is not null then now() + ${LOOK_AFTER[by]} end
     where purchase_id = $1`,
    [purchaseId],
  );
  return isNews;
}

const SCANS = `unnest(:at::timestamptz[], :status::text[], :message::text[], :place::text[])
  as said (scanned_at, status, message, place)`;

const columnsOf = (scans: Scan[]) => ({
  at: scans.map(({ at }) => at),
  status: scans.map(({ status }) => status),
  message: scans.map(({ message }) => message),
  place: scans.map(({ place }) => place),
});

const NewsRow = { is_news: bool };

/** Whether a carrier says what is not known; most of what it says is. */
async function hasNews(purchase_id: number, { scans, expected_day, as_of }: Tracked): Promise<boolean> {
  const found = await db.row(
    NewsRow,
    `select exists (
         select from ${SCANS} where not exists (
           select from parcel_scans s
           where s.purchase_id = t.purchase_id and s.scanned_at = said.scanned_at
             and (s.status, s.message, s.place) is not distinct from (said.status, said.message, said.place)))
       or (:expected_day::date is not null and :expected_day::date is distinct from expected_day
           and coalesce(expected_as_of <= :as_of::timestamptz, true)) as is_news
     from parcel_trackings t where purchase_id = :purchase_id`,
    { purchase_id, expected_day, as_of, ...columnsOf(scans) },
  );
  return found?.is_news ?? false;
}

const OfOrder = {
  ...{ so_id: int, so_number: text, warehouse_id: int, order_external_id: text, parcel_number: int },
  ...{ parcel_external_id: text, tracking_number: text, carrier: text.nullable() },
};

function note(purchase_id: number, { scans, expected_day, as_of }: Tracked): Promise<{ status: TrackingStatus }> {
  const by = systemActor(`tracking-${purchase_id}:${randomUUID()}`);
  return command("carriers.track", by, { purchase_id, scans, expected_day, as_of }, async (tx) => {
    const sql = `select ${STANDING} from parcel_trackings where purchase_id = $1 for update`;
    const row = await tx.row(StandingRow, sql, [purchase_id]);
    // Its order was removed meanwhile.
    if (!row) return { status: "pre_transit" as const };
    const before: Standing = { at: row.status_at, status: row.status, message: row.message, place: row.place };
    const after = standingAfter(before, scans);
    const isExpected = isLater({ expected_day, as_of }, row);
    await tx.run(
      `insert into parcel_scans (purchase_id, scanned_at, status, message, place)
       select :purchase_id, scanned_at, status, message, place from ${SCANS} on conflict do nothing`,
      { purchase_id, ...columnsOf(scans.toReversed()) },
    );
    await tx.run(
      `update parcel_trackings
       set status = :status, status_at = :at, message = :message, place = :place,
           expected_day = :expected_day, expected_as_of = :as_of,
           last_scan_at = greatest(last_scan_at, :newest::timestamptz),
           ended_at = case when :is_over then coalesce(ended_at, now()) when closed_by is not null then ended_at end,
           look_at = case when not :is_over then look_at end
       where purchase_id = :purchase_id`,
      {
        ...{ purchase_id, ...after, newest: scans[0]?.at ?? null, is_over: after.status === "delivered" },
        expected_day: isExpected ? expected_day : row.expected_day,
        as_of: isExpected ? as_of : row.expected_as_of,
      },
    );
    if (after.status !== row.status)
      await tell(tx, purchase_id, row.status, after, isExpected ? expected_day : row.expected_day);
    return { status: after.status };
  });
}

/** Whether it is a day that the carrier expects after it expected another one. */
function isLater(
  said: Pick<Tracked, "expected_day" | "as_of">,
  before: { expected_day: string | null; expected_as_of: string | null },
): boolean {
  if (said.expected_day === null) return false;
  if (before.expected_day === null || before.expected_as_of === null) return true;
  const since = Date.parse(said.as_of) - Date.parse(before.expected_as_of);
  return since > 0 || (since === 0 && said.expected_day > before.expected_day);
}

/** Tells the order's history, and partners, that its parcel is elsewhere. */
async function tell(
  tx: Tx,
  purchaseId: number,
  before: TrackingStatus,
  { at, status, message, place }: Standing,
  expected_day: string | null,
): Promise<void> {
  const of = await tx.row(
    OfOrder,
    `select so.so_id, so.so_number, so.warehouse_id, so.external_id as order_external_id, p.parcel_number,
            p.external_id as parcel_external_id, t.tracking_number, l.carrier
     from parcel_trackings t
     join label_purchases l using (purchase_id)
     join parcels p on p.parcel_id = t.parcel_id
     join sales_orders so on so.so_id = p.so_id
     where t.purchase_id = $1`,
    [purchaseId],
  );
  if (!of) return;
  const { so_number, parcel_number, tracking_number, carrier } = of;
  const told = { tracking_number, carrier, happened_at: at, place, message };
  tx.audit({
    action: `PARCEL_${status.toUpperCase()}`,
    ...entityOf(of),
    details: { purchase_id: purchaseId, parcel_number, so_number, ...told },
  });
  const type = eventOf(before, status);
  if (!type || status === "pre_transit") return;
  tx.emit({
    type,
    ...ofSalesOrder({ so_id: of.so_id, external_id: of.order_external_id, warehouse_id: of.warehouse_id }),
    data: {
      ...{ sales_order_external_id: of.order_external_id, so_number, package_external_id: of.parcel_external_id },
      ...{ parcel_number, tracking_number, carrier, status, message, place, expected_day },
      happened_at: at as string,
    },
  });
}

/** Ends the tracking of a parcel that will not be delivered, or whose problem is settled: it is not asked for again. */
export function closeTracking(parcel_id: number, { reason }: TrackingClosing, by: Actor): Promise<Tracking> {
  return command("carriers.closeTracking", by, { parcel_id, reason }, async (tx) => {
    const before = await trackingOfParcel(parcel_id, tx);
    if (!before) throw ParcelNotTracked();
    checkWarehouse(by, before.warehouse_id);
    const { purchase_id, parcel_number, so_number, tracking_number, status } = before;
    const closed = await tx.run(
      `update parcel_trackings set ended_at = now(), look_at = null, closed_by = $2, close_reason = $3
       where purchase_id = $1 and ended_at is null`,
      [purchase_id, by.username, reason],
    );
    if (closed === 0) throw TrackingEnded({ status });
    tx.audit({
      action: "PARCEL_TRACKING_CLOSE",
      ...entityOf(before),
      details: { purchase_id, parcel_number, so_number, tracking_number, status, reason },
    });
    return (await trackingOfParcel(parcel_id, tx)) as Tracking;
  });
}
