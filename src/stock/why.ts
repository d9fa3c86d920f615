import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { AnyText, Units } from "../platform/fields.js";
import { DAYS_LEFT, FREE, IS_ON_SHELF, IS_PICKED_FROM, SELLABLE_JOINS, WHY_NOT_SELLABLE } from "./sellable.js";

/** Why units of stock rows are not picked for an order, as the rows are now: docs/why.md. */

/** Why a row has no unit that could be picked for an order. */
export const unusable = [
  ...(["inactive", "damage_zone", "quality_zone", "past_sale", "held", "too_old"] as const),
  ...(["not_pickable", "in_reserve", "in_doubt", "reserved"] as const),
] as const;

/** A stock row, and who has its units. */
export const stockClaims = {
  inventory_id: field.InventoryId,
  bin_id: field.BinId,
  bin_code: field.BinCode,
  lot_number: field.Lot.nullable(),
  expiry_date: field.ExpiryDate.nullable(),
  quantity_on_hand: field.QuantityOnHand,
  quantity_available: Units.describe("Units that could be picked for the order now, with those reserved for itself."),
  quantity_reserved: Units.describe("Units that others have: in reservations, pick tasks and transfer orders."),
  quantity_held: Units.describe("Units on hold."),
  quantity_doubted: Units.describe("Units that a picker did not find."),
  reserved_for: z
    .array(
      z
        .strictObject({
          number: AnyText("SO-1001").describe("Number of the sales or transfer order."),
          units: Units.describe("How many it has."),
        })
        .meta({ id: "UnitsOfOrder", description: "Units that an order has." }),
    )
    .describe("The orders that have the most of them, at most 5."),
};

/** So many rows are named; those whose units could be picked come first, in the order of use. */
const MOST_ROWS = 50;

interface Asked {
  /** SQL: which rows `v`. */
  where: string;
  /** SQL: the days that units must have left for the order; null asks for nothing. */
  minDays: string;
  /** SQL: the ids of the order lines whose own reservations count as available. */
  ownLines: string;
  /** SQL: why a row `s` with such units comes later than another one, where that is asked. */
  later?: string;
}

/** SQL: the stock rows with units, their claims, and the `reason` why they are not picked. */
export const stockRows = ({ where, minDays, ownLines, later = "null" }: Asked): string => `
  select s.inventory_id, s.item_id, s.bin_id, s.bin_code, s.lot_number, s.expiry_date, s.quantity_on_hand,
    case when s.why is null then s.free else 0 end as quantity_available,
    s.quantity_allocated - s.own - s.held as quantity_reserved, s.held as quantity_held, s.quantity_doubted,
    coalesce(s.why, ${later}) as reason, (
      select coalesce(json_agg(json_build_object('number', number, 'units', units) order by units desc, number), '[]')
      from (
        select number, sum(units) as units from (
          select so_number, quantity from stock_reservations r join sales_order_lines using (so_line_id)
            join sales_orders using (so_id)
          where r.inventory_id = s.inventory_id and so_line_id <> all(${ownLines})
          union all
          select so_number, quantity from pick_tasks t join wave_pick_breakdown p using (pick_task_id)
            join sales_orders o on o.so_id = p.so_id
          where t.inventory_id = s.inventory_id and t.status = 'PENDING'
          union all
          select to_number, quantity from transfer_reservations r join transfer_order_lines using (to_line_id)
            join transfer_orders using (to_id)
          where r.inventory_id = s.inventory_id
        ) claims(number, units) group by number order by units desc, number limit 5) most) as reserved_for
  from (
    select c.* from (
      select v.inventory_id, v.item_id, v.bin_id, b.bin_code, b.pick_sequence, v.lot_number, v.expiry_date,
        v.updated_at, v.quantity_on_hand, v.quantity_allocated, v.quantity_doubted, own.units as own,
        holds.units as held, ${FREE} + own.units as free, coalesce(${WHY_NOT_SELLABLE}, case
          when ${DAYS_LEFT} < ${minDays} then 'too_old'
          when not ${IS_ON_SHELF} then 'not_pickable' when not ${IS_PICKED_FROM} then 'in_reserve'
          when ${FREE} + own.units > 0 then null
          when ${FREE} + own.units + v.quantity_doubted > 0 then 'in_doubt'
          when holds.units >= v.quantity_allocated - own.units then 'held'
          else 'reserved' end) as why
      from inventory v ${SELLABLE_JOINS}
      cross join lateral (
        select coalesce(sum(quantity), 0) as units from stock_reservations r
        where r.inventory_id = v.inventory_id and r.so_line_id = any(${ownLines})) own
      cross join lateral (
        select coalesce(sum(quantity_held), 0) as units from stock_holds h
        where h.inventory_id = v.inventory_id and quantity_held > 0) holds
      where v.quantity_on_hand > 0 and ${where}
    ) c
    order by c.why is not null, c.expiry_date, c.pick_sequence, c.updated_at, c.inventory_id limit ${MOST_ROWS}
  ) s
  order by s.why is not null, s.expiry_date, s.pick_sequence, s.updated_at, s.inventory_id`;
