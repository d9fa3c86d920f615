import { todayAt } from "../../src/platform/db/days.js";
import { LAST_DAY_OF_SALE, SELLABLE_JOINS, SELLABLE_STOCK } from "../../src/stock/sellable.js";
import { db } from "./db.js";

/** SQL: the days that the orders of a reservation or of a pick task ask for. */
const DAYS_OF_LINE = `(
  select min_days_at_shipping from sales_order_lines join sales_orders using (so_id)
  where so_line_id = new.so_line_id)`;
const DAYS_OF_TASK = `(
  select max(min_days_at_shipping) from wave_pick_breakdown join sales_orders using (so_id)
  where pick_task_id = new.pick_task_id)`;

/**
 * Has the database itself refuse, at each commit, what docs/lots.md excludes, whoever does it and whatever is done at
 * once: a choice of units that are not sold; one of a later day while an earlier one is free within its reach; a pick
 * of units whose last day has passed; another lot than the item's policy allows. Of the other rows it looks at those
 * that the transaction had locked: what came meanwhile could not be known.
 */
export async function enforceLotRules(): Promise<void> {
  await db.run(`
    create function refuse_choice(chosen int, reach text, at_bin int, batch int, days int) returns void
    language plpgsql as $$
    declare earlier record;
    begin
      select c.expiry_date as day, s.inventory_id, s.lot_number, s.expiry_date, s.available into earlier
      from inventory c join ${SELLABLE_STOCK} s on s.item_id = c.item_id and s.warehouse_id = c.warehouse_id
        join inventory v on v.inventory_id = s.inventory_id
      where c.inventory_id = chosen and s.expiry_date < coalesce(c.expiry_date, '9999-12-31')
        and coalesce(s.days_left >= days, true)
        and (reach = 'all' or reach = 'picked from' and s.is_picked_from or reach = 'bin' and s.bin_id = at_bin)
        and txid_current() % 4294967296 in (v.xmin::text::bigint, v.xmax::text::bigint)
        and not exists (select from pick_tasks t where t.batch_id = batch and t.inventory_id = s.inventory_id
          and t.status = 'SHORT')
      limit 1;
      if found then
        raise exception 'day % of row % was chosen while % of lot % (row %, day %) was free (%)',
          earlier.day, chosen, earlier.available, earlier.lot_number, earlier.inventory_id, earlier.expiry_date, reach;
      end if;
    end $$`);
  await db.run(`
    create function refuse_unsold(chosen int, what text, days int) returns void language plpgsql as $$
    declare wrong record;
    begin
      select v.condition, v.expiry_date, v.lot_number into wrong from inventory v ${SELLABLE_JOINS}
      where v.inventory_id = chosen
        and (v.condition <> 'AVAILABLE' or ${LAST_DAY_OF_SALE} < ${todayAt("v.warehouse_id")}
          or v.expiry_date - days < ${todayAt("v.warehouse_id")});
      if found then
        raise exception '% of row %: lot %, %, last day %', what, chosen, wrong.lot_number, wrong.condition,
          wrong.expiry_date;
      end if;
    end $$`);
  await trigger(
    "stock_reservations",
    "insert",
    `if new.created_at = now() and exists (
         select from stock_reservations r where r.so_line_id = new.so_line_id and r.inventory_id = new.inventory_id)
       and not exists (select from pick_tasks t where t.inventory_id = new.inventory_id
         and t.status in ('SKIPPED', 'RELEASED') and t.xmin::text::bigint = txid_current() % 4294967296) then
       perform refuse_unsold(new.inventory_id, 'reserved', ${DAYS_OF_LINE});
       perform refuse_choice(new.inventory_id, 'all', null, null, ${DAYS_OF_LINE});
     end if;`,
  );
  await trigger(
    "transfer_reservations",
    "insert",
    `if new.created_at = now() then
       perform refuse_unsold(new.inventory_id, 'reserved for a transfer', null);
       perform refuse_choice(new.inventory_id, 'all', null, null, null);
     end if;`,
  );
  await trigger(
    "pick_tasks",
    "insert",
    `if new.created_at = now() and new.to_line_id is null then
       perform refuse_unsold(new.inventory_id, 'a task', ${DAYS_OF_TASK});
       perform refuse_choice(new.inventory_id,
         case when (select batch_number from pick_batches where batch_id = new.batch_id) like 'ADMIN-PICK%'
           then 'bin' else 'picked from' end, new.bin_id, new.batch_id,
         ${DAYS_OF_TASK});
     end if;`,
  );
  await trigger(
    "counter_sale_units",
    "insert",
    `perform refuse_choice(
       (select inventory_id from inventory where item_id = new.item_id and bin_id = new.bin_id
          and lot_number is not distinct from new.lot_number), 'bin', new.bin_id, null, null);`,
  );
  await trigger(
    "pick_tasks",
    "update",
    `if new.quantity_picked > old.quantity_picked then
       perform refuse_unsold(new.inventory_id, 'a pick', ${DAYS_OF_TASK});
     end if;
     if new.inventory_id <> old.inventory_id and new.bin_id = old.bin_id then
       perform refuse_swap(old.inventory_id, new.inventory_id);
     end if;`,
  );
  await db.run(`
    create function refuse_swap(planned int, taken int) returns void language plpgsql as $$
    declare swap record;
    begin
      select lot_picking, p.expiry_date as planned_day, t.expiry_date as taken_day into swap
      from inventory p join items using (item_id), inventory t
      where p.inventory_id = planned and t.inventory_id = taken;
      if swap.lot_picking = 'exact' or swap.lot_picking = 'first_expired_only'
          and coalesce(swap.taken_day, '9999-12-31') > coalesce(swap.planned_day, '9999-12-31') then
        raise exception '% allows no row % (%) for % (%)', swap.lot_picking, taken, swap.taken_day, planned,
          swap.planned_day;
      end if;
    end $$`);
}

/** Rules about rows that are written, looked at when the transaction commits. */
async function trigger(table: string, event: "insert" | "update", rule: string): Promise<void> {
  const name = `lot_rules_${table}_${event}`;
  await db.run(`create function ${name}() returns trigger language plpgsql as $$ begin ${rule} return null; end $$`);
  await db.run(
    `create constraint trigger ${name} after ${event} on ${table} deferrable initially deferred
     for each row execute function ${name}()`,
  );
}
