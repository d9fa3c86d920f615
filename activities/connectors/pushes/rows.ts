import { z } from "zod";
import { PushNotFound } from "../../../src/connectors/problems.js";
import type { PushAttempted, PushGivenUp, PushSummary } from "../../../src/connectors/pushes/push.js";
import { Push } from "../../../src/connectors/pushes/shapes.js";
import { int, text } from "../../../src/platform/db/columns.js";
import { db } from "../../../src/platform/db/db.js";
import type { FulfillmentPushStatus } from "../../../src/platform/states.js";
import { systemActor } from "../../../src/platform/system-actor.js";
import { PARTS } from "../../../src/sales-orders/holds.js";
import { command, type Tx } from "../../command.js";

/** How long a source is waited for that cannot be asked. */
const WAITS_FOR = "1 day";

/** The columns of a push `p` that its record has. */
const PUSH = `p.push_id, p.kind, p.connector_name, p.warehouse_id, p.so_id, p.fulfillment_id, p.source_order_id,
  p.tracking_numbers, p.carrier, p.service_level, p.shipped_at, p.status, p.attempts, p.external_id, p.last_error,
  p.created_at, p.updated_at, p.completed_at`;

/** Of a push `p`: the orders here that its source's order became, with all backorders that were split off it. */
const FAMILY = `
  select so.so_id, so.status
  from fulfillment_pushes p
    join cross_system_mappings m on m.source_system = p.connector_name || '-' || p.warehouse_id
      and m.source_type = 'sales_order' and m.source_id = p.source_order_id
    join sales_orders so on so.external_id = m.canonical_id
  where p.push_id = $1
  union
  select so.so_id, so.status
  from family join sales_orders so on so.parent_so_id = family.so_id and so.order_type in ${PARTS}`;

/** The shipped lines of a push `p` by item; several items of the source may be linked to one here: the oldest link. */
const LINES = `
  select (select source_id from cross_system_mappings m
          where m.canonical_id = i.external_id and m.canonical_type = 'item'
            and m.source_system = p.connector_name || '-' || p.warehouse_id
          order by mapping_id limit 1) as item,
         i.sku, sum(l.quantity_shipped) as quantity
  from item_fulfillment_lines l join items i using (item_id)
  where l.fulfillment_id = p.fulfillment_id group by i.item_id order by i.sku`;

/** What is still to come of the order once this shipment is gone: what was ordered, less what shipped until then. */
const LEFT = `
  select i.sku, (select source_id from cross_system_mappings m
                 where m.canonical_id = i.external_id and m.canonical_type = 'item'
                   and m.source_system = p.connector_name || '-' || p.warehouse_id
                 order by mapping_id limit 1) as item,
         sum(l.quantity_ordered - coalesce(s.units, 0)) as quantity
  from family join sales_order_lines l using (so_id) join items i using (item_id)
    left join lateral (
      select sum(quantity_shipped) as units
      from item_fulfillment_lines f join item_fulfillments h using (fulfillment_id)
      where f.so_line_id = l.so_line_id and h.status = 'SHIPPED' and h.fulfillment_id <= p.fulfillment_id) s on true
  where family.status not in ('CANCELLED', 'REFUNDED')
  group by i.item_id having sum(l.quantity_ordered - coalesce(s.units, 0)) > 0 order by i.sku`;

/** SQL: units that the order and its parts are for, and of these what shipped. */
const UNITS = `
  select coalesce(sum(quantity_ordered), 0) as ordered, coalesce(sum(quantity_shipped), 0) as shipped
  from family join sales_order_lines using (so_id) where family.status not in ('CANCELLED', 'REFUNDED')`;

export async function readPush(pushId: number): Promise<Push> {
  const push = await db.row(
    Push,
    `with recursive family as (${FAMILY})
     select ${PUSH}, so.so_number,
            f.status = 'VOIDED' as is_void, s.status as shipment_status, s.external_id as pushed_as,
            coalesce(p.started_at, p.created_at) < now() - interval '${WAITS_FOR}' as overdue,
            i.source_payload, (select coalesce(json_agg(l), '[]') from (${LINES}) l) as lines,
            (select count(*) > 1 from family)
              or coalesce((select sum(quantity_ordered) from sales_order_lines l where l.so_id = p.so_id)
                          > (select sum(quantity_shipped) from item_fulfillment_lines l
                             where l.fulfillment_id = p.fulfillment_id), false) as part,
            p.kind = 'ship' and not exists (
              select from family where status not in ('SHIPPED', 'CANCELLED', 'REFUNDED'))
              and (select shipped >= least(ordered, (select sum(value::int)
                                                     from jsonb_each_text(i.canonical_payload->'wanted')))
                   from (${UNITS}) u) as complete,
            (select coalesce(json_agg(l), '[]') from (${LEFT}) l) as to_come,
            array(select o.external_id
                  from fulfillment_pushes o join item_fulfillments stands using (fulfillment_id)
                  where o.connector_name = p.connector_name and o.warehouse_id = p.warehouse_id
                    and o.source_order_id = p.source_order_id and o.kind = 'ship' and o.external_id is not null
                    and o.fulfillment_id <> p.fulfillment_id and stands.status = 'SHIPPED'
                  order by o.push_id) as others
     from fulfillment_pushes p join sales_orders so using (so_id) join item_fulfillments f using (fulfillment_id)
       left join fulfillment_pushes s on p.kind = 'void' and s.fulfillment_id = p.fulfillment_id and s.kind = 'ship'
       left join inbound_sales_orders i on i.source_system = p.connector_name || '-' || p.warehouse_id
         and i.external_id = p.source_order_id and i.status = 'applied'
         and exists (select from cross_system_mappings m
                     where m.source_system = i.source_system and m.source_type = 'sales_order'
                       and m.source_id = i.external_id and m.canonical_id = i.canonical_id)
     where p.push_id = $1`,
    [pushId],
  );
  if (!push) throw PushNotFound();
  return push;
}

