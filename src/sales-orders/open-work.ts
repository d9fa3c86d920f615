import { isBeforeToday, isToday } from "../platform/db/days.js";
import { isFreshFor, SELLABLE_STOCK } from "../stock/sellable.js";

/**
 * Conditions on `sales_orders so` for kinds of open work, defined only here: so a figure that counts it and the list
 * that shows it have the same rows.
 */

/** Orders that are still to be shipped; word for word the condition of the index `sales_orders_unfinished`. */
export const UNFINISHED =
  "status in ('OPEN', 'PICKED', 'PACKED', 'WAITING_STOCK') and order_type not in ('return', 'refund')";

export const IN_WAVE = "exists (select from pick_batch_orders b where b.so_id = so.so_id and b.active)";
export const PACKING = `not exists (
  select from app_settings where key = 'require_packing_before_shipping' and value = 'false')`;

/** Units in bins that are picked from which the order `so` can have for its line `l`. */
export const UNITS_TO_PICK = `(
  select coalesce(sum(available), 0) from ${SELLABLE_STOCK} s
  where s.item_id = l.item_id and s.warehouse_id = so.warehouse_id and is_picked_from
    and ${isFreshFor("s.days_left")})`;

/** Units of a line that are neither reserved nor picked are in no bin from which they could be picked. */
export const LACKS = `exists (
  select from sales_order_lines l
  where l.so_id = so.so_id and quantity_ordered > greatest(quantity_allocated, quantity_picked)
    and quantity_ordered - greatest(quantity_allocated, quantity_picked) > ${UNITS_TO_PICK})`;

/** Less was picked than is ordered, and nobody has decided about the rest. */
export const IS_SHORT = `(so.status in ('PICKED', 'PACKED') and so.order_type not in ('return', 'refund')
  and (so.short_accepted_at is null or so.short_accepted_at < so.picked_at) and exists (
    select from sales_order_lines l where l.so_id = so.so_id and l.quantity_picked < l.quantity_ordered))`;

/** An order on hold may not be picked, packed or shipped until a person decides. */
const NOT_HELD = "so.hold_reason is null";

/** Orders that may go into a wave, as far as there is stock. */
export const TO_PICK = `status = 'OPEN' and ${NOT_HELD} and not ${IN_WAVE}`;

export const OPEN_WORK = {
  ready_to_pick: `${TO_PICK} and not ${LACKS}`,
  lacks_stock: `${TO_PICK} and ${LACKS}`,
  in_picking: IN_WAVE,
  ready_to_pack: `status = 'PICKED' and ${NOT_HELD} and ${PACKING}`,
  ready_to_ship: `(status = 'PACKED' or status = 'PICKED' and not ${PACKING}) and ${NOT_HELD}`,
  short: IS_SHORT,
  late: isBeforeToday("ship_by_date", "so.warehouse_id"),
  due_today: isToday("ship_by_date", "so.warehouse_id"),
};
export type OpenWork = keyof typeof OPEN_WORK;
