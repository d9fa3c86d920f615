import { z } from "zod";
import { Barcode, Id, Text, Time, Units, WorkflowsUrl } from "../platform/fields.js";
import { BatchStatus, OrderStatus, TaskStatus, TransferStatus } from "../platform/statuses.js";
import { LineProperties } from "../sales-orders/properties.js";

/** Pick batches, their tasks and what the picking routes take and answer (docs/interface.md, Picking). */

const MaybeText = z.string().nullable();

export const PickTask = z
  .strictObject({
    pick_task_id: Id,
    pick_sequence: z.int(),
    bin_code: z.string(),
    bin_barcode: z.string(),
    zone: MaybeText,
    aisle: MaybeText,
    row_num: MaybeText,
    level_num: MaybeText,
    sku: z.string(),
    item_name: z.string(),
    upc: MaybeText,
    quantity_to_pick: Units,
    tote_number: MaybeText,
    so_number: MaybeText,
    to_number: MaybeText,
    status: TaskStatus,
    line_properties: z
      .array(
        z
          .strictObject({ so_number: z.string(), so_line_id: Id, quantity: Units, properties: LineProperties })
          .meta({ id: "PickTaskLineProperties", description: "Units of a task of which a customer wants something." }),
      )
      .describe("Of which of its units a customer wants something, such as an engraving, by the line of the order."),
  })
  .meta({ id: "PickTask", description: "Units of an item to pick from a bin." });
export type PickTask = z.infer<typeof PickTask>;

export const TakenBatch = z
  .strictObject({ batch_id: Id, batch_number: z.string(), assigned_to: z.string() })
  .meta({ id: "TakenPickBatch", description: "A batch that the caller picks now." });
export type TakenBatch = z.infer<typeof TakenBatch>;

export const NextPickTask = PickTask.extend({
  contributing_orders: z.array(z.strictObject({ so_number: z.string(), quantity: Units })),
  pick_number: z.int(),
  total_picks: z.int(),
  total_orders: z.int(),
}).meta({ id: "NextPickTask", description: "The next pending task of a batch, and its place among all tasks." });
export type NextPickTask = z.infer<typeof NextPickTask>;

/** What a batch picks: sales orders or a transfer order. */
const BatchKind = z.enum(["SO", "TO"]);

const kindFields = { kind: BatchKind, to_id: Id.nullable(), to_number: MaybeText };
export const BatchOrder = z
  .strictObject({ so_number: z.string(), tote_number: MaybeText })
  .meta({ id: "PickBatchOrder", description: "An order of a wave, and the tote that its units go into." });
export type BatchOrder = z.infer<typeof BatchOrder>;

export const ActiveBatch = z
  .strictObject({
    active: z.literal(true).describe("That there is one."),
    batch_id: Id,
    total_picks: z.int(),
    completed_picks: z.int(),
    total_orders: z.int(),
    created_at: Time,
    ...kindFields,
  })
  .meta({ id: "ActiveBatch", description: "The batch that a user is picking." });
export type ActiveBatch = z.infer<typeof ActiveBatch>;

export const PickBatch = z
  .strictObject({
    batch_id: Id,
    batch_number: z.string(),
    warehouse_id: Id,
    status: BatchStatus,
    total_orders: z.int(),
    total_items: Units,
    orders: z.array(
      BatchOrder.extend({ so_id: Id }).meta({ id: "PickBatchMember", description: "An order of a batch." }),
    ),
    tasks: z.array(PickTask),
    assigned_to: MaybeText,
    created_at: Time,
    completed_at: Time.nullable(),
    workflow_id: z
      .string()
      .meta({ examples: ["pick-wave-17"] })
      .describe("Its workflow in Temporal."),
    workflows_url: WorkflowsUrl,
    ...kindFields,
  })
  .meta({ id: "PickBatch", description: "A pick batch with its orders, and its tasks in the order of picking." });
export type PickBatch = z.infer<typeof PickBatch>;