const DescribePushRow = {
  warehouse_id: int,
  so_number: text,
  warehouse_code: text,
  connector: text,
  kind: z.enum(["void", "ship"]),
};

/** What the workflow of a push shows. */
export async function describePush(pushId: number): Promise<PushSummary> {
  const told = await db.row(
    DescribePushRow,
    `select kind, connector_name as connector, so_number, p.warehouse_id, warehouse_code
     from fulfillment_pushes p join sales_orders so using (so_id)
       join warehouses w on w.warehouse_id = p.warehouse_id
     where push_id = $1`,
    [pushId],
  );
  if (!told) throw PushNotFound();
  return told;
}

/** What came of an attempt: `pending` when there will be another one. */
interface Outcome {
  status: FulfillmentPushStatus;
  external_id?: string | null;
  why?: string | null;
  /** It was no attempt that failed. */
  waits?: boolean;
}

const Settled = z.strictObject({
  ...Push.pick({ warehouse_id: true, so_number: true, connector_name: true, push_id: true, kind: true, so_id: true })
    .shape,
  ...Push.pick({ tracking_numbers: true, attempts: true, fulfillment_id: true }).shape,
});
type Settled = z.infer<typeof Settled>;

/**
 * Stores what came of an attempt, as the system user. Where another one of the same push has ended it meanwhile, that
 * one counts.
 */
export function settlePush(push: Settled, outcome: Outcome, waitMs?: number): Promise<PushAttempted> {
  const { push_id, attempts } = push;
  const { status } = outcome;
  const commandId = `push-${push_id}:${attempts}:${status}`;
  return command("connectors.settlePush", systemActor(commandId), { push_id, ...outcome }, async (tx) => {
    const changed = await writeOutcome(tx, push_id, outcome);
    if (!changed) return endedBefore(tx, push_id);
    const why = outcome.why ?? null;
    if (status === "pending") return { why, wait_ms: waitMs ?? 0, ...(outcome.waits && { waits: true }) };
    auditPush(tx, "FULFILLMENT_PUSH", push, outcome);
    return { ended: status, why };
  });
}

const GiveUpPushRow = { ...Settled.shape, ...Push.pick({ status: true, last_error: true }).shape };

/**
 * Gives a push up as the system user, because somebody asked its workflow to be cancelled in the Temporal UI. Where it
 * had ended before, says how.
 */
export function giveUpPush(pushId: number, commandId: string): Promise<PushGivenUp> {
  return command("connectors.giveUpPush", systemActor(commandId), { pushId }, async (tx) => {
    await tx.run("select from fulfillment_pushes where push_id = $1 for update", [pushId]);
    const push = await tx.row(
      GiveUpPushRow,
      `select push_id, kind, connector_name, p.warehouse_id, so_id, so_number, fulfillment_id, tracking_numbers,
              attempts, p.status, last_error
       from fulfillment_pushes p join sales_orders so using (so_id) where push_id = $1`,
      [pushId],
    );
    if (!push) throw PushNotFound();
    if (push.status !== "pending") return { ended: push.status, why: push.last_error };
    const outcome: Outcome = { status: "failed", why: "Given up in the Temporal UI" };
    await writeOutcome(tx, pushId, outcome);
    auditPush(tx, "FULFILLMENT_PUSH_GIVE_UP", push, outcome);
    return { ended: "cancelled" as const, why: null };
  });
}

const writeOutcome = (tx: Tx, pushId: number, { status, external_id = null, why = null }: Outcome) =>
  tx.run(
    `update fulfillment_pushes
     set status = $2::text, external_id = coalesce($3, external_id), last_error = $4, updated_at = now(),
       completed_at = case when $2::text <> 'pending' then now() end
     where push_id = $1 and status = 'pending'`,
    [pushId, status, external_id, why],
  );

const EndedBeforeRow = { ended: Push.shape.status, why: text.nullable() };

async function endedBefore(tx: Tx, pushId: number): Promise<PushAttempted> {
  const row = await tx.row(
    EndedBeforeRow,
    "select status as ended, last_error as why from fulfillment_pushes where push_id = $1",
    [pushId],
  );
  return row as PushAttempted;
}

function auditPush(tx: Tx, action: string, push: Settled, outcome: Outcome): void {
  const { so_id, so_number, warehouse_id, push_id, kind, connector_name, fulfillment_id, tracking_numbers } = push;
  tx.audit({
    action,
    entity: "SO",
    entityId: so_id,
    warehouseId: warehouse_id,
    details: {
      ...{ so_number, push_id, kind, connector: connector_name, fulfillment_id, tracking_numbers },
      ...{ attempts: push.attempts, ...outcome },
    },
  });
}
