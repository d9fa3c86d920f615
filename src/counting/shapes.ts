import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { ExternalId, Id, Paging, Text, Units } from "../platform/fields.js";
import { list } from "../platform/list.js";
import { CountStatus } from "../platform/statuses.js";
import { Adjustment } from "../stock/adjustments/shapes.js";

/** Each bin is a workflow of its own. */
const MOST_BINS = 500;
/** All lines of a count are sent in one message to its workflow, and Temporal refuses messages above 2 MB. */
export const MOST_LINES = 5_000;

export const NewCounts = z.strictObject({
  warehouse_id: field.WarehouseId,
  bin_ids: z.array(Id).min(1).max(MOST_BINS).describe("Ids of the bins, each of which gets a count of its own."),
});

/** A new count of a bin; `lines` is how many items are expected in it. */
export const CountCreated = z
  .strictObject({
    count_id: field.CountId,
    bin_id: field.BinId,
    bin_code: field.BinCode,
    status: CountStatus,
    lines: field.CountOfLines,
    assigned_to: field.AssignedTo.nullable(),
  })
  .meta({ id: "CreatedCycleCount", description: "A count of a bin that was just made." });
export type CountCreated = z.infer<typeof CountCreated>;

export const CountsCreated = z.strictObject({
  message: field.Done,
  counts: z.array(CountCreated).describe("The cycle counts, one for each bin."),
});

const CycleCount = z
  .strictObject({
    count_id: field.CountId,
    external_id: ExternalId,
    bin_id: field.BinId,
    bin_code: field.BinCode,
    bin_barcode: field.BinBarcode,
    warehouse_id: field.WarehouseId,
    status: CountStatus,
    assigned_to: field.AssignedTo.nullable(),
    created_at: field.CreatedAt,
  })
  .meta({ id: "CycleCount", description: "The count of a bin, without its lines." });

const CycleCountLine = z
  .strictObject({
    count_line_id: field.CountLineId,
    item_id: field.ItemId,
    sku: field.Sku,
    item_name: field.ItemName,
    upc: field.Upc.nullable(),
    // A number for blind counts too: scanners require it, and hide it (docs/interface.md, Counting).
    expected_quantity: field.ExpectedQuantity,
    // What was expected when the count was created; null for a blind count.
    expected_at_creation: Units.nullable().describe("Units that were there when the count was made."),
    counted_quantity: field.CountedQuantity.nullable(),
    variance: field.Variance.nullable(),
    scanned: z.boolean().describe("Whether the item was scanned."),
    unexpected: field.Unexpected,
  })
  .meta({ id: "CycleCountLine", description: "An item of a count." });

/** `show_expected` is false for a blind count: the counter does not see what is expected. */
export const CountWithLines = z.strictObject({
  cycle_count: CycleCount,
  show_expected: z.boolean().describe("Whether the counter sees the expected quantities."),
  lines: z.array(CycleCountLine).describe("The lines, each for one item."),
});
export type CountWithLines = z.infer<typeof CountWithLines>;

/** The counted quantity of a line, or of an item that no line expects. */
const CountedLine = z
  .strictObject({
    count_line_id: field.CountLineId.nullish(),
    counted_quantity: z
      .int()
      .min(0)
      .max(1_000_000)
      .meta({ description: "Units that were counted; null until then.", examples: [10] }),
    unexpected: field.Unexpected.default(false),
    item_id: field.ItemId.nullish(),
    /** Scanners send it, but only `item_id` is used. */
    sku: Text(128, "TST-001").nullish().describe("Stock keeping unit: the item's own code, unique."),
  })
  .refine((line) => line.unexpected || line.count_line_id, {
    error: "count_line_id is required",
    path: ["count_line_id"],
  })
  .refine((line) => !line.unexpected || line.item_id, {
    error: "item_id is required for an unexpected item",
    path: ["item_id"],
  });
export type CountedLine = Omit<z.infer<typeof CountedLine>, "sku">;

export const CountSubmission = z.strictObject({
  count_id: field.CountId,
  lines: z.array(CountedLine).max(MOST_LINES).describe("Empty only for a count without lines: of an empty bin."),
});

/** A line whose counted quantity differs, with the adjustment that an admin has to review. */
const Variance = z.strictObject({
  sku: field.Sku,
  expected: Units.describe("Units that should be there."),
  counted: Units.describe("Units that were counted."),
  variance: field.Variance,
  adjustment_id: field.AdjustmentId,
  unexpected: z.literal(true).optional().describe("Whether the item was found though none was expected."),
});
export type Variance = z.infer<typeof Variance>;

export const CountSubmitted = z.strictObject({
  message: field.Done,
  count_id: field.CountId,
  bin_code: field.BinCode,
  status: z.enum(["COMPLETED", "VARIANCE"]).describe("Where the record stands in its life."),
  summary: z
    .strictObject({
      total_lines: field.TotalLines,
      lines_with_variance: z.int().describe("Lines whose count differs."),
      lines_matched: z.int().describe("Lines whose count agrees."),
      adjustments: z.array(Variance).describe("Corrections of stock, each of one item in one bin."),
    })
    .describe("The figures in short."),
});
export type CountSubmitted = z.infer<typeof CountSubmitted>;

/** Counts that wait to be counted, and how many items are expected in each. */
export const OpenCounts = z.strictObject({
  counts: z.array(CycleCount.extend({ lines: field.CountOfLines })).describe("The cycle counts, one for each bin."),
});
export type OpenCounts = z.infer<typeof OpenCounts>;

export const countList = list(
  "count_id",
  ...["count_id", "bin_code", "status", "assigned_to", "created_at", "completed_at"],
);

/** Clients of this list do not page and expect all counts at once (docs/interface.md, Counting). */
export const CountFilters = z.object({
  ...countList.parameters,
  page: Paging.page.unwrap().optional().describe("Which page it is, from 1."),
  per_page: Paging.per_page.unwrap().optional(),
  warehouse_id: field.WarehouseIdParam.optional(),
});
export type CountFilters = z.infer<typeof CountFilters>;

const CountLineSummary = z
  .strictObject({
    count_line_id: field.CountLineId,
    sku: field.Sku,
    item_name: field.ItemName,
    expected_quantity: field.ExpectedQuantity,
    counted_quantity: field.CountedQuantity.nullable(),
    unexpected: field.Unexpected,
    variance: field.Variance.nullable(),
  })
  .meta({ id: "CycleCountLineSummary", description: "An item of a count in a list." });

export const CycleCountSummary = z
  .strictObject({
    count_id: field.CountId,
    external_id: ExternalId,
    warehouse_id: field.WarehouseId,
    bin_id: field.BinId,
    bin_code: field.BinCode,
    status: CountStatus,
    assigned_to: field.AssignedTo.nullable(),
    created_at: field.CreatedAt,
    completed_at: field.CompletedAt.nullable(),
    lines: z.array(CountLineSummary).describe("The lines, each for one item."),
    warehouse_code: field.WarehouseCode,
  })
  .meta({ id: "CycleCountSummary", description: "A count with its lines, in a list." });
export type CycleCountSummary = z.infer<typeof CycleCountSummary>;

export const CycleCountToReview = CycleCountSummary.extend({
  adjustments: z.array(Adjustment).describe("Corrections of stock, each of one item in one bin."),
}).meta({
  id: "CycleCountDetail",
  description: "A count with its lines, and the adjustments that its differences led to.",
});
export type CycleCountToReview = z.infer<typeof CycleCountToReview>;
