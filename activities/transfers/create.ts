import { ItemNotFound } from "../../src/master-data/problems.js";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { RowErrors, SameWarehouse, UnknownWarehouse } from "../../src/transfers/problems.js";
import { type Shortage, type TransferCreated, TransferRecord } from "../../src/transfers/shapes.js";
import type { NewTransfer, TransferStarted, TransferState } from "../../src/transfers/steps.js";
import { command, type Tx } from "../command.js";
import { type Commitment, reserveForTransfer } from "../stock/transfer-reservations.js";
import { undone } from "../undone.js";
import { transferState } from "./state.js";

interface Wanted {
  item_id: number;
  sku: string;
  quantity: number;
}

/**
 * Creates a transfer order (docs/interface.md, Transfer orders): each line commits what is free at the source, at most
 * what is requested, and holds it from then on. A line that gets nothing is SHORT_CLOSED. Audit TO_CREATED, no event.
 *
 * Refusals: 404 `unknown_warehouse`, 403 outside the caller's warehouses (the source counts), 422
 * `source_and_destination_must_differ`; an import 422 `row_errors`, otherwise 404 `item_not_found`.
 * @public Called by `transferOrder`, which knows activities by their types alone.
 */
export function createTransfer(input: NewTransfer, by: Actor): Promise<TransferStarted> {
  const { to_id: _, ...request } = input;
  return command("transfers.create", by, request, (tx) => make(tx, input, by));
}

/** What would be created of a transfer order, and what it would lack. */
export async function tryTransfer(
  input: NewTransfer,
  by: Actor,
): Promise<Omit<TransferCreated, "to_id" | "to_number">> {
  const { source_warehouse_id, destination_warehouse_id, line_count, shortages } = await undone((tx) =>
    make(tx, input, by),
  );
  return { source_warehouse_id, destination_warehouse_id, line_count, shortages };
}

async function make(tx: Tx, input: NewTransfer, by: Actor): Promise<TransferStarted> {
  const { to_id } = input;
  const { source, destination } = await warehousesOf(tx, input, by);
  const wanted = input.kind === "import" ? await byRecords(tx, input.records) : await byItems(tx, input.lines);
  const to_number = await insertHeader(tx, to_id, { source, destination, notes: input.notes ?? null }, by);
  const commitments = await reserveForTransfer(tx, source, to_id, wanted);
  const shortages = shortagesOf(wanted, commitments);
  tx.audit({
    action: "TO_CREATED",
    entity: "TO",
    entityId: to_id,
    warehouseId: source,
    details: {
      to_number,
      source_warehouse_id: source,
      destination_warehouse_id: destination,
      lines: wanted.length,
      units_committed: commitments.reduce((sum, { committed }) => sum + committed, 0),
      shortages: shortages.length,
      imported: input.kind === "import",
    },
  });
  return {
    to_id,
    to_number,
    source_warehouse_id: source,
    destination_warehouse_id: destination,
    line_count: wanted.length,
    shortages,
    state: await transferState(tx, to_id),
  };
}

/** Checks and locks both warehouses; an inactive one counts as unknown. */
async function warehousesOf(tx: Tx, input: NewTransfer, by: Actor) {
  const named =
    input.kind === "import"
      ? {
          source_warehouse_code: input.source_warehouse_code,
          destination_warehouse_code: input.destination_warehouse_code,
        }
      : { source_warehouse_id: input.source_warehouse_id, destination_warehouse_id: input.destination_warehouse_id };
  const column = input.kind === "import" ? "warehouse_code" : "warehouse_id::text";
  const found = await tx.rows(
    { warehouse_id: int, warehouse_code: text, name: text },
    `select warehouse_id, warehouse_code, ${column} as name from warehouses
     where ${column} = any($1) and is_active order by warehouse_id for key share`,
    [Object.values(named).map(String)],
  );
  const [source, destination] = Object.entries(named).map(([field, value]) => {
    const warehouse = found.find(({ name }) => name === String(value));
    if (!warehouse) throw UnknownWarehouse({}, { field, value });
    return warehouse;
  }) as [(typeof found)[0], (typeof found)[0]];
  checkWarehouse(by, source.warehouse_id);
  const { warehouse_code } = source;
  if (source.warehouse_id === destination.warehouse_id) throw SameWarehouse({}, { warehouse_code });
  return { source: source.warehouse_id, destination: destination.warehouse_id };
}

