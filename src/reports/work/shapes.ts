import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { Day, Id, Time, Units } from "../../platform/fields.js";

/** The waiting work on the floor of a warehouse, by the function that users need for it. */

/** The most that are listed of each. */
export const MOST_NAMED = 50;
/** Of so many orders to pick it is looked whether there is stock. */
export const MOST_LOOKED_AT = 100;

const WaitingWork = z
  .strictObject({
    id: Id.meta({ description: "Of the order, count or stock row." }),
    number: z.string().meta({ description: "The order's number, the bin's code or the SKU.", examples: ["SO-1001"] }),
    name: z
      .string()
      .nullable()
      .meta({
        description: "Customer, vendor, receiving warehouse or item; of a count, who it is for.",
        examples: ["Ada"],
      }),
    units: Units.meta({ description: "What is to be done in all; of a count, its lines." }),
    due: Day.nullable().meta({ description: "The day by which it is expected or has to be shipped." }),
    since: Time.meta({ description: "Since when it waits." }),
  })
  .meta({ id: "WaitingWork", description: "Something that waits for somebody on the floor." });

const Work = z
  .strictObject({
    total: z.int().meta({ description: "How many wait." }),
    next: z
      .array(WaitingWork)
      .meta({ description: `The first ${MOST_NAMED} at most, in the order in which they are due.` }),
  })
  .meta({ id: "WorkOfFunction", description: "What waits for those with one function." });
export type Work = z.infer<typeof Work>;

export const FloorWork = z
  .strictObject({
    warehouse_id: field.WarehouseId,
    receive: Work.meta({ description: "Purchase orders of which something is still to come." }),
    putaway: Work.meta({ description: "Stock in staging bins." }),
    replenish: Work.meta({ description: "Pick faces to fill up; urgent ones first." }),
    pick: Work.extend({
      looked_at: z
        .int()
        .optional()
        .meta({
          description:
            `How many of them, the most urgent and ${MOST_LOOKED_AT} at most, were looked at for stock. Of these are ` +
            "`covered` and `ready`.",
        }),
      covered: z.int().optional().meta({
        description: "How many of those that were looked at have all their units in bins to pick from.",
      }),
      ready: z
        .array(WaitingWork)
        .optional()
        .meta({
          description: `The first ${MOST_NAMED} at most of those that have: a wave of any other is refused.`,
        }),
    }).meta({ id: "WorkToPick", description: "Open orders that are in nobody's wave." }),
    wave: Work.meta({ description: "Batches that wait for a picker." }),
    walk: Work.meta({ description: "Batches that somebody picks; the name is the picker's." }),
    pack: Work.meta({ description: "Picked orders; none where packing is switched off." }),
    ship: Work.meta({ description: "Packed orders; where packing is switched off, picked ones too." }),
    count: Work.meta({ description: "Bins to count." }),
    transfer: Work.meta({ description: "Transfer orders to pick, also those that somebody is picking." }),
    transfer_in: Work.meta({
      description: "Transfer orders to this warehouse whose picked units wait to be approved.",
    }),
  })
  .meta({ id: "FloorWork", description: "What waits on the floor of a warehouse." });
export type FloorWork = z.infer<typeof FloorWork>;
