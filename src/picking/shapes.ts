import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { AnyText, Id, Moment, Text, Time, Units, WorkflowsUrl } from "../platform/fields.js";
import { BatchStatus, OrderStatus, TaskStatus, TransferStatus } from "../platform/statuses.js";
import { LineProperties } from "../sales-orders/properties.js";
import { HeldLease } from "./held-lease.js";

/** Pick batches, their tasks, and the requests and answers of the picking routes (docs/interface.md, Picking). */

export const PickTask = z
  .strictObject({
    pick_task_id: field.PickTaskId,
    pick_sequence: field.PickSequence,
    bin_code: field.BinCode,
    bin_barcode: field.BinBarcode,
    zone: AnyText("A").nullable().describe("Name of the zone that the bin is in."),
    aisle: field.Aisle.nullable(),
    row_num: field.RowNum.nullable(),
    level_num: field.LevelNum.nullable(),
    sku: field.Sku,
    item_name: field.ItemName,
    upc: field.Upc.nullable(),
    quantity_to_pick: field.QuantityToPick,
    lot_number: field.Lot.nullable(),
    expiry_date: field.ExpiryDate.nullable(),
    tote_number: field.ToteNumber.nullable(),
    so_number: field.SoNumber.nullable(),
    to_number: field.ToNumber.nullable(),
    status: TaskStatus,
    line_properties: z
      .array(
        z
          .strictObject({
            so_number: field.SoNumber,
            so_line_id: field.SoLineId,
            quantity: field.UnitCount,
            properties: LineProperties,
          })
          .meta({ id: "PickTaskLineProperties", description: "Units of a task of which a customer wants something." }),
      )
      .describe("Of which of its units a customer wants something, such as an engraving, by the line of the order."),
  })
  .meta({ id: "PickTask", description: "Units of an item to pick from a bin." });
export type PickTask = z.infer<typeof PickTask>;

export const TakenBatch = z
  .strictObject({ batch_id: field.BatchId, batch_number: field.BatchNumber, assigned_to: field.AssignedTo })
  .meta({ id: "TakenPickBatch", description: "A batch that the caller picks now." });
export type TakenBatch = z.infer<typeof TakenBatch>;

export const NextPickTask = PickTask.extend({
  contributing_orders: z
    .array(
      z
        .strictObject({ so_number: field.SoNumber, quantity: field.UnitCount })
        .meta({ id: "PickTaskOrder", description: "An order, and how many units of a task are for it." }),
    )
    .describe("The orders that the units are for."),
  pick_number: z.int().describe("Where the task comes in the wave, from 1."),
  total_picks: field.TotalPicks,
  total_orders: field.TotalOrders,
}).meta({ id: "NextPickTask", description: "The next pending task of a batch, and its place among all tasks." });
export type NextPickTask = z.infer<typeof NextPickTask>;

const Metres = z.number().meta({ examples: [184.6] });

export const WalkLength = z
  .strictObject({
    metres: Metres.describe("From the depot over all stops and back, as it was planned."),
    by_sequence_metres: Metres.describe("The same in the order of the `pick_sequence` of the bins."),
  })
  .nullable()
  .meta({
    id: "WalkLength",
    description: "How far the walk is; null where the warehouse has no layout, or a bin no place in it.",
  });

/** What a batch picks: sales orders or a transfer order. */
const BatchKind = z.enum(["SO", "TO"]).describe("What kind it is.");

const kindFields = { kind: BatchKind, to_id: field.ToId.nullable(), to_number: field.ToNumber.nullable() };
export const BatchOrder = z
  .strictObject({ so_number: field.SoNumber, tote_number: field.ToteNumber.nullable() })
  .meta({ id: "PickBatchOrder", description: "An order of a wave, and the tote that its units go into." });
export type BatchOrder = z.infer<typeof BatchOrder>;

