import type { RetentionDays } from "../../../src/platform/config/retention.js";
import { int, text } from "../../../src/platform/db/columns.js";
import { db } from "../../../src/platform/db/db.js";
import { SEALED_ROWS } from "../../../src/reports/audit/sealed-rows.js";

/** A table whose old rows may be retired: written to a file, and then deleted. */
export interface RetiredTable {
  name: "audit_log" | "integration_events" | "bin_transfers" | "inventory_adjustments";
  days: RetentionDays;
  /** SQL: its rows as they are written to a file, where that is not the table itself. */
  rows?: string;
  /** The number of a row: those of a month are all there once it is past a retention. */
  no: "seal_no" | "event_id" | "transfer_id" | "adjustment_id";
  at: "created_at" | "visible_at" | "transferred_at" | "adjusted_at";
  /** SQL for `reader`: who still needs rows up to the number $1. They are not retired. */
  readers?: string;
  /** SQL for `upto` and `removed`: deletes the next $2 rows after the number $1 that are in a file. */
  remove: string;
}

const removeOf = ({ name, no }: Pick<RetiredTable, "name" | "no">) => `
  with oldest as (
    select max(${no}) as upto
    from (select ${no} from ${name} where ${no} > $1 and ${no} <= retired_to('${name}') order by ${no} limit $2) e
  ), gone as (
    delete from ${name} e using oldest where e.${no} > $1 and e.${no} <= upto returning 1
  )
  select upto, (select count(*) from gone) as removed from oldest`;

const deleted = <T extends Omit<RetiredTable, "remove">>(table: T) => ({ ...table, remove: removeOf(table) });

/**
 * A webhook reads on from where its filter was applied; the event of a delivery is shown, and sent again, for as long
 * as its row is there.
 */
const READERS = `
  select 'webhook ' || display_name as reader from webhook_subscriptions
  where status <> 'revoked' and greatest(scanned_event_id, last_delivered_event_id) < $1
  union select 'deliveries of webhook ' || display_name from webhook_subscriptions
  where subscription_id in (select subscription_id from webhook_deliveries where event_id <= $1)
  union select 'consumer group ' || consumer_group_id from consumer_groups where last_cursor < $1
  union select 'notifications' from notification_progress where event_id < $1
  union select 'pushes of shipments' from fulfillment_push_progress where event_id < $1
  order by reader`;

const WAITING = `
  select 'adjustments that wait for approval' as reader
  where exists (select from inventory_adjustments where status = 'PENDING' and adjustment_id <= $1)`;

export const retiredTables: RetiredTable[] = [
  {
    ...{ name: "audit_log", days: "auditRetentionDays", rows: SEALED_ROWS, no: "seal_no", at: "created_at" },
    remove: "select upto, removed from delete_retired_audit($1, $2)",
  },
  deleted({
    ...{ name: "integration_events", days: "eventRetentionDays", no: "event_id", at: "visible_at", readers: READERS },
  }),
  deleted({ name: "bin_transfers", days: "movementRetentionDays", no: "transfer_id", at: "transferred_at" }),
  deleted({
    ...{ name: "inventory_adjustments", days: "movementRetentionDays", no: "adjustment_id", at: "adjusted_at" },
    readers: WAITING,
  }),
];

/** Who still needs rows of a table up to a number. */
export async function readersOf({ readers }: RetiredTable, upTo: number): Promise<string[]> {
  const rows = readers ? await db.rows({ reader: text }, readers, [upTo]) : [];
  return rows.map(({ reader }) => reader);
}

const Removed = { upto: int.nullable(), removed: int };

/** Deletes the next rows that are in a file; gives the number of the last of them, null when there are none. */
export async function removeSome({ remove }: RetiredTable, after: number, most: number) {
  const done = await db.row(Removed, remove, [after, most]);
  return { upto: done?.upto ?? null, removed: done?.removed ?? 0 };
}
