import { z } from "zod";
import { dayOf, isTimeZone } from "./time.js";

/**
 * The fields that several routes have, each declared once, with its limits and an example (from which the examples of
 * the OpenAPI document are made).
 */
const INT4_MAX = 2_147_483_647;

const eg = <S extends z.ZodType>(schema: S, example: unknown): S => schema.meta({ examples: [example] });

/** Text of an answer, with an example. */
export const AnyText = (example: string) => eg(z.string(), example);

/** A value that other code checks against a fixed list, with a problem of its own: the document has it as an `enum`. */
export const listed = <S extends z.ZodType>(schema: S, values: readonly string[]): S =>
  schema.meta({ enum: [...values] });

/** The id of a record. */
export const Id = eg(z.int().positive().max(INT4_MAX), 1);
/** The id of a record in events; everywhere else records go by their `Id`. */
export const ExternalId = eg(
  z.guid().describe("UUID of the record, as events have it."),
  "0190c3a2-7d1e-4b6a-9f53-2c8e4d5f6a7b",
);
/** Units moved by one request. */
export const Quantity = eg(z.int().positive().max(100_000), 5);
/** Units ordered on a line. */
export const OrderQuantity = eg(z.int().positive().max(1_000_000), 10);
/** The number of an order's line. */
export const LineNumber = eg(z.int().positive().max(INT4_MAX), 1);
/** A count of units in an answer; may be zero, and negative only where the interface says so. */
export const Units = eg(z.int(), 10);
/** A name of the IANA list of time zones. */
export const TimeZone = eg(z.string().max(64).refine(isTimeZone, "Not a time zone of the IANA list"), "Europe/Berlin");
/** What a scanner reads. */
export const Barcode = eg(z.string().trim().min(1).max(128), "0400000000015");
/** A whole number from 0. */
export const WholeNumber = eg(z.int().nonnegative().max(INT4_MAX), 100);
export const LotNumber = eg(z.string().min(1).max(100), "LOT-7");
/** RFC 3339 with offset, in answers. */
export const Time = eg(z.iso.datetime({ offset: true }), "2026-05-06T12:00:00.123456+00:00");
/** The URL at which people watch workflows. */
export const WorkflowsUrl = eg(z.string(), "https://temporal.example.com/namespaces/default/workflows/")
  .nullable()
  .describe("Where a workflow can be watched, when its id is put behind it; null where no Temporal UI is named.");
/** An RFC 3339 time as UTC, to the microsecond as Postgres keeps it. */
function utc(text: string): string {
  const [, seconds, fraction = "", offset] = /^(.{11}[\d:]+)(\.\d{1,6})?\d*(.*)$/.exec(text) ?? [];
  const time = new Date(`${seconds}${offset}`).toISOString();
  return `${time.slice(0, -5)}${fraction}Z`;
}
/**
 * A time in a request: RFC 3339 with offset, converted to UTC. Its year, in UTC, is one from 1970 to 9998, so that
 * adding to it or subtracting from it gives a valid time.
 */
export const Moment = eg(
  z.iso
    .datetime({ offset: true })
    .max(64)
    .transform(utc)
    .refine((text) => text >= "1970" && text < "9999", "Not a time of the years 1970 to 9998 (UTC)"),
  "2026-05-06T12:00:00Z",
);
export const Day = eg(z.iso.date(), "2026-05-06");
/** A day in a request; a time after it is ignored. */
export const DayText = eg(
  z
    .string()
    .max(32)
    .refine((text) => dayOf(text) !== undefined, "Not a date as YYYY-MM-DD")
    .transform((text) => dayOf(text) as string),
  "2026-05-06",
);
/** A number of days. */
export const Days = z.int().nonnegative().max(36_500);
/** An exact decimal, as text. */
export const DecimalText = eg(z.string().regex(/^-?\d+(\.\d+)?$/), "19.90");
/** A cost in a request, a JSON number or a decimal as text; it is stored exactly. */
export const UnitCost = eg(
  z
    .union([z.number().nonnegative(), z.string()])
    .transform(String)
    .pipe(z.string().regex(/^\d{1,6}(\.\d{1,4})?$/, "Expected a decimal from 0 to 999999.9999, with at most 4 places")),
  "19.90",
);
export const Cost = eg(z.number().nonnegative(), 19.9);
export const Weight = eg(z.number().nonnegative(), 1.25);
/** Free text of at most `max` characters. */
export const Text = (max: number, example?: string) =>
  example === undefined ? z.string().max(max) : eg(z.string().max(max), example);