export const ActiveBatch = z
  .strictObject({
    active: z.literal(true).describe("That there is one."),
    batch_id: field.BatchId,
    total_picks: field.TotalPicks,
    completed_picks: z.int().describe("How many pick tasks are done."),
    total_orders: field.TotalOrders,
    created_at: field.CreatedAt,
    walk: WalkLength,
    ...kindFields,
  })
  .meta({ id: "ActiveBatch", description: "The batch that a user is picking." });
export type ActiveBatch = z.infer<typeof ActiveBatch>;

export const BatchInBody = z
  .strictObject({ batch_id: field.BatchId })
  .meta({ id: "PickBatchChoice", description: "Which wave it is." });

const StartedAt = Time.nullable().describe("When its picker began or took it; null while it waits for one.");

export const PickBatch = z
  .strictObject({
    batch_id: field.BatchId,
    batch_number: field.BatchNumber,
    warehouse_id: field.WarehouseId,
    status: BatchStatus,
    total_orders: field.TotalOrders,
    total_items: field.TotalItems,
    orders: z
      .array(
        BatchOrder.extend({ so_id: field.SoId }).meta({ id: "PickBatchMember", description: "An order of a batch." }),
      )
      .describe("The orders, one entry for each."),
    tasks: z.array(PickTask).describe("What is to be picked, in the order of picking."),
    assigned_to: field.AssignedTo.nullable(),
    created_at: field.CreatedAt,
    started_at: StartedAt,
    completed_at: field.CompletedAt.nullable(),
    workflow_id: z.string().meta({ description: "Its workflow in Temporal.", examples: ["pick-wave-17"] }),
    workflows_url: WorkflowsUrl,
    walk: WalkLength,
    lease: HeldLease.nullable().describe("Which device has it, to go on without the net; null where none has."),
    ...kindFields,
  })
  .meta({ id: "PickBatch", description: "A pick batch with its orders, and its tasks in the order of picking." });
export type PickBatch = z.infer<typeof PickBatch>;

/** A task has as many units as a stock row, and one request confirms it. */
const MOST_PER_TASK = 2_147_483_647;
const TaskUnits = z
  .int()
  .positive()
  .max(MOST_PER_TASK)
  .meta({ description: "Units that were picked so far.", examples: [5] });

/** For devices that go on without the net: docs/offline.md. */
const leasedScan = {
  lease_id: z.uuid().nullish().describe("The lease of the device; refused where another one has the wave by now."),
  scanned_at: Moment.nullish().describe("When it was done, where it is sent later; it is in the audit log."),
};

export const PickConfirmation = z.strictObject({
  pick_task_id: field.PickTaskId,
  scanned_barcode: field.ScannedBarcode,
  quantity_picked: TaskUnits,
  lot_number: field.GivenLot.nullish().describe("The lot of the units, where the scanned label does not name it."),
  ...leasedScan,
});
export type PickConfirmation = z.infer<typeof PickConfirmation>;

export const ConfirmedPick = z.strictObject({
  message: field.Done,
  task: z
    .strictObject({
      pick_task_id: field.PickTaskId,
      status: z.literal("PICKED").describe("Where the record stands in its life."),
      sku: field.Sku,
      quantity_picked: field.QuantityPicked,
      bin_code: field.BinCode,
      tote_number: field.ToteNumber.nullable(),
    })
    .describe("What was picked, and from which bin."),
  remaining_tasks: z.int().describe("How many pick tasks are left."),
});
export type ConfirmedPick = z.infer<typeof ConfirmedPick>;

export const ShortPickReport = z.strictObject({
  pick_task_id: field.PickTaskId,
  quantity_available: z
    .int()
    .min(0)
    .max(MOST_PER_TASK)
    .default(0)
    .describe("Units on hand that no order has reserved."),
  reason: Text(500, "damaged").nullish().describe("Why, in the words of the user."),
  ...leasedScan,
});
export type ShortPickReport = z.infer<typeof ShortPickReport>;

