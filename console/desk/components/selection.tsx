import { Checkbox, Table } from "@mantine/core";
import { useState } from "react";
import { t } from "../../texts/bulk.js";
import type { BulkAction } from "./bulk-action.js";

/** What can be done with many rows of a list at once. */
export interface Bulk<R> {
  /** The fields by which a row is known, to the service and to people. */
  id: keyof R & string;
  name: keyof R & string;
  actions: BulkAction<R>[];
}

/** The rows of a list that are selected. */
export interface Selection<R> extends Bulk<R> {
  rows: R[];
  idOf: (row: R) => string;
  nameOf: (row: R) => string;
  has: (row: R) => boolean;
  /** Takes rows in, or out. */
  set: (rows: R[], isSelected: boolean) => void;
  clear: () => void;
}

/**
 * The selection in a list whose rows in sight are `shown`; undefined where nothing can be done with many. Rows stay
 * selected on another page, and none is where `of`, what the list is asked for, has changed: nothing happens to rows
 * that somebody no longer thinks of. Without it, the list is in sight as a whole.
 */
export function useSelection<R>(bulk: Bulk<R> | undefined, shown: R[], of?: string): Selection<R> | undefined {
  const [kept, keep] = useState({ of, rows: new Map<string, R>() });
  if (!bulk || bulk.actions.length === 0) return undefined;
  const idOf = (row: R) => String(row[bulk.id]);
  const selected = kept.of === of ? kept.rows : new Map<string, R>();
  const newest = new Map(shown.map((row) => [idOf(row), row]));
  return {
    ...bulk,
    rows: [...selected].flatMap(([id, row]) => newest.get(id) ?? (of === undefined ? [] : row)),
    idOf,
    nameOf: (row) => String(row[bulk.name]),
    has: (row) => selected.has(idOf(row)),
    set: (rows, isSelected) =>
      keep((before) => {
        const next = new Map(before.of === of ? before.rows : []);
        for (const row of rows) isSelected ? next.set(idOf(row), row) : next.delete(idOf(row));
        return { of, rows: next };
      }),
    clear: () => keep({ of, rows: new Map() }),
  };
}

/** The head of the column of checkboxes: it selects all that is in sight, or nothing of it. */
export function SelectAll<R>({ of, rows }: { of: Selection<R>; rows: R[] }) {
  const count = rows.filter(of.has).length;
  return (
    <Table.Th role="columnheader" className="select" scope="col" w={40}>
      <Checkbox
        aria-label={t("selectAll")}
        checked={count > 0 && count === rows.length}
        indeterminate={count > 0 && count < rows.length}
        onChange={() => of.set(rows, count < rows.length)}
      />
    </Table.Th>
  );
}

/** The checkbox of a row. */
export const SelectRow = <R,>({ of, row }: { of: Selection<R>; row: R }) => (
  <Table.Td role="cell" className="select" w={40}>
    <Checkbox
      aria-label={t("select", { name: of.nameOf(row) })}
      checked={of.has(row)}
      onChange={({ currentTarget }) => of.set([row], currentTarget.checked)}
    />
  </Table.Td>
);
