/**
 * SQL that finds the items of a scanned code: those that have exactly this code, else those that have its GTIN in
 * another form, else those that have it in another case. `text` and `forms` are SQL, of a text and a text[]; each part
 * is an array of ids, or null. Several ids are several items with one code, which callers refuse. Archived items count
 * only where no active one has the code.
 */

/** The fields that may have a code. */
export type CodeField = "upc" | "sku" | "alias";
const FIELDS: CodeField[] = ["upc", "sku", "alias"];

/** The items with this very code, in one of these fields. Each field has an index of its own, hence the `union`. */
export const exactly = (text: string, fields = FIELDS, and = "true"): string => {
  const conditions = { upc: `upc = ${text}`, sku: `sku = ${text}`, alias: `barcode_aliases ? ${text}` };
  return sharing(fields.map((field) => conditions[field]).map((condition) => `${condition} and ${and}`));
};

/**
 * The items with a UPC or an alias among the forms of a GTIN. The forms are behind a `select` because Postgres would
 * otherwise plan each execution for their number.
 */
export const byGtin = (forms: string, fields = FIELDS, and = "true"): string => {
  const given = `(select ${forms})::text[]`;
  const conditions = { upc: `upc = any(${given})`, alias: `barcode_aliases ?| ${given}` };
  const asked = fields.filter((field) => field !== "sku");
  return sharing(asked.map((field) => `${conditions[field]} and ${and}`));
};

const sharing = (conditions: string[]) => {
  const found = conditions.map((condition) => `select item_id, is_active from items where ${condition}`);
  return `(select coalesce(array_agg(item_id) filter (where is_active), array_agg(item_id))
           from (${found.join(" union ")}) same)`;
};

/**
 * Whether it is a code of an item, ignoring case, because people type codes in lower case. Each field has an index for
 * it.
 */
const inAnyCase = (text: string) => [
  `upper(sku) = upper(${text})`,
  `upper(upc) = upper(${text})`,
  `barcode_aliases is not null and in_capitals(barcode_aliases) @> array[upper(${text})]`,
];

/** The items that have the code, ignoring case. */
export const byAnyCase = (text: string): string => sharing(inAnyCase(text));

/** Whether an item has exactly this code, whatever other items have it too. */
export const isExactly = (text: string): string =>
  `(upc = ${text} or sku = ${text} or barcode_aliases ? ${text}) is true`;

/** Whether a scan is one of the codes of an item: exactly, as a GTIN, or ignoring case. */
export const isOwnCode = (text: string, forms: string): string =>
  `(${isExactly(text)} or upc = any(${forms}) or barcode_aliases ?| ${forms}
    or ${inAnyCase(text).join(" or ")}) is true`;
