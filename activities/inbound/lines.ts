import { z } from "zod";
import type { Mapped } from "../../src/inbound/apply.js";
import { lineColumns } from "../../src/inbound/columns.js";
import { fitInto, missing } from "../../src/inbound/fit.js";
import { constraintViolation } from "../../src/inbound/problems.js";
import { int, text } from "../../src/platform/db/columns.js";
import { LineProperties } from "../../src/sales-orders/properties.js";
import type { Tx } from "../command.js";
import type { Incoming } from "./incoming.js";
import { lookupMiss } from "./lookups.js";

/** A line of a pushed order. */
export const OrderLine = z.strictObject({
  item_id: int,
  quantity_ordered: int,
  line_number: int,
  unit_cost: text.nullable().optional(),
  /** Undefined where the source does not say. */
  properties: LineProperties.optional(),
});
export type OrderLine = z.infer<typeof OrderLine>;

/** The lines of a push, with the ids of their items; a line without a number gets its position. */
export async function linesToWrite(
  tx: Tx,
  { resource, pushKey }: Incoming,
  lines: NonNullable<Mapped["lines"]>,
): Promise<OrderLine[]> {
  if (lines.length === 0) return [];
  const columns = lineColumns[resource] ?? {};
  const faults: string[] = [];
  const fitted = lines.map((line, i) => {
    const { values, faults: invalid } = fitInto(columns, line.values);
    const absent = missing(columns, line.values).map((column) => `${column}: is needed`);
    for (const fault of [...invalid, ...absent]) faults.push(`lines[${i}].${fault}`);
    return values as unknown as Omit<OrderLine, "item_id"> & { item_id: string };
  });
  if (faults.length > 0) throw constraintViolation(faults.join("; "));
  const items = await tx.rows(
    { external_id: text, item_id: int },
    "select external_id, item_id from items where external_id = any($1) order by item_id for key share",
    [fitted.map((line) => line.item_id)],
  );
  const ids = new Map(items.map((item) => [item.external_id, item.item_id]));
  return fitted.map((line, i) => {
    const item_id = ids.get(line.item_id.toLowerCase());
    if (item_id === undefined) {
      const lookup = lines[i]?.lookups.find((l) => l.column === "item_id");
      const { source_system } = pushKey;
      throw lookupMiss(lookup ?? { source_system, source_type: "item", source_id: line.item_id });
    }
    return { ...line, item_id, line_number: line.line_number ?? i + 1 };
  });
}

/** Sorted, so that two versions of an order can be compared. */
export const sorted = <L extends OrderLine>(lines: L[]): L[] =>
  lines.toSorted(
    (a, b) => a.line_number - b.line_number || a.item_id - b.item_id || a.quantity_ordered - b.quantity_ordered,
  );

/**
 * Whether two sorted lists have the same items, quantities and line numbers (docs/interface.md, What stays as it was).
 */
export const sameLines = (some: OrderLine[], others: OrderLine[]): boolean =>
  some.length === others.length &&
  some.every((line, i) => {
    const other = others[i] as OrderLine;
    return (
      line.item_id === other.item_id &&
      line.quantity_ordered === other.quantity_ordered &&
      line.line_number === other.line_number
    );
  });
