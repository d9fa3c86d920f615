import { db } from "../../platform/db/db.js";
import { builder, containing } from "../../platform/db/list.js";
import { listPage } from "../../platform/db/listing.js";
import { Box, type BoxFilters, BoxToUse, boxList } from "./shapes.js";

/** The columns of a box `b`. */
export const BOX = `b.box_id, b.box_code, b.box_name, b.length_in::float8 as length_in, b.width_in::float8 as width_in,
  b.height_in::float8 as height_in, b.tare_lbs::float8 as tare_lbs, b.max_weight_lbs::float8 as max_weight_lbs,
  b.cost_minor, b.cost_currency, b.is_active, b.created_at, b.updated_at`;

/** A page of boxes, by code. */
export function boxes(filters: BoxFilters) {
  const { active, q } = filters;
  const query = builder("boxes as b").select(builder.raw(BOX)).orderBy(["b.box_code", "b.box_id"]);
  if (active !== undefined) query.where("b.is_active", active);
  if (q) query.whereRaw("(b.box_code ilike :like or b.box_name ilike :like)", { like: containing(q) });
  return listPage(Box, "boxes", query, filters, boxList);
}

/** The boxes in use, the smallest first. */
export const boxesToUse = (): Promise<BoxToUse[]> =>
  db.rows(
    BoxToUse,
    `select box_id, box_code, box_name, length_in::float8 as length_in, width_in::float8 as width_in,
            height_in::float8 as height_in, max_weight_lbs::float8 as max_weight_lbs
     from boxes where is_active order by boxes.length_in * boxes.width_in * boxes.height_in, box_code`,
  );
