import { z } from "zod";
import { Moment, Paging, QueryBool } from "./fields.js";

/** Parameters of every list besides its filters: an order, and what changed since a time. */

/** A column to sort by, as SQL names it, or a field of the records. */
export interface SortKey {
  column: string;
  order: "asc" | "desc";
}

/** The same column the other way round. */
export const reversed = ({ column, order }: SortKey): SortKey => ({ column, order: order === "asc" ? "desc" : "asc" });

/** The requested order, and whether sums are wanted. */
export interface Arrangement {
  totals?: boolean | undefined;
  sort?: SortKey[] | undefined;
  updated_since?: string | undefined;
  after?: ChangePosition | undefined;
  cursor?: Cursor | undefined;
  quick_total?: boolean | undefined;
}

/** The first page of those that are read by cursors. */
export const START = "start";

/** Where such a page ended: what its last record has of the fields that it is sorted by, each as text, and its key. */
export type Cursor = typeof START | (string | null)[];

/** A record's position in the order of changes: when it changed, and its id among those that changed then. */
export interface ChangePosition {
  at: string;
  id: string;
}

/** A list that is read in pages. */
export interface List {
  /** The column that identifies a row of the list, as SQL names it. */
  key: string;
  /** The type that it is compared as. */
  keyType: "bigint" | "uuid";
  updatedAt: string | undefined;
  totals?: Totals;
  ties?: Ties;
}

/**
 * By what rows with the same value of a column are ordered as it ascends, where that is not the key alone: so that an
 * index which is there for a filter has that order, too.
 */
type Ties = Record<string, SortKey[]>;

/** The same list, in which rows with the same values are ordered in these ways. */
export const withTies = <L extends List>(of: L, ties: Ties) => ({ ...of, ties });

/** Sums over a list, by their names: of a column of its rows, or of the SQL of something that they do not show. */
export type Totals = Record<string, { says: string; sql?: string }>;

/** Above so many records nothing is summed: that would take longer than the list itself. */
export const MOST_SUMMED = 50_000;

/** The same list, of which sums can be asked for: `totals=true`. */
export const withTotals = <L extends List & { parameters: object }>(of: L, totals: Totals) => ({
  ...of,
  totals,
  parameters: {
    ...(of.parameters as L["parameters"]),
    totals: QueryBool.optional().describe("Whether `totals` are told: sums of all that the filters leave."),
  },
});

/**
 * Declares a list that is read in pages: the column that identifies a row, and those it can be sorted by. They are
 * named as in SQL: callers know `b.bin_code` as `bin_code`, and `a.user_id as username` as `username`. One with
 * `updated_at` among them takes `updated_since` too.
 */
export function list(key: string, ...sortable: string[]) {
  const columns = Object.fromEntries(
    sortable.map((text) => {
      const [column = text, name = column.slice(column.indexOf(".") + 1)] = text.split(" as ");
      return [name, column];
    }),
  );
  const { updated_at: updatedAt } = columns;
  const arranged = arrangementBy(columns);
  const keyType: List["keyType"] = key === "canonical_id" ? "uuid" : "bigint";
  // Its type leaves out the last parameter, which not every list has.
  const parameters: typeof Paging & typeof arranged & Reading = {
    ...Paging,
    ...arranged,
    cursor: CursorParam,
    quick_total: QuickTotal,
    ...(updatedAt && { after: After[keyType] }),
  };
  return { key, keyType, updatedAt, parameters };
}

/** The parameters of an unpaged list: it can be sorted by each field of its records that is not nested. */
export function wholeList(record: z.ZodObject) {
  const names = Object.keys(record.shape).filter((name) => isPlain(record.shape[name] as z.core.$ZodType));
  return arrangementBy(Object.fromEntries(names.map((name) => [name, name])));
}

function arrangementBy(columns: Record<string, string>) {
  const sort = Sort(columns)
    .optional()
    .describe("Fields to sort by, separated by commas, with a `-` before each that descends.");
  const updated_since = Moment.optional().describe("Only records that were made or changed at that time or later.");
  // Its type leaves out the second parameter, which not every list has.
  const parameters: { sort: typeof sort } = { sort, ...("updated_at" in columns && { updated_since }) };
  return parameters;
}

/** `2026-05-06T12:00:00.123456+00:00,42`: `updated_at` and id of the last record that was read. */
const afterBy = (isId: RegExp, example: string) =>
  z
    .string()
    .max(90)
    .transform((text, context): ChangePosition => {
      const [, time, id = ""] = /^([^,]+),([^,]+)$/.exec(text) ?? [];
      const { data: at } = Moment.safeParse(time);
      if (at && isId.test(id)) return { at, id };
      const message = "Not the `updated_at` and the id of a record, with a comma between";
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    })
    .meta({
      description: "Only what changed after that record (its `updated_at` and id), in the order of changes.",
      examples: [`2026-05-06T12:00:00.123456+00:00,${example}`],
    })
    .optional();

const Place = z.array(z.string().nullable()).min(1).max(20);

const CursorParam = z
  .string()
  .max(4_000)
  .transform((text, context): Cursor => {
    if (text === START) return START;
    const { data } = Place.safeParse(jsonIn(Buffer.from(text, "base64url").toString()));
    if (data) return data;
    context.addIssue({ code: "custom", message: `Neither ${START} nor the \`next_cursor\` of a page` });
    return z.NEVER;
  })
  .meta({
    description:
      "`start`, or the `next_cursor` of the page before: page after page, each as soon as the first one. None has a " +
      "record twice, or leaves one out that was there all the time. Without `sort` in the order of the ids.",
    examples: [START],
  })
  .optional();

const QuickTotal = QueryBool.optional().describe(
  "Whether `total` may be one more than was counted, where counting all would take long: `total_is_exact` says so. " +
    "All are counted meanwhile, for the next page.",
);

interface Reading {
  cursor: typeof CursorParam;
  quick_total: typeof QuickTotal;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const After = {
  bigint: afterBy(/^\d{1,18}$/, "42"),
  uuid: afterBy(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, "0190c3a2-7d1e-4b6a-9f53-2c8e4d5f6a7b"),
};

/** `-created_at,sku`: names of fields, each with a `-` before it where it descends. */
function Sort(columns: Record<string, string>) {
  const names = Object.keys(columns);
  const one = `-?(${names.join("|")})`;
  const field = new RegExp(`^${one}$`);
  return z
    .string()
    .max(256)
    .regex(new RegExp(`^${one}(,${one})*$`), {
      error: ({ input }) => {
        const unknown = String(input)
          .split(",")
          .find((word) => !field.test(word));
        return `Cannot sort by ${unknown?.replace(/^-/, "") || "nothing"}, only by ${names.join(", ")}`;
      },
    })
    .transform((text) =>
      text.split(",").map((word): SortKey => {
        const order = word.startsWith("-") ? "desc" : "asc";
        return { column: columns[word.replace("-", "")] as string, order };
      }),
    )
    .meta({ examples: [`-${names.find((name) => name.endsWith("_at")) ?? names[0]}`] });
}

function isPlain(schema: z.core.$ZodType): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "optional":
    case "nullable":
      return isPlain(def.innerType);
    case "string":
    case "number":
    case "boolean":
    case "enum":
    case "literal":
      return true;
    default:
      return false;
  }
}
