import type { Actor } from "../../src/platform/actor.js";
import { bool, int } from "../../src/platform/db/columns.js";
import { inbox, readerOf } from "../../src/reports/inbox/queries.js";
import { InboxMark, type InboxMarkChange, MOST_SNOOZED_DAYS } from "../../src/reports/inbox/shapes.js";
import { InboxEntryNotFound, SnoozeOutOfRange } from "../../src/reports/problems.js";
import { command } from "../command.js";

const Written = InboxMark.extend({ mark_id: int });
/** The longest that an entry is put off is a month, so that nothing is left of what these said. */
const KEPT_DAYS = 90;

/**
 * Takes an entry of the inbox, gives it back, or puts it off (docs/inbox.md). Audit UPDATE.
 *
 * Refusals: 404 `inbox_entry_not_found`, 400 `snooze_out_of_range`.
 */
export function markInbox(change: InboxMarkChange, by: Actor): Promise<InboxMark> {
  return command("inbox.mark", by, change, async (tx) => {
    const { kind, record_id, taken, snoozed_until } = change;
    if (snoozed_until) {
      const asked = await tx.row(
        { fits: bool },
        "select $1::timestamptz between now() and now() + make_interval(days => $2) as fits",
        [snoozed_until, MOST_SNOOZED_DAYS],
      );
      if (!asked?.fits) throw SnoozeOutOfRange({ most_days: MOST_SNOOZED_DAYS });
    }
    const { parts } = await inbox(readerOf(by), { kind, record_id, snoozed: null }, tx);
    const entry = parts[0]?.entries[0];
    if (!entry) throw InboxEntryNotFound();
    // What is there already may be of an earlier time at which the record needed somebody.
    const before = { taken_by: entry.taken_by, snoozed_until: entry.snoozed_until };
    const isTaken = taken ?? before.taken_by !== null;
    const mark = await tx.row(
      Written,
      `insert into inbox_marks as m (kind, record_id, taken_by, taken_user_id, snoozed_until)
       values (:kind, :record_id, :taken_by, case when :taken::boolean then :user_id::int end, :snoozed_until)
       on conflict (kind, record_id) do update
         set taken_by = excluded.taken_by, snoozed_until = excluded.snoozed_until, marked_at = now(),
             taken_user_id = case when :taken then excluded.taken_user_id
                                  when :is_taken::boolean then m.taken_user_id end
       returning mark_id, kind, record_id, taken_by, snoozed_until`,
      {
        ...{ kind, record_id, user_id: by.userId, taken: taken === true, is_taken: isTaken },
        taken_by: taken ? by.username : isTaken ? before.taken_by : null,
        snoozed_until: snoozed_until === undefined ? before.snoozed_until : snoozed_until,
      },
    );
    tx.later.run("delete from inbox_marks where marked_at < now() - make_interval(days => $1)", [KEPT_DAYS]);
    const { mark_id, ...after } = mark as typeof Written._output;
    tx.audit({
      action: "UPDATE",
      entity: "INBOX_ENTRY",
      entityId: mark_id,
      warehouseId: entry.warehouse_id,
      details: { ...{ kind, record_id, label: entry.label }, ...changed(before, after) },
    });
    return after;
  });
}

type Said = Pick<InboxMark, "taken_by" | "snoozed_until">;
const changed = (before: Said, after: Said) =>
  Object.fromEntries(
    (["taken_by", "snoozed_until"] as const)
      .filter((name) => before[name] !== after[name])
      .map((name) => [name, { old: before[name], new: after[name] }]),
  );
