import { z } from "zod";
import { bool, int, text } from "../platform/db/columns.js";
import { db, type Sql } from "../platform/db/db.js";
import { SELLABLE_STOCK } from "../stock/sellable.js";
import { AWAKE_MS, LOOK_MS, MOST_ORDERS, UNUSED_DAYS } from "./limits.js";
import { SandboxNotFound } from "./problems.js";
import { Sandbox } from "./shapes.js";
import type { SandboxState } from "./workflow.js";

/** SQL, for `sandboxes s`: when somebody last looked at it, moved it, or used a token of its warehouse. */
const USED_AT = `greatest(s.used_at,
  (select max(last_used_at) from wms_tokens where warehouse_ids @> array[s.warehouse_id]))`;
const ORDERS = "(select count(*) from sales_orders so where so.warehouse_id = s.warehouse_id)";
const ENDS_AT = `${USED_AT} + interval '${UNUSED_DAYS} days'`;
const IS_USED = `${USED_AT} > now() - interval '${AWAKE_MS} milliseconds'`;

const SANDBOX = `s.sandbox_id, s.connector_id, s.warehouse_id, s.warehouse_code, s.pace_seconds,
  case when ended_at is not null then 'ENDED' when filled_at is null then 'FILLING'
       when ${ORDERS} >= ${MOST_ORDERS} then 'FULL' when ${IS_USED} then 'MOVING' else 'RESTING' end as state,
  ${ORDERS} as orders, s.moves, s.last_move, s.made_by, s.made_at, ${USED_AT} as used_at,
  case when ended_at is null then ${ENDS_AT} end as ends_at, s.ended_at, s.ended_by`;

/** All sandboxes that there are, and the last hundred that have ended; the newest first. */
export const sandboxes = (): Promise<Sandbox[]> =>
  db.rows(
    Sandbox,
    `select ${SANDBOX} from sandboxes s
     where ended_at is null or sandbox_id in (
       select sandbox_id from sandboxes where ended_at is not null order by sandbox_id desc limit 100)
     order by sandbox_id desc`,
    [],
  );

export const sandbox = (sandboxId: number, sql: Sql = db): Promise<Sandbox | undefined> =>
  sql.row(Sandbox, `select ${SANDBOX} from sandboxes s where sandbox_id = $1`, [sandboxId]);

/** The sandbox that a partner has, or had last. */
export const sandboxOf = (connectorId: string): Promise<Sandbox | undefined> =>
  db.row(Sandbox, `select ${SANDBOX} from sandboxes s where connector_id = $1 order by sandbox_id desc limit 1`, [
    connectorId,
  ]);

const State = z.strictObject({
  ...{ sandbox_id: int, connector_id: text.nullable(), warehouse_id: int, warehouse_code: text },
  ...{ pace_seconds: int, moves: int, last_move: text.nullable(), orders: int, is_filled: bool },
  ...{ ended_by: text.nullable(), is_used: bool, ends_in_ms: int, as_of: text },
});

/** A sandbox for its workflow; 404 when there is none. */
export async function sandboxState(sql: Sql, sandboxId: number): Promise<SandboxState> {
  const found = await sql.row(
    State,
    `select s.sandbox_id, s.connector_id, s.warehouse_id, s.warehouse_code, s.pace_seconds, s.moves, s.last_move,
       ${ORDERS} as orders, filled_at is not null as is_filled, ended_by, ${IS_USED} as is_used,
       (extract(epoch from ${ENDS_AT} - now()) * 1000)::bigint as ends_in_ms, clock_timestamp()::text as as_of
     from sandboxes s where sandbox_id = $1`,
    [sandboxId],
  );
  if (!found) throw SandboxNotFound();
  const { is_used, ...state } = found;
  const goes = state.orders >= MOST_ORDERS ? "full" : is_used ? "on" : "unused";
  return { ...state, goes, next_ms: goes === "on" ? state.pace_seconds * 1_000 : LOOK_MS };
}