export const RecordedShortPick = z.strictObject({
  message: field.Done,
  task: z
    .strictObject({
      pick_task_id: field.PickTaskId,
      status: z.literal("SHORT").describe("Where the record stands in its life."),
      sku: field.Sku,
      quantity_to_pick: field.QuantityToPick,
      quantity_picked: field.QuantityPicked,
      shortage: field.Shortage,
      bin_code: field.BinCode,
    })
    .describe("The task that came up short."),
  replacements: z
    .array(
      z
        .strictObject({
          pick_task_id: field.PickTaskId,
          bin_code: field.BinCode,
          quantity_to_pick: field.QuantityToPick,
        })
        .meta({ id: "ReplacementPick", description: "A new task of the batch for what was not found." }),
    )
    .describe("Where the rest is to be picked instead; empty where no other bin has any."),
  count_id: Id.nullable().describe("The new count of the bin; null where one waits already, or none is wanted."),
});
export type RecordedShortPick = z.infer<typeof RecordedShortPick>;

export const CompletedBatch = z
  .strictObject({
    message: field.Done,
    batch_id: field.BatchId,
    batch_number: field.BatchNumber,
    summary: z
      .strictObject({
        total_orders: field.TotalOrders,
        total_items_picked: Units.describe("How many units were picked."),
        total_shorts: z.int().describe("How many tasks came up short."),
        orders: z
          .array(z.strictObject({ so_number: field.SoNumber, status: OrderStatus }))
          .describe("The orders, one entry for each."),
      })
      .describe("The figures in short."),
    /** For the walk of a transfer order; there is no approval where nothing was picked. */
    transfer: z
      .strictObject({
        to_id: field.ToId,
        to_number: field.ToNumber,
        to_status: TransferStatus,
        to_approval_id: field.ToApprovalId.nullable(),
      })
      .optional()
      .describe("The transfer order that the batch picked, and the approval that its picks wait for."),
  })
  .meta({ id: "CompletedBatch", description: "A pick batch that was completed, and what was picked for its orders." });
export type CompletedBatch = z.infer<typeof CompletedBatch>;

export const ActivePickBatch = z
  .strictObject({
    batch_id: field.BatchId,
    batch_number: field.BatchNumber,
    kind: BatchKind,
    orders: z.array(AnyText("SO-1001")).describe("The orders, one entry for each."),
    to_number: field.ToNumber.nullable(),
    assigned_to: field.AssignedTo.nullable(),
    completed_tasks: z.int().describe("How many pick tasks are done."),
    total_tasks: z.int().describe("How many pick tasks."),
    created_at: field.CreatedAt,
    status: BatchStatus,
    warehouse_id: field.WarehouseId,
    warehouse_code: field.WarehouseCode,
    started_at: StartedAt,
  })
  .meta({ id: "ActivePickBatch", description: "A pick batch in progress, as the panel lists it." });
export type ActivePickBatch = z.infer<typeof ActivePickBatch>;

export const ShortPick = z
  .strictObject({
    log_id: Id.describe("Id of the entry of the log."),
    user: field.User.nullable(),
    sku: field.Sku,
    qty_expected: Units.describe("Units that were to be picked."),
    qty_picked: Units.describe("Units that were picked."),
    shortage: field.Shortage,
    reason: field.Reason.nullable(),
    bin_code: field.BinCode.nullable(),
    batch_id: field.BatchId,
    timestamp: Time.describe("When it happened."),
    warehouse_id: field.WarehouseId,
    warehouse_code: field.WarehouseCode.nullable(),
  })
  .meta({ id: "ShortPick", description: "A short pick, from the audit log." });

export const ShortPicks = z.strictObject({
  short_picks: z.array(ShortPick).describe("The tasks that came up short."),
  total: z.int().describe("How many picks came up short, listed or not."),
});
export type ShortPicks = z.infer<typeof ShortPicks>;
