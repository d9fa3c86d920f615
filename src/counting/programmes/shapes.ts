import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { AnyText, Edit, ExternalId, Id, Time } from "../../platform/fields.js";
import { ClockTime, WeekDays } from "../../platform/week.js";
import { CountCreated } from "../shapes.js";

/** Which bins of a warehouse are counted how often: docs/counting.md. */

const Interval = (bins: string, example: number) =>
  z
    .int()
    .min(1)
    .max(3650)
    .nullable()
    .meta({ description: `So many days after its last count ${bins} is due; null: never.`, examples: [example] });

const fields = {
  interval_days_a: Interval("a bin whose most picked item is of class A", 30),
  interval_days_b: Interval("a bin whose most picked item is of class B", 90),
  interval_days_c: Interval("a bin whose most picked item is of class C", 180),
  empty_interval_days: Interval("a bin without stock", 90),
  per_day: z
    .int()
    .min(1)
    .max(500)
    .meta({ description: "So many counts a day at most.", examples: [20] }),
  days: WeekDays,
  start_time: ClockTime.meta({
    description: "When the counts of a day are made, by the clock of the warehouse.",
    examples: ["06:00"],
  }),
};

/** Counts by why they were made. */
const MadeBy = z
  .strictObject({
    doubt: z.int().describe("Of bins that are in doubt: people found less or more there than the books have."),
    class_a: z.int().describe("Of bins that are due, of class A."),
    class_b: z.int().describe("Of bins that are due, of class B."),
    class_c: z.int().describe("Of bins that are due, of class C."),
    empty: z.int().describe("Of bins that should be empty."),
  })
  .meta({ id: "CountsMade", description: "How many counts a run made, by why." });
export type MadeBy = z.infer<typeof MadeBy>;
export type DueReason = keyof MadeBy;

const Waiting = z.int().describe("How many bins are due beside these, and wait for the next days.");

const LastRun = z
  .strictObject({
    ran_at: Time.describe("When its last run ended."),
    made: MadeBy,
    waiting: Waiting,
    late_minutes: z.int().describe("How many minutes after its time it began, such as after an outage."),
  })
  .meta({ id: "CountProgrammeRun", description: "What came of a run of a count programme." });

export const CountProgramme = z
  .strictObject({
    programme_id: Id.describe("Id of the count programme, by which routes name it."),
    external_id: ExternalId,
    warehouse_id: field.WarehouseId,
    warehouse_code: field.WarehouseCode,
    ...fields,
    start_time: AnyText("06:00").describe("When the counts of a day are made, by the clock of the warehouse."),
    is_active: field.IsActive,
    next_run_at: Time.nullable().describe("When it makes counts next; null while it is not active."),
    last_run: LastRun.nullable().describe("What came of the last run; null before the first."),
    updated_at: field.UpdatedAt,
  })
  .meta({ id: "CountProgramme", description: "Which bins of a warehouse are counted how often." });
export type CountProgramme = z.infer<typeof CountProgramme>;

export const NewCountProgramme = z.strictObject({
  ...fields,
  warehouse_id: field.WarehouseId,
  interval_days_a: fields.interval_days_a.default(30),
  interval_days_b: fields.interval_days_b.default(90),
  interval_days_c: fields.interval_days_c.default(180),
  empty_interval_days: fields.empty_interval_days.default(null),
  days: fields.days.default([1, 2, 3, 4, 5]),
});
export type NewCountProgramme = z.infer<typeof NewCountProgramme>;

export const CountProgrammeChanges = Edit({ ...fields, is_active: field.IsActive });
export type CountProgrammeChanges = z.infer<typeof CountProgrammeChanges>;

const Share = (id: string, description: string) =>
  z
    .strictObject({
      numerator: z.int().describe("So many."),
      denominator: z.int().describe("Of so many."),
      percent: AnyText("69.16").nullable().describe("In per cent, rounded down to two places; null of nothing."),
    })
    .meta({ id, description });

const Seen = {
  bins: z.int().describe("Bins in use, now."),
  stock_rows: z.int().describe("Rows of stock in them: an item's lot in a bin."),
  seen: Share("BinsSeen", "Bins that were counted within their interval, of all that have an interval."),
  overdue: z.int().describe("Bins whose interval has passed, and those that have one and were never counted."),
  counts: z.int().describe("Counts of the last 90 days."),
  right: Share("CountLinesRight", "Lines of these counts without a difference, of all that were counted."),
  units_off: z.int().describe("Units by which the other lines differ, found and missing ones added."),
};

const Group = z
  .strictObject({
    group: z.enum(["A", "B", "C", "empty"]).describe("The class of the bins, or those without stock."),
    interval_days: z.int().nullable().describe("So many days after a count they are due; null: never."),
    ...Seen,
  })
  .meta({ id: "CountProgressGroup", description: "How much was seen of the bins of a class, and how right it was." });

export const CountProgress = z
  .strictObject({
    programme_id: Id.describe("Id of the count programme, by which routes name it."),
    warehouse_id: field.WarehouseId,
    warehouse_code: field.WarehouseCode,
    groups: z.array(Group).describe("By class of the bins, and those without stock."),
    house: z.strictObject(Seen).meta({ id: "CountProgressHouse", description: "The same of the whole warehouse." }),
    in_doubt: z.int().describe("Bins in doubt of which no count is open."),
    open_counts: z.int().describe("Bins that are counted now, or whose differences wait for a decision."),
    due: z.int().describe("Bins that are due or in doubt, and of which no count is open."),
  })
  .meta({ id: "CountProgress", description: "How much of a warehouse was seen, and how right it was." });
export type CountProgress = z.infer<typeof CountProgress>;

export const CountRun = z
  .strictObject({
    counts: z.array(CountCreated).describe("The counts that were made, the most urgent ones first."),
    made: MadeBy,
    waiting: Waiting,
  })
  .meta({ id: "CountRun", description: "What a run of a count programme has made." });
export type CountRun = z.infer<typeof CountRun>;
