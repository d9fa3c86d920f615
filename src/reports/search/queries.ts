import { z } from "zod";
import { isKnownIn } from "../../lots/queries.js";
import { readScan } from "../../platform/barcodes/scan.js";
import { arrayOf, each, int, text } from "../../platform/db/columns.js";
import { unprepared } from "../../platform/db/db.js";
import { beginning, begins, containing, isFoundByIndex } from "../../platform/db/list.js";
import { asUuid } from "../../platform/values.js";
import { addressPatterns, CUSTOMER_ADDRESS, goesTo } from "../../sales-orders/addresses.js";
import type { Kind, SearchResult } from "./shapes.js";

const Results = arrayOf(z.strictObject({ id: z.union([int, text]), label: text, sublabel: text.nullable() }));

/** The most results of each kind. */
const PER_KIND = 10;
/** The most results of all kinds. */
const MOST = 50;
/** The most rows that are fetched and sorted, for a text that matches nearly everything. */
const CANDIDATES = 200;
/** How many of the newest orders are filtered without an index, before the index is used for older ones. */
const RECENT = 500;

/**
 * Up to ten records of each kind whose names contain the text, or whose external id or GTIN it is, exact matches first;
 * all but items of the given warehouses. An ADMIN who has named none sees nothing of sandboxes, but all other lots,
 * wherever they lie (`hidesSandboxes`). One query. The trigram index finds a text anywhere when it has three letters
 * or digits in a row; a shorter one must be the beginning of a word. The number of a lot or serial begins with it.
 */
export async function search(
  sought: string,
  wanted: Kind[],
  warehouses: number[] | null,
  { hidesSandboxes = false } = {},
): Promise<SearchResult[]> {
  if (wanted.length === 0) return [];
  const anywhere = isFoundByIndex(sought);
  const contains = containing(sought);
  const first = beginning(sought);
  const patterns = anywhere ? [contains] : [first, `% ${first}`, `%-${first}`];
  const address = addressPatterns(sought);
  const lists = wanted.map(
    (kind) =>
      `(select coalesce(json_agg(f), '[]') from (${queries[kind](patterns.length, hidesSandboxes)}) f) as "${kind}"`,
  );
  const [found] = await unprepared(
    each(wanted, Results),
    `with ${orders("purchase_orders", "po_number", "po_id", "vendor_name", patterns.length)},
          ${orders("sales_orders", "so_number", "so_id", "customer_name", patterns.length)},
          ${ofCaller(anywhere)}, ${byAddress(address.length)}
     select ${lists.join()}`,
    {
      ...{ sought: [sought, sought.toUpperCase()], warehouses, uuid: asUuid(sought), forms: readScan(sought).forms },
      ...{
        contact: sought,
        phone: phoneEnd(sought),
        first,
        ...Object.fromEntries(patterns.map((pattern, i) => [`pattern${i}`, pattern])),
        ...Object.fromEntries(address.map((pattern, i) => [`address${i}`, pattern])),
      },
    },
  );
  return wanted.flatMap((type) => (found?.[type] ?? []).map((it) => ({ type, ...it }))).slice(0, MOST);
}

/** So many digits at the end of a telephone number are compared: before them, people write +44 or 0. */
const PHONE_DIGITS = 8;

/** The end of a text that is a telephone number; null for any other. */
const phoneEnd = (text: string): string | null => {
  const digits = text.replaceAll(/\D/g, "");
  return /^[\d\s()+./-]+$/.test(text) && digits.length >= PHONE_DIGITS ? digits.slice(-PHONE_DIGITS) : null;
};

const within = "(:warehouses::int[] is null or warehouse_id = any(:warehouses))";
const exactly = (column: string) => `${column} = any(:sought::text[])`;
/** SQL: whether a column matches one of the patterns. */
const fits = (column: string, patterns: number) =>
  Array.from({ length: patterns }, (_, i) => `${column} ilike :pattern${i}`).join(" or ");
/** The same for a code of one word, which needs only the first pattern: with more, Postgres scans a whole index. */
const fitsCode = (column: string) => fits(column, 1);

/**
 * SQL for `of_caller`: the sales orders that are found by what a customer who calls has at hand. That is a part of a
 * tracking number, which the trigram index finds, or the e-mail address or telephone number (`is_contact`).
 */
const ofCaller = (anywhere: boolean) => `
  of_caller as materialized (
    select so_id as id, so_number as number, customer_name as name, created_at, false as is_contact from sales_orders
    where ${anywhere} and ${within} and so_id in (
      select so_id from item_fulfillments where ${fitsCode("tracking_number")} limit ${CANDIDATES})
    union all
    (select so_id, so_number, customer_name, created_at, true from sales_orders
     where (lower(customer_email) = lower(:contact)
         or right(regexp_replace(customer_phone, '\\D', '', 'g'), ${PHONE_DIGITS}) = :phone) and ${within}
     limit ${CANDIDATES}))`;

/**
 * SQL for the sales orders that go to the address that is named, among the newest first, as `orders` does. They come
 * behind all others: who types a name or number means that.
 */
