import { columns, lineColumns } from "../../inbound/columns.js";
import { unguarded } from "../../platform/files/formulas.js";
import type { Column } from "../../platform/pushed-columns.js";
import type { LineProperties } from "../../sales-orders/properties.js";
import { type Page, type Source, SourceError, type SourceRecord, type SyncFrom } from "../connector.js";
import { contentVersion } from "../content-version.js";
import type { CsvConfig } from "./config.js";
import { Faults, fitRow } from "./faults.js";
import { FileChanged } from "./file.js";
import { restarting } from "./restart.js";
import { type FileKind, openRows, type Row } from "./rows.js";

/** Orders on a page. */
const PAGE = 250;
const MOST_LINES = 5_000;

const { so_number, so_barcode, customer_id, warehouse_id, source_system, ...headerColumns } = columns.sales_orders;
const kind = {
  url: "orders_url",
  columns: {
    order_number: { kind: "text", maxLength: 128, required: true },
    sku: { kind: "text", maxLength: 128, required: true },
    quantity: lineColumns.sales_orders?.quantity_ordered as Column,
    properties: lineColumns.sales_orders?.properties as Column,
    ...headerColumns,
    status: { kind: "enum", values: ["OPEN", "CANCELLED"], filled: true },
  },
} as const satisfies FileKind;
export const orders: FileKind = kind;

interface Position {
  restarts: number;
  /** The state of the file that the first page was read from. */
  state?: string;
  /** The number of orders on the pages before; orders are sorted by their first row in the file. */
  done: number;
}
interface Failed {
  failed: string;
}

/** An order, as far as the file was read. */
interface Found {
  number: string;
  header: Record<string, unknown>;
  lines: { sku: string; quantity: number; properties?: LineProperties }[];
  rows: Row[];
  faulty: boolean;
}

/**
 * A page of orders. The rows of an order may be anywhere, so each page reads the whole file, and keeps the rows of its
 * own orders and the numbers of those before.
 */
export async function pageOfOrders(source: Source<CsvConfig>, { cursor }: SyncFrom): Promise<Page<SourceRecord>> {
  const position: Position | Failed = cursor === null ? { restarts: 0, done: 0 } : JSON.parse(cursor);
  if ("failed" in position) throw new SourceError(position.failed);
  const begin = (restarts: number): Position => ({ restarts, done: 0 });
  return restarting(kind.url, position, begin, async ({ restarts, state, done }) => {
    const opened = await openRows(source, kind);
    if (state !== undefined && opened.begin.state !== state) throw new FileChanged();
    const { found, count, failure } = await collect(opened.rows, done);
    const after = { restarts, state: opened.begin.state, done: done + PAGE } satisfies Position;
    const next = count > after.done ? after : failure && ({ failed: failure } satisfies Failed);
    return { records: found.filter(({ faulty }) => !faulty).map(orderRecord), next: next && JSON.stringify(next) };
  });
}

async function collect(rows: AsyncGenerator<Row>, done: number) {
  const faults = new Faults(kind.url);
  const places = new Map<string, number>();
  const found: Found[] = [];
  for await (const row of rows) {
    const values = fitRow(row, kind.columns, faults);
    const number = unguarded(row.values.order_number ?? "");
    if (!number) continue;
    const place = places.get(number) ?? places.size;
    places.set(number, place);
    if (place < done || place >= done + PAGE) continue;
    found[place - done] ??= { number, header: {}, lines: [], rows: [], faulty: false };
    add(found[place - done] as Found, row, values, faults);
  }
  return { found, count: places.size, failure: faults.message };
}

function add(order: Found, row: Row, values: Record<string, unknown> | undefined, faults: Faults): void {
  const other = values && conflicting(order, values);
  if (other) faults.add(row.number, `${other} is not what row ${order.rows[0]?.number} or one after it says`);
  if (order.lines.length === MOST_LINES) faults.add(row.number, `the order has more than ${MOST_LINES} rows`);
  if (!values || other || order.lines.length === MOST_LINES) {
    order.faulty = true;
    return;
  }
  const { order_number, sku, quantity, properties, ...header } = values;
  for (const [column, value] of Object.entries(header)) order.header[column] ??= value;
  order.lines.push({
    ...{ sku: sku as string, quantity: quantity as number },
    ...(properties !== undefined && { properties: properties as LineProperties }),
  });
  order.rows.push(row);
}

/** A column of the order for which another row has a different value; a row may leave it empty. */
const conflicting = ({ header }: Found, values: Record<string, unknown>): string | undefined =>
  Object.keys(header).find(
    (column) => header[column] !== null && (values[column] ?? null) !== null && header[column] !== values[column],
  );

function orderRecord({ number, header, lines, rows }: Found): SourceRecord {
  return {
    resource: "sales_orders",
    external_id: number,
    external_version: contentVersion([header, lines]),
    byContent: true,
    values: { so_number: number, ...header },
    lines: lines.map(({ sku, quantity, properties }, i) => ({
      item: sku,
      sku,
      values: { quantity_ordered: quantity, line_number: i + 1, ...(properties && { properties }) },
    })),
    payload: { order_number: number, rows: rows.map((row) => row.values) },
    ...(header.status === "CANCELLED" && { onlyIfKnown: true }),
  };
}
