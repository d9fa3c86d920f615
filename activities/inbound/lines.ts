import type { Mapped } from "../../src/inbound/apply.js";
import { lineColumns } from "../../src/inbound/columns.js";
import { fitInto, missing } from "../../src/inbound/fit.js";
import { broken } from "../../src/inbound/problems.js";
import type { Tx } from "../command.js";
import type { Incoming } from "./incoming.js";
import { missOf } from "./lookups.js";

/** A line as a version of an order has it. */
export interface OrderLine {
  item_id: number;
  quantity_ordered: number;
  line_number: number;
  unit_cost?: string | null;
}

/** The lines of a push with their items' ids; numbers that are left out are their places. */
export async function linesToWrite(
  tx: Tx,
  { resource, triple }: Incoming,
  lines: NonNullable<Mapped["lines"]>,
): Promise<OrderLine[]> {
  if (lines.length === 0) return [];
  const columns = lineColumns[resource] ?? {};
  const faults: string[] = [];
  const fitted = lines.map((line, i) => {
    const { values, faults: wrong } = fitInto(columns, line.values);
    const lacking = missing(columns, line.values).map((column) => `${column}: is needed`);
    for (const fault of [...wrong, ...lacking]) faults.push(`lines[${i}].${fault}`);
    return values as unknown as Omit<OrderLine, "item_id"> & {
      item_id: string;
    };
  });
  if (faults.length > 0) throw broken(faults.join("; "));
  const items = await tx.rows<{ external_id: string; item_id: number }>(
    "select external_id, item_id from items where external_id = any($1) order by item_id for key share",
    [fitted.map((line) => line.item_id)],
  );
  const ids = new Map(items.map((item) => [item.external_id, item.item_id]));
  return fitted.map((line, i) => {
    const item_id = ids.get(line.item_id.toLowerCase());
    if (item_id === undefined) {
      const lookup = lines[i]?.lookups.find((l) => l.column === "item_id");
      const { source_system } = triple;
      const ours = { source_system, source_id: line.item_id };
      throw missOf(lookup ?? { ...ours, source_type: "item" });
    }
    return { ...line, item_id, line_number: line.line_number ?? i + 1 };
  });
}

/** Lines in one order, whatever the order they came in. */
export const inOrder = <L extends OrderLine>(lines: L[]): L[] =>
  lines.toSorted(
    (a, b) => a.line_number - b.line_number || a.item_id - b.item_id || a.quantity_ordered - b.quantity_ordered,
  );

/** Whether two versions have the same lines: items, quantities and numbers (reference 09 §4). Both are in order. */
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
