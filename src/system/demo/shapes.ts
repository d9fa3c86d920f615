import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { AnyText } from "../../platform/fields.js";

const Count = z.int().nonnegative();

export const Demo = z
  .strictObject({
    made_by: AnyText("ann").describe("Who had it made."),
    made_at: field.CreatedAt,
    is_loaded: z.boolean().describe("False where loading was interrupted: asked for again, it goes on."),
    warehouse_codes: z.array(z.string()).meta({ description: "Its warehouses.", examples: [["DEMO"]] }),
    bins: Count.meta({ description: "Bins in them.", examples: [23] }),
    items: Count.meta({ description: "Items of the demo.", examples: [40] }),
    units: Count.meta({ description: "Units in its warehouses.", examples: [1800] }),
    sales_orders: Count.meta({ description: "Sales orders of its warehouses.", examples: [20] }),
    purchase_orders: Count.meta({ description: "Purchase orders of its warehouses.", examples: [6] }),
  })
  .meta({ id: "Demo", description: "The demo, and what is removed with it." });
export type Demo = z.infer<typeof Demo>;
