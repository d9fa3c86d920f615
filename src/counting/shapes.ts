import { z } from "zod";
import { ExternalId, Id, Paging, QueryInt, Text, Time, Units } from "../platform/fields.js";
import { list } from "../platform/list.js";
import { CountStatus } from "../platform/statuses.js";
import { Adjustment } from "../stock/adjustments/shapes.js";

/** Each bin is a workflow of its own. */
const MOST_BINS = 500;
/** All lines of a count travel in one message to its workflow, and Temporal takes no message above 2 MB. */
export const MOST_LINES = 5_000;

export const NewCounts = z.strictObject({
  warehouse_id: Id,
  bin_ids: z.array(Id).min(1).max(MOST_BINS),
});

/** A new count of a bin; `lines` is how many items are expected in it. */
const CountCreated = z.strictObject({
  count_id: Id,
  bin_id: Id,
  bin_code: z.string(),
  status: CountStatus,
  lines: z.int(),
  assigned_to: z.string().nullable(),
});
export type CountCreated = z.infer<typeof CountCreated>;

export const CountsCreated = z.strictObject({ message: z.string(), counts: z.array(CountCreated) });

const CycleCount = z
  .strictObject({
    count_id: Id,
    external_id: ExternalId,
    bin_id: Id,
    bin_code: z.string(),
    bin_barcode: z.string(),
    warehouse_id: Id,
    status: CountStatus,
    assigned_to: z.string().nullable(),
    created_at: Time,
  })
  .meta({ id: "CycleCount", description: "The count of a bin, without its lines." });

const CycleCountLine = z
  .strictObject({
    count_line_id: Id,
    item_id: Id,
    sku: z.string(),
    item_name: z.string(),
    upc: z.string().nullable(),
    // A number for blind counts too: scanners rely on it, and hide it (docs/interface.md, Counting).
    expected_quantity: Units,
    // What was expected when the count was created; null for a blind count.
    expected_at_creation: Units.nullable(),
    counted_quantity: Units.nullable(),
    variance: Units.nullable(),
    scanned: z.boolean(),
    unexpected: z.boolean(),
  })
  .meta({ id: "CycleCountLine", description: "An item of a count." });

/** `show_expected` is false for a blind count: the counter does not see what is expected. */
export const CountWithLines = z.strictObject({
  cycle_count: CycleCount,
  show_expected: z.boolean(),
  lines: z.array(CycleCountLine),
});
export type CountWithLines = z.infer<typeof CountWithLines>;

/** The counted quantity of a line, or of an item that no line expects. */
const CountedLine = z
  .strictObject({
    count_line_id: Id.nullish(),
    counted_quantity: z
      .int()
      .min(0)
      .max(1_000_000)
      .meta({ examples: [10] }),
    unexpected: z.boolean().default(false),
    item_id: Id.nullish(),
    /** Scanners send it, but only `item_id` is used. */
    sku: Text(128, "TST-001").nullish(),
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
  count_id: Id,
  lines: z.array(CountedLine).max(MOST_LINES).describe("Empty only for a count without lines: of an empty bin."),
});

/** A line whose counted quantity differs, with the adjustment that an admin has to review. */
const Variance = z.strictObject({
  sku: z.string(),
  expected: Units,
  counted: Units,
  variance: Units,
  adjustment_id: Id,
  unexpected: z.literal(true).optional(),
});
export type Variance = z.infer<typeof Variance>;

export const CountSubmitted = z.strictObject({
  message: z.string(),
  count_id: Id,
  bin_code: z.string(),
  status: z.enum(["COMPLETED", "VARIANCE"]),
  summary: z.strictObject({
    total_lines: z.int(),
    lines_with_variance: z.int(),
    lines_matched: z.int(),
    adjustments: z.array(Variance),
  }),
});
export type CountSubmitted = z.infer<typeof CountSubmitted>;

/** Counts that wait to be counted, and how many items each expects. */
export const OpenCounts = z.strictObject({ counts: z.array(CycleCount.extend({ lines: z.int() })) });
export type OpenCounts = z.infer<typeof OpenCounts>;

export const countList = list(
  "count_id",
  ...["count_id", "bin_code", "status", "assigned_to", "created_at", "completed_at"],
);

/** Clients of this list do not page and expect all counts at once (docs/interface.md, Counting). */
export const CountFilters = z.object({
  ...countList.parameters,
  page: Paging.page.unwrap().optional(),
  per_page: Paging.per_page.unwrap().optional(),
  warehouse_id: QueryInt.optional(),
});
export type CountFilters = z.infer<typeof CountFilters>;

const CountLineSummary = z
  .strictObject({
    count_line_id: Id,
    sku: z.string(),
    item_name: z.string(),
    expected_quantity: Units,
    counted_quantity: Units.nullable(),
    unexpected: z.boolean(),
    variance: Units.nullable(),
  })
  .meta({ id: "CycleCountLineSummary", description: "An item of a count in a list." });

export const CycleCountSummary = z
  .strictObject({
    count_id: Id,
    external_id: ExternalId,
    warehouse_id: Id,
    bin_id: Id,
    bin_code: z.string(),
    status: CountStatus,
    assigned_to: z.string().nullable(),
    created_at: Time,
    completed_at: Time.nullable(),
    lines: z.array(CountLineSummary),
    warehouse_code: z.string(),
  })
  .meta({ id: "CycleCountSummary", description: "A count with its lines, in a list." });
export type CycleCountSummary = z.infer<typeof CycleCountSummary>;

export const CycleCountToReview = CycleCountSummary.extend({ adjustments: z.array(Adjustment) }).meta({
  id: "CycleCountDetail",
  description: "A count with its lines, and the adjustments that its differences led to.",
});
export type CycleCountToReview = z.infer<typeof CycleCountToReview>;
