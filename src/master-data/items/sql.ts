import type { z } from "zod";

/** A stored zero means that there is no measure: in answers it is null. */
const measures = ["weight_lbs", "length_in", "width_in", "height_in"];

/** SQL: the columns of `items as i` that are fields of the record; those of other tables are added to it. */
export const itemColumns = ({ shape }: z.ZodObject) =>
  Object.keys(shape)
    .map((name) => (measures.includes(name) ? `nullif(i.${name}, 0)::float8 as ${name}` : `i.${name}`))
    .join(", ");