/** Text of 1 to `max` characters. */
export const Name = (max: number, example: string) => eg(z.string().trim().min(1).max(max), example);
/** The body of an edit: a field that is not sent stays as it is, and one at least is sent. */
export const Edit = <S extends z.ZodRawShape>(fields: S) =>
  z
    .strictObject(fields)
    .partial()
    .refine((sent) => Object.keys(sent).some((field) => field in fields), "At least one field to change is needed")
    .meta({ minProperties: 1 });
/**
 * An integer in a path or a query, as text of nothing but digits: `1e1`, `0x10`, `+1`, `1.0` and ` 1` are refused.
 */
export const IntText = (int: z.ZodInt) =>
  eg(
    z.preprocess((text) => (typeof text === "string" && /^\d+$/.test(text) ? Number(text) : text), int),
    1,
  );
/** Such as `?page=2`, or an id in a path. */
export const QueryInt = IntText(z.int().positive().max(INT4_MAX));
/** How many to answer at most: `?limit=100`. */
export const QueryLimit = (most: number) => IntText(z.int().positive().max(most));
/** The same for lists that people read, where a larger number than `most` means `most`. */
export const CappedLimit = (most: number) =>
  QueryInt.transform((limit) => Math.min(limit, most)).describe(`More than ${most} is taken as ${most}.`);
/** How many to skip: `?offset=100`. */
export const QueryOffset = IntText(z.int().nonnegative().max(INT4_MAX));
/** `true` or `false` in the query string. */
export const QueryBool = eg(
  z.enum(["true", "false"]).transform((text) => text === "true"),
  "true",
);
/** Words separated by commas in the query string. */
export const QueryList = eg(
  z.string().transform((text) => text.split(",").map((word) => word.trim())),
  "OPEN,PICKED",
);
/** The text to search for in a list. Blanks around it are ignored; blank text finds everything. */
export const SearchText = (example: string) => eg(z.string().trim().max(256), example);
/** Paging of every list (docs/interface.md, Answers and errors): `page` from 1, `per_page` at most 1000. */
export const Paging = {
  page: QueryInt.default(1).describe("Which page it is, from 1."),
  per_page: CappedLimit(1000).default(50),
};
/** Sums that a list tells with `totals=true`. */
const Sums = (totals: Record<string, { says: string }>) =>
  z
    .strictObject(Object.fromEntries(Object.entries(totals).map(([name, { says }]) => [name, Units.describe(says)])))
    .nullable()
    .optional()
    .describe("With `totals=true`: sums of all that the filters leave; null where that is too much to be summed.");

/** The answer of a paged list: the records under their plural name, and the numbers of rows and pages. */
export const paged = <K extends string, S extends z.ZodType>(
  plural: K,
  record: S,
  description: string,
  totals?: Record<string, { says: string }>,
) =>
  z
    .strictObject({
      [plural]: z.array(record).describe(description),
      total: z.int().describe("How many records there are on all pages together."),
      total_is_exact: z
        .boolean()
        .optional()
        .describe("With `quick_total=true`: false where there are at least so many, as no more were counted yet."),
      page: z.int().describe("Which page it is, from 1."),
      per_page: eg(z.int(), 50).describe("How many records a page has."),
      pages: z.int().describe("How many pages there are."),
      next_cursor: eg(z.string(), "WyIyMDI2LTA1LTA2IDEyOjAwOjAwKzAwIiwiNDIiXQ")
        .nullable()
        .optional()
        .describe("With `cursor`: of the next page; null where this is the last one."),
      ...(totals && { totals: Sums(totals) }),
    } as Record<K, z.ZodArray<S>> & {
      total: z.ZodInt;
      total_is_exact: z.ZodOptional<z.ZodBoolean>;
      page: z.ZodInt;
      per_page: z.ZodInt;
      pages: z.ZodInt;
      next_cursor: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    })
    .meta({
      id: `${record.meta()?.id?.replace(/Summary$|^Listed/, "")}Page`,
      description: "A page of the list, and how long the list is.",
    });
/** The name of a system that pushes records; its mapping document has it as its file name. */
export const SourceSystemName = eg(
  z.string().regex(/^[\w.-]{1,64}$/, "Expected 1 to 64 letters, digits, or _ . -"),
  "shop",
);
/** The kinds of systems that push records. */
export const sourceSystemKinds = ["connector", "internal_tool", "manual_import"] as const;
/** The name of a program that owns consumer groups, webhooks and tokens. */
export const ConnectorId = Name(64, "acme-erp");
export const Message = z
  .strictObject({ message: eg(z.string(), "Done").describe("What was done, in words.") })
  .meta({ id: "Message", description: "What was done, in words." });