async function byItems(tx: Tx, lines: { item_id: number; quantity: number }[]): Promise<Wanted[]> {
  const found = await tx.rows(
    { item_id: int, sku: text },
    "select item_id, sku from items where item_id = any($1) order by item_id for key share",
    [lines.map((line) => line.item_id)],
  );
  const skus = new Map(found.map(({ item_id, sku }) => [item_id, sku]));
  return lines.map(({ item_id, quantity }) => {
    const sku = skus.get(item_id);
    if (sku === undefined) throw ItemNotFound({}, { item_id });
    return { item_id, sku, quantity };
  });
}

/** The items of imported rows; 422 `row_errors` names every row that is wrong. */
async function byRecords(tx: Tx, records: Record<string, unknown>[]): Promise<Wanted[]> {
  const parsed = records.map((record) => TransferRecord.safeParse(record));
  const skus = parsed.flatMap(({ data }) => (data ? [data.sku] : []));
  const found = await tx.rows(
    { item_id: int, sku: text },
    "select item_id, sku from items where sku = any($1) order by item_id for key share",
    [skus],
  );
  const items = new Map(found.map(({ item_id, sku }) => [sku, item_id]));
  const rows: object[] = [];
  const wanted = parsed.flatMap(({ data, error }, row_index) => {
    const item_id = data && items.get(data.sku);
    if (data && item_id !== undefined) return [{ item_id, ...data }];
    const details = error?.issues.map(({ path, message }) => ({ field: path.join("."), message }));
    rows.push(
      data
        ? { row_index, error_kind: "unknown_sku", sku: data.sku }
        : { row_index, error_kind: "validation_error", details },
    );
    return [];
  });
  if (rows.length > 0) throw RowErrors({}, { rows });
  return wanted;
}

interface Header {
  source: number;
  destination: number;
  notes: string | null;
}

/** Inserts the header under the next free number: `TO-` and the time to the millisecond. */
async function insertHeader(tx: Tx, toId: number, { source, destination, notes }: Header, by: Actor): Promise<string> {
  for (let ms = Date.parse(tx.now); ; ms++) {
    const to_number = `TO-${new Date(ms).toISOString().replace(/\D/g, "")}`;
    const made = await tx.run(
      `insert into transfer_orders (to_id, to_number, source_warehouse_id, destination_warehouse_id, notes, created_by)
       values (:toId, :to_number, :source, :destination, :notes, :username) on conflict (to_number) do nothing`,
      { toId, to_number, source, destination, notes, username: by.username },
    );
    if (made > 0) return to_number;
  }
}

const shortagesOf = (wanted: Wanted[], commitments: Commitment[]): Shortage[] =>
  wanted.flatMap(({ sku, quantity }, row_index) => {
    const { available, committed } = commitments[row_index] as Commitment;
    if (committed >= quantity) return [];
    return [
      {
        row_index,
        sku,
        requested_qty: quantity,
        available_qty: available,
        committed_qty: committed,
        shortfall: quantity - committed,
      },
    ];
  });

/**
 * Creates a transfer order. Its workflow gets only the order's state; the route reads the shortages, of which there may
 * be thousands, from the command log.
 * @public Called by `transferOrder`, which knows activities by their types alone.
 */
export const beginTransfer = async (input: NewTransfer, by: Actor): Promise<TransferState> =>
  (await createTransfer(input, by)).state;
