import { z } from "zod";
import { inThread, type ThreadCaller } from "../../platform/concurrency/in-thread.js";
import { arrayOf, int, text } from "../../platform/db/columns.js";
import { db } from "../../platform/db/db.js";
import { BoxMeasures, MEASURES, Measured, PER_POUND, sidesOf, volumeOf, WEIGHT } from "./closure.js";
import { TooManyUnits } from "./problems.js";
import { UNITS_IN_PARCELS } from "./rest.js";
import type { Suggestion } from "./shapes.js";
import type { Plan, PlannedParcel, UnitsToPlace } from "./suggest.js";

/** More units than that take too long to be placed one by one. */
const MOST_UNITS = 200;

const Rest = z.strictObject({
  ...{ so_id: int, so_number: text, warehouse_id: int },
  units: arrayOf(Measured.extend({ so_line_id: int })),
  boxes: arrayOf(BoxMeasures),
});
export type Rest = z.infer<typeof Rest>;

/** What of an order was picked and is in no parcel, and the boxes in use; undefined when there is no such order. */
export const restToPack = (soId: number): Promise<Rest | undefined> =>
  db.row(
    Rest,
    `select so_id, so_number, warehouse_id,
       (select coalesce(json_agg(l order by so_line_id), '[]')
        from (select so_line_id, sku, ${WEIGHT("i.weight_lbs")} as weight, ${MEASURES("i")}, 
                quantity_picked - ${UNITS_IN_PARCELS} as quantity
              from sales_order_lines l join items i using (item_id) where l.so_id = so.so_id) l
        where quantity > 0) as units,
       (select coalesce(json_agg(b order by box_id), '[]')
        from (select box_id, box_code, ${MEASURES("b")}, (tare_lbs * 10000)::int8 as tare,
                ${WEIGHT("max_weight_lbs")} as most from boxes b where is_active) b) as boxes
     from sales_orders so where so_id = $1`,
    [soId],
  );

/** Which boxes the rest of an order is best packed in, with the reason for each; 400 where it is too much. */
export async function suggestParcels(rest: Rest, caller: ThreadCaller): Promise<Suggestion> {
  const { so_id, so_number, units, boxes } = rest;
  const count = units.reduce((sum, { quantity }) => sum + quantity, 0);
  if (count > MOST_UNITS) throw TooManyUnits({ so_number, units: count, most: MOST_UNITS });
  const plan = await inThread<Plan>(
    { module: new URL("./suggest.js", import.meta.url).href, name: "planParcels", data: { units, boxes } },
    caller,
  );
  return {
    ...{ so_id, so_number },
    parcels: plan.parcels.map(shown),
    unmeasured: plan.unmeasured.map(named),
    too_large: plan.too_large.map(named),
    unweighed: [...new Set(units.filter(({ weight }) => weight === null).map(({ sku }) => sku))],
  };
}

const named = ({ so_line_id, sku, quantity }: UnitsToPlace) => ({ so_line_id, sku, quantity });

function shown({ box, units, reason }: PlannedParcel): Suggestion["parcels"][number] {
  const filled = units.reduce((sum, { of, quantity }) => sum + volumeIn(of) * BigInt(quantity), 0n);
  return {
    ...{ box_id: box.box_id, box_code: box.box_code, reason },
    units: units.map(({ of, quantity }) => ({ ...named(of), quantity })),
    weight_lbs: units.reduce((sum, { of, quantity }) => sum + (of.weight ?? 0) * quantity, box.tare) / PER_POUND,
    filled_percent: Number((filled * 100n) / volumeIn(box)),
  };
}

const volumeIn = (of: Parameters<typeof sidesOf>[0]): bigint => volumeOf(sidesOf(of) ?? [0, 0, 0]);