function byAddress(patterns: number): string {
  const columns = "so_id as id, so_number as number, customer_name as name, created_at";
  const where = `${within} and ${goesTo(Array.from({ length: patterns }, (_, i) => `:address${i}`)) || "false"}`;
  return `
  newest_by_address as materialized (
    select ${columns} from sales_orders so where ${where} and so_id in (select id from sales_orders_recent)),
  by_address as materialized (
    select * from newest_by_address
    union (select ${columns} from sales_orders so
           where (select count(*) from newest_by_address) < ${PER_KIND} and ${where} limit ${CANDIDATES}))`;
}

/** SQL, for the item of a row: that it is none of a sandbox. */
const isReal = (itemId: string) =>
  `not exists (select from items of_sandbox where of_sandbox.item_id = ${itemId} and is_sandbox)`;

const queries: Record<Kind, (patterns: number, hidesSandboxes: boolean) => string> = {
  item: (patterns, hidesSandboxes) => `
    select item_id as id, sku as label, item_name as sublabel
    from (
      select item_id, sku, item_name from items
      where ${exactly("sku")} or ${exactly("upc")} or barcode_aliases ?| :sought or external_id = :uuid
        or upc = any(:forms::text[]) or barcode_aliases ?| :forms
      union
      (select item_id, sku, item_name from items
       where ${fits("sku", patterns)} or ${fits("item_name", patterns)} or ${fitsCode("upc")} or ${fitsCode("mpn")}
         or ${fitsCode("barcode_aliases::text")} limit ${CANDIDATES})
    ) as hits ${hidesSandboxes ? `where ${isReal("hits.item_id")}` : ""}
    order by ${exactly("sku")} desc, sku limit ${PER_KIND}`,
  bin: (patterns) => `
    select bin_id as id, bin_code as label, warehouse_code || ' / ' || zone_name as sublabel
    from (
      select bin_id, bin_code, zone_id, warehouse_id from bins
      where (${exactly("bin_code")} or ${exactly("bin_barcode")} or external_id = :uuid) and ${within}
      union
      (select bin_id, bin_code, zone_id, warehouse_id from bins
       where (${fits("bin_code", patterns)} or ${fits("bin_barcode", patterns)}) and ${within} limit ${CANDIDATES})
    ) as hits join zones using (zone_id, warehouse_id) join warehouses using (warehouse_id)
    order by ${exactly("bin_code")} desc, bin_code, bin_id limit ${PER_KIND}`,
  po: () => `
    select id, number as label, name as sublabel from purchase_orders_found
    order by ${exactly("number")} desc, created_at desc, id desc limit ${PER_KIND}`,
  so: () => `
    select id, number as label, case when is_by_address then concat_ws(' · ', name, (
        select ${CUSTOMER_ADDRESS} from sales_orders so where so_id = id)) else name end as sublabel
    from (select id, number, name, created_at, bool_and(is_by_address) as is_by_address
          from (select id, number, name, created_at, false as is_by_address from sales_orders_found
                union all select id, number, name, created_at, false from of_caller
                union all select id, number, name, created_at, true from by_address) as every
          group by id, number, name, created_at) as hits
    order by ${exactly("number")} desc, is_by_address, created_at desc, id desc limit ${PER_KIND}`,
  customer: (patterns) => `
    select name as id, name as label, (array_agg(number order by created_at desc))[1] as sublabel
    from (select name, number, created_at from sales_orders_found where ${fits("name", patterns)}
          union all select name, number, created_at from of_caller where is_contact and name is not null) as hits
    group by name order by ${exactly("name")} desc, name limit ${PER_KIND}`,
  lot: (_, hidesSandboxes) =>
    units("lots", "lot_id", "lot_number", hidesSandboxes ? isReal("l.item_id") : isKnownIn(":warehouses")),
  serial: () => units("serials", "serial_id", "serial_number", within),
};

/**
 * SQL for lots or serials by the beginning of their number, `which` of them: that number exactly first. The sublabel
 * is their item.
 */
function units(table: "lots" | "serials", id: string, number: string, which: string): string {
  const rows = `select ${id}, ${number}, l.item_id from ${table} l where ${which} and`;
  return `
    select ${id} as id, ${number} as label, sku as sublabel
    from (
      ${rows} (${exactly(number)} or external_id = :uuid)
      union (${rows} ${begins(number, ":first")} limit ${CANDIDATES})
    ) as hits join items using (item_id) order by ${exactly(number)} desc, ${number}, ${id} limit ${PER_KIND}`;
}

/**
 * SQL for `<table>_found`: the order with exactly that number or external id, and those whose number or name matches.
 * A text that matches many orders matches enough of the newest ones, which are filtered without an index. The index is
 * used only when few of these match, and then returns few rows.
 */
function orders(table: string, number: string, id: string, name: string, patterns: number): string {
  const columns = `${id} as id, ${number} as number, ${name} as name, created_at`;
  return `
    ${table}_recent as materialized (
      select ${columns} from ${table} where ${within} order by created_at desc, ${id} desc limit ${RECENT}),
    ${table}_newest as materialized (
      select * from ${table}_recent where ${fits("number", patterns)} or ${fits("name", patterns)}),
    ${table}_found as materialized (
      select * from ${table}_newest
      union select ${columns} from ${table} where (${exactly(number)} or external_id = :uuid) and ${within}
      union (select ${columns} from ${table}
             where (select count(*) from ${table}_newest) < ${PER_KIND}
               and (${fits(number, patterns)} or ${fits(name, patterns)}) and ${within} limit ${CANDIDATES}))`;
}
