import type { z } from "zod";
import { db } from "../../platform/db/db.js";
import { lotOf } from "../queries.js";
import { type Trace, type TraceKind, type TraceQuery, TraceStep, traceKinds } from "./shapes.js";
import { BEGINNING, Place, type Position, parametersOf, positionOf, readSteps, stepRows, stepsOf } from "./steps.js";

/** The columns of a step; where a kind does not name one, it is null. */
const NOTHING: Record<string, string> = {
  ...{ at: "null::timestamptz", warehouse_id: "null::int", warehouse_code: "null", bin_code: "null" },
  ...{ to_bin_code: "null", to_warehouse_code: "null", po_number: "null", vendor_name: "null" },
  ...{ so_id: "null::int", so_number: "null", customer_name: "null", customer_address: "null", batch_id: "null::int" },
  ...{ shipped_at: "null::timestamptz", carrier: "null", tracking_number: "null", username: "null" },
};

const ORDER = {
  ...{ so_id: "so.so_id", so_number: "so.so_number", customer_name: "so.customer_name" },
  customer_address: "coalesce(so.ship_address, so.customer_address)",
};

/** The columns of a step, by its kind. */
const columns: Record<TraceKind, Record<string, string>> = {
  receipt: {
    ...{ id: "k.a", kind: "case when r.po_id is null then 'return' else 'receipt' end" },
    ...{ at: "r.received_at", quantity: "r.quantity_received", warehouse_id: "r.warehouse_id" },
    ...{ warehouse_code: "w.warehouse_code", bin_code: "b.bin_code", po_number: "po.po_number" },
    ...{ vendor_name: "po.vendor_name", username: "r.received_by", ...ORDER },
  },
  place: {
    ...{ id: "k.a", kind: "'place'", at: "v.updated_at", quantity: "v.quantity_on_hand" },
    ...{ warehouse_id: "v.warehouse_id", warehouse_code: "w.warehouse_code", bin_code: "b.bin_code" },
  },
  move: {
    ...{ id: "k.a", kind: "'move'", at: "m.transferred_at", quantity: "m.quantity" },
    ...{ warehouse_id: "m.warehouse_id", warehouse_code: "w.warehouse_code", bin_code: "b.bin_code" },
    ...{ to_bin_code: "t.bin_code", to_warehouse_code: "o.warehouse_code", username: "m.transferred_by" },
  },
  pick: {
    ...{ id: "k.b", kind: "'pick'", at: "p.picked_at", quantity: "k.quantity" },
    ...{ warehouse_id: "so.warehouse_id", warehouse_code: "w.warehouse_code", bin_code: "b.bin_code" },
    ...{ batch_id: "p.batch_id", username: "p.picked_by", ...ORDER },
    ...{ shipped_at: "f.shipped_at", carrier: "f.carrier", tracking_number: "f.tracking_number" },
  },
  sale: {
    ...{ id: "k.a", kind: "'sale'", at: "so.created_at", quantity: "u.quantity" },
    ...{ warehouse_id: "so.warehouse_id", warehouse_code: "w.warehouse_code", bin_code: "u.bin_code" },
    ...{ username: "so.created_by", shipped_at: "so.shipped_at", ...ORDER },
  },
};

const SQL = Object.fromEntries(
  traceKinds.map((kind) => [kind, stepsOf(stepRows[kind], { ...NOTHING, ...columns[kind] })]),
) as Record<TraceKind, string>;

const Row = TraceStep.extend(Place.shape);

/** Where a part begins: after a row of a kind. */
interface Begin extends Position {
  kind: TraceKind;
}

/** A part of a lot's trace, as a user of these warehouses sees it; undefined where the lot is not known there. */
export async function traceOf(
  lotId: number,
  { kind, limit, cursor }: TraceQuery,
  warehouses: number[] | null,
): Promise<Trace | undefined> {
  const lot = await lotOf(db, lotId, warehouses);
  if (!lot) return undefined;
  const [first, a, b, c] = cursor?.split("-") ?? [];
  let begin: Begin | undefined = first
    ? { kind: first as TraceKind, a: Number(a), b: Number(b), c: Number(c) }
    : { kind: kind ?? traceKinds[0], ...BEGINNING };
  const steps: TraceStep[] = [];
  while (begin && steps.length < limit) {
    const wanted: number = limit - steps.length;
    const { kind: of, ...position }: Begin = begin;
    const parameters = { ...parametersOf(lot, warehouses), ...position, limit: wanted };
    const rows: z.output<typeof Row>[] = await readSteps(Row, SQL[of], parameters);
    const last = rows.at(-1);
    steps.push(...rows.map(({ a: _a, b: _b, c: _c, ...step }) => step));
    if (last && rows.length === wanted) begin = { kind: of, ...positionOf(last) };
    else begin = kind ? undefined : kindAfter(of);
  }
  return { lot, steps, next_cursor: begin ? [begin.kind, begin.a, begin.b, begin.c].join("-") : null };
}

function kindAfter(kind: TraceKind): Begin | undefined {
  const next = traceKinds[traceKinds.indexOf(kind) + 1];
  return next && { kind: next, ...BEGINNING };
}
