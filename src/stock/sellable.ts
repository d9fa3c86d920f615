import { dayAt, zoneOfJoined } from "../platform/db/days.js";

/**
 * The rule for what can be sold, defined only here. All code that promises stock (reservations, waves, tills, channels,
 * backorders, transfer orders) uses it: units that are not allocated, of an active item, in an active bin and zone of
 * an active warehouse, not in a zone for damaged goods or for goods that are still to be inspected, in no condition but
 * AVAILABLE, and not past the last day of their sale by the warehouse's clock.
 */

/** SQL: joins to a stock row `v` all tables that decide. */
export const SELLABLE_JOINS = `
  join bins b on b.bin_id = v.bin_id join zones z on z.zone_id = b.zone_id
  join warehouses w on w.warehouse_id = v.warehouse_id join items i on i.item_id = v.item_id`;

/** SQL: the last day on which units of the row `v` are sold: they must have the days left that their item asks for. */
export const LAST_DAY_OF_SALE = "(v.expiry_date - coalesce(i.min_days_at_shipping, 0))";

const TODAY = dayAt("now()", zoneOfJoined("w.timezone"));

/** SQL: how many days the units of the row `v` have left; null where they do not expire. With the joins. */
export const DAYS_LEFT = `(v.expiry_date - ${TODAY})`;

/** What an order asks for beyond what its items do: days that units must have left; null asks for nothing. */
export interface AskedDays {
  min_days_at_shipping: number | null;
}

/** SQL: whether units with so many `days` left will do for the order `so`. */
export const isFreshFor = (days: string): string => `coalesce(${days} >= so.min_days_at_shipping, true)`;

/** Those of the rows whose units will do for an order. */
export const freshFor = <Row extends { days_left: number | null }>(rows: Row[], order: AskedDays): Row[] =>
  rows.filter(({ days_left }) => days_left === null || days_left >= (order.min_days_at_shipping ?? 0));

/** SQL: whether the last day of their sale has passed; with the joins. */
export const IS_PAST_SALE = `coalesce(${LAST_DAY_OF_SALE} < ${TODAY}, false)`;

/** SQL: whether item `i` is sold from bin `b` of zone `z` and warehouse `w`. */
export const IS_SOLD_FROM = `(
  i.is_active and b.is_active and z.is_active and w.is_active and z.zone_type not in ('DAMAGE', 'QUALITY'))`;

/** SQL: whether the stock there may be sold at all; with the joins. */
export const IS_SELLABLE = `(${IS_SOLD_FROM} and v.condition = 'AVAILABLE' and not ${IS_PAST_SALE})`;

/** SQL: why the stock there may not be sold; null where it may. With the joins. */
export const WHY_NOT_SELLABLE = `case
  when not (i.is_active and b.is_active and z.is_active and w.is_active) then 'inactive'
  when z.zone_type = 'DAMAGE' then 'damage_zone' when z.zone_type = 'QUALITY' then 'quality_zone'
  when v.condition = 'EXPIRED' or ${IS_PAST_SALE} then 'past_sale' when v.condition <> 'AVAILABLE' then 'held' end`;

/** SQL: whether the bin `b` is a shelf: channels are told of what lies there, and backorders are served from it. */
export const IS_ON_SHELF = "b.bin_type in ('Pickable', 'PickableStaging')";

/**
 * SQL: whether pickers are sent to the bin `b`. Stock elsewhere is reserved, but has to be put away first, and that of
 * a reserve bin carried to a pick face (docs/replenishment.md).
 */
export const IS_PICKED_FROM = `(${IS_ON_SHELF} and not b.is_reserve)`;

/** SQL: the units of the row `v` that are not allocated, without those in doubt. */
export const FREE = "v.quantity_on_hand - v.quantity_allocated - v.quantity_doubted";

/**
 * SQL: whether the row `v` of the item `i` has units that can be promised, as far as these two tell: true for all rows
 * that can be sold, and for some that cannot.
 */
export const MAY_BE_SELLABLE = `(
  ${FREE} > 0 and v.condition = 'AVAILABLE' and coalesce(${LAST_DAY_OF_SALE} >= current_date - 1, true))`;

/** SQL: how many units of a stock row `v` can be promised, plus the caller's `own` allocated ones; with the joins. */
export const availableBeside = (own: string): string =>
  `case when ${IS_SELLABLE} then greatest(0, ${FREE} + ${own}) else 0 end`;
export const AVAILABLE = availableBeside("0");

/** SQL: the stock rows with units that can be promised, to be used like a table. */
export const SELLABLE_STOCK = `(
  select v.inventory_id, v.item_id, v.warehouse_id, v.bin_id, v.lot_number, v.expiry_date, v.updated_at, b.bin_code,
         ${DAYS_LEFT} as days_left, b.pick_sequence, ${FREE} as available, ${IS_PICKED_FROM} as is_picked_from,
         ${IS_ON_SHELF} as is_on_shelf
  from inventory v ${SELLABLE_JOINS}
  where ${FREE} > 0 and ${IS_SELLABLE})`;

/** The order of stock rows by their last day; those that do not expire come last. Rows of the same day are equal. */
export const firstExpired = (a: Expiring, b: Expiring): number => lastDay(a).localeCompare(lastDay(b));
/** A stock row, whose units may expire. */
interface Expiring {
  expiry_date: string | null;
}
const lastDay = ({ expiry_date }: Expiring) => expiry_date ?? "9999-12-31";

/** Reserved first: what expires first, then from the fullest rows. */
export const firstReserved = (a: Expiring & { available: number }, b: Expiring & { available: number }): number =>
  firstExpired(a, b) || b.available - a.available;

/**
 * Takes units from rows in the given order, as far as there are any, and lowers what is available there. Returns how
 * many are missing.
 */
export function takeFrom<Row extends { available: number }>(
  rows: Iterable<Row>,
  units: number,
  take: (row: Row, units: number) => void,
): number {
  let missing = units;
  for (const row of rows) {
    const here = Math.min(missing, row.available);
    // A row with units in doubt may have less than none.
    if (here <= 0) continue;
    take(row, here);
    row.available -= here;
    missing -= here;
  }
  return missing;
}
