import { z } from "zod";
import { arrayOf, bool, int } from "../platform/db/columns.js";
import { db } from "../platform/db/db.js";
import { TaskStatus } from "../platform/statuses.js";
import { stockRows } from "../stock/why.js";
import { WhyPick } from "./why-shapes.js";

/** Why a pick task goes to its bin. It is worked out when somebody asks, from the rows as they are then. */

const TaskRow = z.strictObject({
  ...WhyPick.omit({ code: true, words: true, others: true }).shape,
  ...{ warehouse_id: int, status: TaskStatus, is_transfer: bool, replaces_short: bool, so_line_ids: arrayOf(int) },
});
type TaskRow = z.infer<typeof TaskRow>;

/** A task with what decided for it, but for the other stock; undefined when there is none. */
export const taskToExplain = (pickTaskId: number): Promise<TaskRow | undefined> =>
  db.row(
    TaskRow,
    `select t.pick_task_id, now() as as_of, p.warehouse_id, t.status, t.bin_id, b.bin_code, v.lot_number, v.expiry_date,
       case when p.walk_metres is null then 'pick_sequence' else 'shortest_tour' end as walked_by,
       t.to_line_id is not null as is_transfer, lines.so_line_ids, exists (
         select from pick_tasks s join wave_pick_breakdown w using (pick_task_id)
         where s.batch_id = t.batch_id and s.status = 'SHORT' and s.pick_task_id < t.pick_task_id
           and w.so_line_id = any(lines.so_line_ids)) as replaces_short
     from pick_tasks t join pick_batches p using (batch_id) join bins b using (bin_id)
       join inventory v using (inventory_id)
     cross join lateral (
       select array(select so_line_id from wave_pick_breakdown w where w.pick_task_id = t.pick_task_id) as so_line_ids
     ) lines
     where t.pick_task_id = $1`,
    [pickTaskId],
  );

const Others = WhyPick.shape.others.element.extend({ item_id: int });

/** The same item elsewhere in the warehouse, and why it is not picked: in the order of use (docs/interface.md). */
async function others(pickTaskId: number): Promise<WhyPick["others"]> {
  const rows = await db.rows(
    Others,
    `with task as materialized (
       select t.item_id, t.inventory_id, t.batch_id, p.warehouse_id, c.expiry_date, b.pick_sequence,
         (select min(min_days_at_shipping) from wave_pick_breakdown join sales_orders using (so_id)
          where pick_task_id = t.pick_task_id) as min_days
       from pick_tasks t join pick_batches p using (batch_id) join inventory c using (inventory_id)
         join bins b on b.bin_id = c.bin_id
       where t.pick_task_id = $1
     )
     ${stockRows({
       where: `v.item_id = (select item_id from task) and v.warehouse_id = (select warehouse_id from task)
         and v.inventory_id <> (select inventory_id from task)`,
       minDays: "(select min_days from task)",
       ownLines: "'{}'::int[]",
       later: `(select case
         when exists (select from pick_tasks d where d.batch_id = task.batch_id and d.status = 'SHORT'
           and d.inventory_id = s.inventory_id) then 'short_before'
         when coalesce(s.expiry_date, 'infinity') > coalesce(task.expiry_date, 'infinity') then 'expires_later'
         when s.expiry_date is distinct from task.expiry_date then 'free_since'
         when s.pick_sequence > task.pick_sequence then 'later_in_sequence'
         when s.pick_sequence = task.pick_sequence then 'equal'
         else 'free_since' end from task)`,
     })}`,
    [pickTaskId],
  );
  return rows.map(({ item_id: _item, ...row }) => row);
}

const words: Record<WhyPick["code"], string> = {
  first_expired: "These units expire first",
  pick_sequence: "Of the units that expire first its bin comes first on the way",
  oldest: "Of equal units these have lain there longest",
  only_place: "No other bin has units that could be picked",
  was_first: "It came first when the task was made; other units came, or became free, since",
  replaces_short: "Another bin had too few",
  transfer_reserved: "The transfer order has these units since it was made",
};

/** Why a task goes to its bin, and what lost. */
export async function whyPick(task: TaskRow): Promise<WhyPick> {
  const { warehouse_id: _w, status: _s, is_transfer, replaces_short, so_line_ids: _l, ...shown } = task;
  const lost = await others(task.pick_task_id);
  const has = (reason: WhyPick["others"][number]["reason"]) => lost.some((other) => other.reason === reason);
  const chosen = (): WhyPick["code"] => {
    if (is_transfer) return "transfer_reserved";
    if (replaces_short) return "replaces_short";
    // What came closest says what decided.
    if (has("equal")) return "oldest";
    if (has("later_in_sequence")) return "pick_sequence";
    if (has("expires_later")) return "first_expired";
    return has("free_since") || has("short_before") ? "was_first" : "only_place";
  };
  const code = chosen();
  return { ...shown, code, words: words[code], others: lost };
}