/** The next id, which the workflow is named by before the sandbox has its row. */
export async function takeSandboxId(): Promise<number> {
  const next = await db.row(
    { id: int },
    "select nextval(pg_get_serial_sequence('sandboxes', 'sandbox_id'))::int as id",
  );
  return next?.id as number;
}

const OfWarehouse = { id: int, warehouse_id: int };

/** The sandboxes that have not ended: each is a workflow. */
export const openSandboxes = () =>
  db.rows(
    OfWarehouse,
    "select sandbox_id as id, warehouse_id from sandboxes where ended_at is null order by sandbox_id",
  );

/** The warehouse of a sandbox that has not ended. */
export async function openSandboxIn(sandboxId: number): Promise<number | undefined> {
  const found = await db.row(
    OfWarehouse,
    "select sandbox_id as id, warehouse_id from sandboxes where sandbox_id = $1 and ended_at is null",
    [sandboxId],
  );
  return found?.warehouse_id;
}

const Item = z.strictObject({ item_id: int, sku: text, bin_id: int, available: int });
export type SandboxItem = z.infer<typeof Item>;

/** The items of a sandbox, each with its shelf and what lies there free. */
export const itemsOfSandbox = (sandboxId: number): Promise<SandboxItem[]> =>
  db.rows(
    Item,
    `select i.item_id, i.sku, i.default_bin_id as bin_id,
       coalesce((select sum(v.available) from ${SELLABLE_STOCK} v
                 where v.item_id = i.item_id and v.bin_id = i.default_bin_id), 0)::int as available
     from sandboxes s join items i on i.item_id = any(s.item_ids)
     where sandbox_id = $1 and i.default_bin_id is not null order by i.item_id`,
    [sandboxId],
  );

const Work = z.strictObject({
  ...{ kind: z.enum(["count", "walk", "pack", "ship", "receive", "take back", "send back", "begin"]) },
  ...{ id: int, number: text, scenario: text.nullable() },
});
export type SandboxWork = z.infer<typeof Work>;

/**
 * What there is to do in a warehouse, what was begun first: by what the rows say, so that a worker that takes over goes
 * on, and that what a partner pushes is worked like what is simulated.
 * @param number Of one order alone, and its return.
 */
export const workIn = (warehouseId: number, number: string | null = null): Promise<SandboxWork[]> =>
  db.rows(
    Work,
    `select kind, id, number, scenario from (
       select 1 as place, 'count' as kind, count_id as id, 'count ' || count_id as number, null as scenario
       from cycle_counts where warehouse_id = $1 and status in ('PENDING', 'IN_PROGRESS')
       union all
       select 2, 'walk', p.batch_id, so_number, memo
       from pick_batches p join pick_batch_orders b using (batch_id) join sales_orders using (so_id)
       where p.warehouse_id = $1 and b.active
       union all
       select case status when 'PACKED' then 3 when 'PICKED' then 4 else 7 end,
         case status when 'PACKED' then 'ship' when 'PICKED' then 'pack' else 'begin' end, so_id, so_number, memo
       from sales_orders so
       where warehouse_id = $1 and status in ('OPEN', 'PICKED', 'PACKED') and hold_reason is null
         and order_type not in ('return', 'refund')
         and not exists (select from pick_batch_orders b where b.so_id = so.so_id and active)
       union all
       select 5, 'take back', r.so_id, r.so_number, r.memo
       from sales_orders r where r.warehouse_id = $1 and r.order_type = 'return' and r.status = 'OPEN'
         and r.voided_at is null
       union all
       select 6, 'send back', so_id, so_number, memo
       from sales_orders so where warehouse_id = $1 and status = 'SHIPPED' and memo = 'return'
         and not exists (select from sales_orders r where r.parent_so_id = so.so_id and r.order_type = 'return')
       union all
       select 6, 'receive', po_id, po_number, null
       from purchase_orders where warehouse_id = $1 and status in ('OPEN', 'PARTIAL')
     ) as work
     where $2::text is null or number = $2 or number like $2 || '-RMA%'
     order by place, id limit 20`,
    [warehouseId, number],
  );
