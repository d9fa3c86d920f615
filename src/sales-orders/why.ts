import { z } from "zod";
import { actorName } from "../auth/queries.js";
import { comingOrder } from "../master-data/items/coming.js";
import { int } from "../platform/db/columns.js";
import { db } from "../platform/db/db.js";
import { groupBy } from "../platform/values.js";
import { stockRows } from "../stock/why.js";
import { isFulfilled } from "./fulfilment.js";
import { nextStep, STEP_FACTS, StepFacts } from "./next-step.js";
import { WhyOrder } from "./why-shapes.js";

/** Why an order stands where it stands. It is worked out when somebody asks, from the rows as they are then. */

const FactsRow = z.strictObject({
  ...WhyOrder.omit({ code: true, words: true, lacks: true }).shape,
  ...{ warehouse_id: int, facts: StepFacts },
});
type FactsRow = z.infer<typeof FactsRow>;

/** SQL: the newest row of the audit log with this action of the order `so`. */
const newest = (action: string) => `
  select user_id, created_at, details from audit_log
  where entity_type = 'SO' and entity_id = so.so_id and action_type = '${action}' order by log_id desc limit 1`;

/** An order with what holds it, its wave, and what its next step follows from; undefined when there is none. */
export const orderToExplain = (soId: number): Promise<FactsRow | undefined> =>
  db.row(
    FactsRow,
    `select so.so_id, so.so_number, so.warehouse_id, now() as as_of, ${STEP_FACTS} as facts,
       case when so.hold_reason is not null or so.status = 'FRAUD_REVIEW' then json_build_object(
         'reason', coalesce(so.hold_reason::text, 'review'), 'by', held.user_id,
         'by_name', ${actorName("held.user_id")}, 'since', held.created_at,
         'note', held.details ->> 'reason') end as hold,
       (select json_build_object(
           'batch_id', p.batch_id, 'batch_number', p.batch_number, 'template_name', made.details ->> 'template_name',
           'made_by', case when made.details ? 'template_name' then 'template'
             when made.details ? 'assigned_to' then 'release' else 'picker' end,
           'by', made.user_id, 'by_name', ${actorName("made.user_id")}, 'made_at', p.created_at,
           'assigned_to', p.assigned_to)
        from pick_batch_orders o join pick_batches p using (batch_id) left join audit_log made
          on made.entity_type = 'PICK_BATCH' and made.entity_id = p.batch_id and made.action_type = 'CREATE'
        where o.so_id = so.so_id and o.active limit 1) as wave,
       case when so.status in ('OPEN', 'WAITING_STOCK', 'FRAUD_REVIEW') and not exists (
           select from pick_batch_orders o where o.so_id = so.so_id and o.active) then (
         select json_build_object('reason', details ->> 'reason', 'at', created_at)
         from (${newest("SO_LEFT_OUT")}) gone) end as left_out
     from sales_orders so left join lateral (
       select * from (${newest("SO_HELD")}) last where so.hold_reason is not null) held on true
     where so.so_id = $1`,
    [soId],
  );

const LackingStock = WhyOrder.shape.lacks.element.shape.stock.element.extend({ item_id: int });
const ItemOfSku = WhyOrder.shape.lacks.element.pick({ item_id: true, sku: true, coming: true });

/** Why an order stands where it stands, where the units lie that it lacks, and what brings more of them. */
export async function whyOrder({ warehouse_id, facts, ...shown }: FactsRow): Promise<WhyOrder> {
  const { code, message, missing } = nextStep(facts);
  const lacking = isFulfilled(facts.order_type) ? missing : [];
  const items = await db.rows(
    ItemOfSku,
    `select i.item_id, sku, case when po.po_id is not null then row_to_json(po) end as coming
     from items i left join lateral (${comingOrder("i.item_id", "$2")}) po on true where sku = any($1)`,
    [lacking.map(({ sku }) => sku), warehouse_id],
  );
  const rows = await db.rows(
    LackingStock,
    `select rows.* from unnest($1::int[]) asked(item_id) cross join lateral (${stockRows({
      where: "v.item_id = asked.item_id and v.warehouse_id = $2",
      minDays: "$3::int",
      ownLines: "array(select so_line_id from sales_order_lines where so_id = $4)",
    })}) rows`,
    [items.map(({ item_id }) => item_id), warehouse_id, facts.min_days_at_shipping, shown.so_id],
  );
  const stockOf = groupBy(rows, (row) => row.item_id);
  const lacks = lacking.flatMap(({ sku, units }) =>
    items
      .filter((item) => item.sku === sku)
      .map(({ item_id, coming }) => ({
        ...{ item_id, sku, units, coming },
        stock: (stockOf.get(item_id) ?? []).map(({ item_id: _item, ...row }) => row),
      })),
  );
  return { ...shown, code, words: message, lacks };
}
