import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { AnyText, ExternalId, Id, QueryInt, Text, Time, Units } from "../../platform/fields.js";
import { list, withTotals } from "../../platform/list.js";
import { BatchStatus } from "../../platform/statuses.js";
import { ActivePickBatch, WalkLength } from "../shapes.js";
import { WaitingWave } from "./shapes.js";

/** Who picks how fast and what stands in the way, and waves as they went: docs/waves.md. */

/** So long without a scan, and a wave is called idle. */
export const IDLE_MINUTES = 10;

const blockers = ["idle", "short", "not_completed"] as const;

const BoardWave = z
  .strictObject({
    ...ActivePickBatch.pick({ batch_id: true, batch_number: true, kind: true }).shape,
    ...ActivePickBatch.pick({ completed_tasks: true, total_tasks: true, started_at: true }).shape,
    ...ActivePickBatch.pick({ warehouse_id: true, warehouse_code: true }).shape,
    short_tasks: z.int().describe("How many of those that are done came up short."),
    next_bin_code: AnyText("A-01-01").nullable().describe("The bin of the next task; null where all are done."),
    quiet_minutes: z.int().describe("For how many minutes nobody has scanned in it."),
    blockers: z
      .array(z.enum(blockers))
      .describe(
        `What may stand in its way: nobody has scanned for ${IDLE_MINUTES} minutes, tasks came up short, or all are ` +
          "done and it was not completed.",
      ),
  })
  .meta({ id: "BoardWave", description: "A wave that is being picked." });

export const BoardPicker = z
  .strictObject({
    user_id: Id.nullable().describe("The picker; null for one who is not a user any more."),
    username: field.AssignedTo,
    full_name: AnyText("Ann Packer").nullable().describe("The picker's full name."),
    picks_last_hour: z.int().describe("How many tasks the picker has done within the last hour."),
    units_last_hour: Units.describe("Units of them."),
    last_pick_at: Time.nullable().describe("The last of them."),
    waves: z.array(BoardWave).describe("What the picker is picking, the oldest first."),
  })
  .meta({ id: "BoardPicker", description: "Who may pick, with the waves and the pace of the last hour." });

export const PickBoard = z.strictObject({
  pickers: z.array(BoardPicker).describe("Who picks or may pick, by name."),
});

export const BatchAssignment = z
  .strictObject({
    user_id: field.UserId,
    take_over: z
      .boolean()
      .default(false)
      .describe("Also where somebody picks it: what was picked stays picked. Else that is refused."),
  })
  .meta({ id: "BatchAssignment", description: "Who is to pick a wave." });
export type BatchAssignment = z.infer<typeof BatchAssignment>;

export const WaveOfList = z
  .strictObject({
    ...ActivePickBatch.omit({ orders: true, completed_tasks: true }).shape,
    total_orders: field.TotalOrders,
    total_units: Units.describe("Units that it was made for."),
    picked_units: Units.describe("Units that were picked."),
    short_tasks: z.int().describe("How many tasks came up short."),
    completed_at: Time.nullable().describe("When it was completed or cancelled."),
    walk: WalkLength,
  })
  .meta({ id: "PickWave", description: "A wave as it went." });

export const waveList = withTotals(
  list(
    "p.batch_id",
    ...["p.batch_id", "p.batch_number", "p.status", "p.assigned_to", "p.total_orders", "p.created_at"],
    ...["p.started_at", "p.completed_at"],
  ),
  {
    total_units: { says: "Units that they were made for." },
    picked_units: { says: "Units that were picked." },
    short_tasks: { says: "How many tasks came up short." },
  },
);

/** `date_from` and `date_to` are the days on which waves ended, by the clock of each one's warehouse. */
export const WaveFilters = z.object({
  ...waveList.parameters,
  warehouse_id: field.WarehouseIdParam.optional(),
  status: BatchStatus.optional(),
  assigned_to: Text(150, "ann").optional().describe("Who picks or picked it."),
  date_from: field.DateFrom.optional(),
  date_to: field.DateTo.optional(),
});
export type WaveFilters = z.infer<typeof WaveFilters>;

export const WaitingOrders = z
  .strictObject({
    ...WaitingWave.pick({ waiting_id: true }).shape,
    external_id: ExternalId,
    warehouse_id: field.WarehouseId,
    warehouse_code: field.WarehouseCode,
    ...WaitingWave.omit({ waiting_id: true }).shape,
    created_by: field.CreatedBy,
    created_at: field.CreatedAt,
  })
  .meta({ id: "WaitingOrders", description: "Orders of a release that wait for units from reserve." });

export const WaitingIdParam = QueryInt.describe("Id of what waits.");
