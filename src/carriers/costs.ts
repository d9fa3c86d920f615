import { dayBegins, zoneOf } from "../platform/db/days.js";
import { db } from "../platform/db/db.js";
import { CarrierCost } from "./label-shapes.js";

const ZONE = zoneOf("$1");
/** What is to be paid: a label whose refund the carrier rejects, too. */
const KEPT = "(status <> 'voided' or refund is not distinct from 'rejected')";

/** What labels cost that were bought in a range of days, by the clock of the warehouse. */
export const carrierCosts = (
  warehouseId: number,
  { start, end }: { start: string; end: string },
): Promise<CarrierCost[]> =>
  db.rows(
    CarrierCost,
    `select carrier, service, cost_currency, count(*)::int as labels,
            (count(*) filter (where not ${KEPT}))::int as voided,
            coalesce(sum(cost_minor) filter (where ${KEPT}), 0)::int8 as cost_minor,
            round(avg(cost_minor) filter (where ${KEPT}))::int8 as mean_minor
     from label_purchases
     where warehouse_id = $1 and bought_at >= ${dayBegins("$2", ZONE)}
       and bought_at < ${dayBegins("$3::date + 1", ZONE)}
     group by carrier, service, cost_currency order by cost_minor desc, carrier, service`,
    [warehouseId, start, end],
  );
