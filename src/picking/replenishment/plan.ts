import { groupBy } from "../../platform/values.js";
import { firstExpired } from "../../stock/sellable.js";
import type { ReserveRow, Situation, UnfinishedTask } from "./situation.js";

/** What is to be carried, computed of a warehouse's rows: docs/replenishment.md, Tasks. */

export interface NewTask {
  item_id: number;
  lot_number: string | null;
  from_bin_id: number;
  to_bin_id: number;
  quantity: number;
  is_urgent: boolean;
}

/**
 * The tasks whose units their stock row does not have any more, besides those that somebody carries: urgent and older
 * ones keep theirs.
 */
export function beyondStock(tasks: UnfinishedTask[]): number[] {
  const lost: number[] = [];
  for (const ofRow of groupBy(tasks, ({ item_id, from_bin_id, lot_number }) =>
    [item_id, from_bin_id, lot_number].join(" "),
  ).values()) {
    let left = ofRow[0]?.stock ?? 0;
    const inOrder = ofRow.toSorted(
      (a, b) =>
        Number(b.is_taken) - Number(a.is_taken) ||
        Number(b.is_urgent) - Number(a.is_urgent) ||
        a.replenishment_id - b.replenishment_id,
    );
    for (const { replenishment_id, units, is_taken, is_face } of inOrder) {
      if (!is_taken && (units > left || !is_face)) lost.push(replenishment_id);
      else left -= units;
    }
  }
  return lost;
}

/** New tasks, and those of the unfinished ones that orders need now. Lowers what is available of the rows. */
export function planTasks({ faces, rows, demands, tasks }: Situation): { made: NewTask[]; urgent: number[] } {
  const made: NewTask[] = [];
  const urgent: number[] = [];
  const rowsOf = groupBy(rows, (row) => row.item_id);
  const tasksOf = groupBy(tasks, (task) => task.item_id);
  const demandOf = new Map(demands.map(({ item_id, units }) => [item_id, units]));
  for (const [item_id, ofItem] of groupBy(faces, (face) => face.item_id)) {
    const reserve = rowsOf.get(item_id) ?? [];
    let demanded = demandOf.get(item_id) ?? 0;
    const coming = (tasksOf.get(item_id) ?? []).toSorted((a, b) => Number(b.is_urgent) - Number(a.is_urgent));
    for (const { replenishment_id, units, is_urgent } of coming) {
      if (demanded <= 0) break;
      if (!is_urgent) urgent.push(replenishment_id);
      demanded -= units;
    }
    for (const face of ofItem.toSorted((a, b) => a.priority - b.priority)) {
      const { case_units, min_units, max_units, bin_id } = face;
      const here = face.units + sum(coming.filter((task) => task.to_bin_id === bin_id));
      const must = Math.max(0, demanded);
      demanded = 0;
      const cases = here < min_units ? Math.max(1, Math.floor((max_units - here) / case_units)) * case_units : 0;
      const taken = takeCases(reserve.toSorted(reservedFirst), must, case_units, true);
      const more = takeCases(reserve.toSorted(oldestFirst), cases - sum(taken), case_units, false);
      for (const { row, units, is_urgent } of together([...taken, ...more]))
        made.push({
          ...{ item_id, lot_number: row.lot_number, from_bin_id: row.bin_id, to_bin_id: bin_id },
          ...{ quantity: units, is_urgent },
        });
    }
  }
  return { made, urgent };
}

interface TakenUnits {
  row: ReserveRow;
  units: number;
  is_urgent: boolean;
}

const sum = (some: { units: number }[]) => some.reduce((total, { units }) => total + units, 0);

/** What expires first, then the fullest row. */
const oldestFirst = (a: ReserveRow, b: ReserveRow) => firstExpired(a, b) || b.available - a.available;
/** For orders: what they have reserved comes before what is free. */
const reservedFirst = (a: ReserveRow, b: ReserveRow) =>
  Number(b.reserved > 0) - Number(a.reserved > 0) || oldestFirst(a, b);

/** Takes units by whole cases; the last units of a row are taken as they are. With `atLeast` rather more than less. */
function takeCases(rows: ReserveRow[], wanted: number, caseUnits: number, atLeast: boolean): TakenUnits[] {
  const taken: TakenUnits[] = [];
  let left = wanted;
  for (const row of rows) {
    if (left <= 0) break;
    const cases = (atLeast ? Math.ceil : Math.floor)(left / caseUnits) * caseUnits;
    const units = row.available <= left ? row.available : Math.min(cases, row.available);
    if (units <= 0) continue;
    taken.push({ row, units, is_urgent: atLeast });
    row.available -= units;
    left -= units;
  }
  return taken;
}

/** One task for the units of one row. */
const together = (taken: TakenUnits[]): TakenUnits[] =>
  [...groupBy(taken, ({ row }) => row).entries()].map(([row, some]) => ({
    ...{ row, units: sum(some), is_urgent: some.some(({ is_urgent }) => is_urgent) },
  }));