/** A task has as many units as a stock row: it is done with one request. */
const MOST_PER_TASK = 2_147_483_647;
const TaskUnits = z
  .int()
  .positive()
  .max(MOST_PER_TASK)
  .meta({ examples: [5] });

export const PickConfirmation = z.strictObject({
  pick_task_id: Id,
  scanned_barcode: Barcode,
  quantity_picked: TaskUnits,
});
export type PickConfirmation = z.infer<typeof PickConfirmation>;

export const ConfirmedPick = z.strictObject({
  message: z.string(),
  task: z.strictObject({
    pick_task_id: Id,
    status: z.literal("PICKED"),
    sku: z.string(),
    quantity_picked: Units,
    bin_code: z.string(),
    tote_number: MaybeText,
  }),
  remaining_tasks: z.int(),
});
export type ConfirmedPick = z.infer<typeof ConfirmedPick>;

export const ShortPickReport = z.strictObject({
  pick_task_id: Id,
  quantity_available: z.int().min(0).max(MOST_PER_TASK).default(0),
  reason: Text(500, "damaged").nullish(),
});
export type ShortPickReport = z.infer<typeof ShortPickReport>;

export const RecordedShortPick = z.strictObject({
  message: z.string(),
  task: z.strictObject({
    pick_task_id: Id,
    status: z.literal("SHORT"),
    sku: z.string(),
    quantity_to_pick: Units,
    quantity_picked: Units,
    shortage: Units,
    bin_code: z.string(),
  }),
  replacements: z
    .array(
      z
        .strictObject({ pick_task_id: Id, bin_code: z.string(), quantity_to_pick: Units })
        .meta({ id: "ReplacementPick", description: "A new task of the batch for what was not found." }),
    )
    .describe("Where the rest is to be picked instead; empty where no other bin has any."),
  count_id: Id.nullable().describe("The new count of the bin; null where one waits already, or none is wanted."),
});
export type RecordedShortPick = z.infer<typeof RecordedShortPick>;

export const CompletedBatch = z
  .strictObject({
    message: z.string(),
    batch_id: Id,
    batch_number: z.string(),
    summary: z.strictObject({
      total_orders: z.int(),
      total_items_picked: Units,
      total_shorts: z.int(),
      orders: z.array(z.strictObject({ so_number: z.string(), status: OrderStatus })),
    }),
    /** Of the walk for a transfer order; no approval where nothing was picked. */
    transfer: z
      .strictObject({
        to_id: Id,
        to_number: z.string(),
        to_status: TransferStatus,
        to_approval_id: Id.nullable(),
      })
      .optional(),
  })
  .meta({ id: "CompletedBatch", description: "A pick batch that was completed, and what was picked for its orders." });
export type CompletedBatch = z.infer<typeof CompletedBatch>;

export const ActivePickBatch = z
  .strictObject({
    batch_id: Id,
    batch_number: z.string(),
    kind: BatchKind,
    orders: z.array(z.string()),
    to_number: MaybeText,
    assigned_to: MaybeText,
    completed_tasks: z.int(),
    total_tasks: z.int(),
    created_at: Time,
    status: BatchStatus,
    warehouse_id: Id,
    warehouse_code: z.string(),
  })
  .meta({ id: "ActivePickBatch", description: "A pick batch in progress, as the panel lists it." });
export type ActivePickBatch = z.infer<typeof ActivePickBatch>;

export const ShortPick = z
  .strictObject({
    log_id: Id,
    user: MaybeText,
    sku: z.string(),
    qty_expected: Units,
    qty_picked: Units,
    shortage: Units,
    reason: MaybeText,
    bin_code: MaybeText,
    batch_id: Id,
    timestamp: Time,
    warehouse_id: Id,
    warehouse_code: z.string().nullable(),
  })
  .meta({ id: "ShortPick", description: "A short pick, from the audit log." });

export const ShortPicks = z.strictObject({ short_picks: z.array(ShortPick), total: z.int() });
export type ShortPicks = z.infer<typeof ShortPicks>;
