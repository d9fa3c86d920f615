import type { z } from "zod";
import { actorName } from "../auth/queries.js";
import { bool, int, text } from "../platform/db/columns.js";
import type { SalesOrderStatus } from "../platform/states.js";
import { OrderStatus } from "../platform/statuses.js";
import { isFulfilled } from "./fulfilment.js";
import { HoldReason } from "./holds.js";
import { NextStep } from "./next-step-shapes.js";
import { IN_WAVE, IS_SHORT, PACKING, UNITS_TO_PICK } from "./open-work.js";
import { OrderType } from "./shapes.js";

/** The next step of an order, and what it waits for. */

type Code = NextStep["code"];

/** The facts from which the next step of an order follows. */
export const StepFacts = NextStep.omit({ message: true, code: true }).extend({
  status: OrderStatus,
  order_type: OrderType,
  hold_reason: HoldReason.nullable(),
  is_voided: bool,
  is_short: bool,
  requires_packing: bool,
  cancellation_reason: text.nullable(),
  carrier: text.nullable(),
  tracking_number: text.nullable(),
  min_days_at_shipping: int.nullable(),
});
export type StepFacts = z.infer<typeof StepFacts>;

/** SQL of the facts of the order `so`. */
export const STEP_FACTS = `json_build_object(
  'status', so.status, 'order_type', so.order_type, 'hold_reason', so.hold_reason,
  'is_voided', so.voided_at is not null, 'is_short', ${IS_SHORT}, 'requires_packing', ${PACKING},
  'cancellation_reason', so.cancellation_reason, 'carrier', so.carrier, 'tracking_number', so.tracking_number,
  'min_days_at_shipping', so.min_days_at_shipping,
  'wave', (select json_build_object('batch_id', batch_id, 'batch_number', batch_number)
           from pick_batch_orders o join pick_batches using (batch_id) where o.so_id = so.so_id and o.active limit 1),
  'by', case
    when so.status = 'CANCELLED' then (
      select ${actorName("a.user_id")} from audit_log a
      where entity_type = 'SO' and entity_id = so.so_id and action_type = 'CANCEL' order by log_id desc limit 1)
    when ${IN_WAVE} then (
      select ${actorName("b.assigned_to")} from pick_batch_orders o join pick_batches b using (batch_id)
      where o.so_id = so.so_id and o.active limit 1) end,
  'missing', (
    select coalesce(json_agg(json_build_object('sku', sku, 'units', units) order by sku), '[]')
    from (
      select sku, case when so.order_type = 'return' then sum(quantity_ordered - quantity_received)
                       when so.status in ('PICKED', 'PACKED') then sum(quantity_ordered - quantity_picked)
                       when so.status = 'SHIPPED' then sum(quantity_ordered - quantity_shipped)
                       else sum(quantity_ordered - greatest(quantity_allocated, quantity_picked)) - ${UNITS_TO_PICK}
                       end as units
      from sales_order_lines l join items using (item_id) where l.so_id = so.so_id group by l.item_id, sku
    ) lacking
    where units > 0 and so.voided_at is null and not ${IN_WAVE}
      and (so.status in ('OPEN', 'WAITING_STOCK', 'PARTIALLY_RECEIVED', 'SHIPPED') or ${IS_SHORT})))`;

const ended: Partial<Record<SalesOrderStatus, Code>> = {
  ...{ CANCELLED: "cancelled", REFUNDED: "refunded", SHIPPED: "shipped" },
};

function codeOf({ status, order_type, hold_reason, is_voided, wave, missing, ...facts }: StepFacts): Code {
  if (is_voided) return "voided";
  if (order_type === "refund") return "documents_refund";
  const end = ended[status];
  if (end) return end;
  if (!isFulfilled(order_type)) return status === "RECEIVED" ? "returned" : "wait_for_return";
  if (hold_reason) return `held_${hold_reason}`;
  if (status === "FRAUD_REVIEW") return "review";
  if (status === "WAITING_STOCK") return "wait_for_stock";
  if (wave) return "in_wave";
  if (status === "OPEN") return missing.length > 0 ? "wait_for_stock" : "pick";
  if (facts.is_short) return "picked_short";
  return status === "PICKED" && facts.requires_packing ? "pack" : "ship";
}

const texts: Record<Code, (facts: StepFacts) => string> = {
  wait_for_stock: ({ missing, min_days_at_shipping: days }) =>
    `Waits for stock${days ? ` with at least ${days} days left` : ""}` +
    (missing.length > 0 ? `: ${inWords(missing)} missing` : ""),
  pick: () => "Ready to be picked",
  in_wave: ({ wave, by }) => `In wave ${wave?.batch_number}${by ? `, picked by ${by}` : ""}`,
  picked_short: ({ missing }) => `Picked short, ${inWords(missing)} missing: somebody has to decide what becomes of it`,
  pack: () => "To be packed",
  ship: () => "To be shipped",
  shipped: ({ carrier, tracking_number, missing }) =>
    `Shipped${by(carrier)}${behind(", tracking number ", tracking_number)}` +
    (missing.length > 0 ? `, without ${inWords(missing)}` : ""),
  review: () => "Held for review: somebody has to look at its addresses, and release or cancel it",
  held_differs_from_shop: () => "Held: it differs from its shop, and somebody has to decide",
  held_on_hold_in_shop: () => "Held until its shop wants it shipped",
  held_by_hand: () => "Held by somebody, who has to release it",
  cancelled: ({ by: who, cancellation_reason }) => `Cancelled${by(who)}${behind(": ", cancellation_reason)}`,
  refunded: () => "Refunded: nothing of it is shipped",
  wait_for_return: ({ missing }) =>
    missing.length > 0 ? `Waits for what comes back: ${inWords(missing)}` : "Waits for what comes back",
  returned: () => "All of it came back",
  voided: () => "Voided: nothing comes back",
  documents_refund: () => "Documents a refund: there is nothing to do",
};

const inWords = (missing: NextStep["missing"]) => missing.map(({ sku, units }) => `${units} of ${sku}`).join(", ");
const behind = (word: string, value: string | null) => (value ? word + value : "");
const by = (who: string | null) => behind(" by ", who);

export function nextStep(facts: StepFacts): NextStep {
  const { missing, wave, by } = facts;
  const code = codeOf(facts);
  return { code, message: texts[code](facts), missing, wave, by };
}
