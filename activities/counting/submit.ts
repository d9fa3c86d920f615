import { z } from "zod";
import { CountNotOpen, LineNotOnCount, NoLines } from "../../src/counting/problems.js";
import type { CountedLine, CountSubmitted, Variance } from "../../src/counting/shapes.js";
import { ItemNotFound } from "../../src/master-data/problems.js";
import type { Actor } from "../../src/platform/actor.js";
import { bool, int, text } from "../../src/platform/db/columns.js";
import { countStates, mayBecome } from "../../src/platform/states.js";
import { ConcurrentChange, command, type Tx } from "../command.js";
import { settleDoubts } from "../stock/doubts.js";
import { lockLots, markCounted } from "../stock/stock.js";
import { pickedAt } from "../stock/transfer-cuts.js";
import { countBin } from "./insert.js";
import { type LockedCount, lockSubmission } from "./lock.js";
import { supersede } from "./supersede.js";

/** A line of the count after the submission. */
const SubmittedLine = z.strictObject({
  item_id: int,
  sku: text,
  expected: int,
  counted: int,
  variance: int,
  unexpected: bool,
});
type SubmittedLine = z.infer<typeof SubmittedLine>;

/**
 * Submits a count, once (docs/interface.md, Counting). Lines get their counted quantities. Each difference from what
 * should be in the bin at this moment becomes a PENDING adjustment, so movements since the count was created are no
 * variance. These adjustments replace those that earlier counts of the bin proposed for the same items. Stock does not
 * change until an admin approves. Units in doubt (a picker did not find them) that were counted are no longer in doubt;
 * if others are left in the bin, another count of it is created.
 * An item that is listed twice, or as unexpected although it has a line, is one line with the last quantity.
 */
export function submitCount(input: { count_id: number; lines: CountedLine[] }, by: Actor): Promise<CountSubmitted> {
  return command("cycleCounts.submit", by, input, async (tx) => {
    const count = await lockSubmission(tx, input.count_id, by);
    const { count_id, bin_id, bin_code, warehouse_id } = count;
    if (!mayBecome(countStates, count.status, "COMPLETED")) throw CountNotOpen({ status: count.status });
    const counted = await saveLines(tx, count, await quantities(tx, count_id, input.lines), by);
    await supersede(
      tx,
      count,
      counted.map((line) => line.item_id),
    );
    const variances = counted.filter((line) => line.variance !== 0);
    const adjustments = await insertAdjustments(tx, count, variances, by);
    const status = variances.length > 0 ? "VARIANCE" : "COMPLETED";
    const [, uncounted] = await tx.inOrder([
      tx.run("update cycle_counts set status = $2, completed_at = now() where count_id = $1", [count_id, status]),
      tx.row({}, UNCOUNTED, [bin_id]),
    ]);
    if (uncounted) await countBin(tx, count, { reason: "in doubt and not counted", cycle_count_id: count_id });
    const totals = {
      total_lines: counted.length,
      lines_with_variance: variances.length,
      lines_matched: counted.length - variances.length,
    };
    tx.audit({
      action: "COUNT",
      entity: "BIN",
      entityId: bin_id,
      warehouseId: warehouse_id,
      details: { cycle_count_id: count_id, status, ...totals },
    });
    return { message: "Cycle count submitted", count_id, bin_code, status, summary: { ...totals, adjustments } };
  });
}

/** A row in doubt in a bin of whose item no count proposes anything: one that had no line on the count, say. */
const UNCOUNTED = `
  select from inventory v
  where bin_id = $1 and quantity_doubted > 0 and not exists (
    select from inventory_adjustments a
    where a.bin_id = v.bin_id and a.item_id = v.item_id and a.status = 'PENDING')
  limit 1`;

/** The counted quantities by item id; empty only for a count without lines, of an empty bin. */
async function quantities(tx: Tx, countId: number, lines: CountedLine[]): Promise<Map<number, number>> {
  const onCount = await tx.rows(
    { count_line_id: int, item_id: int },
    "select count_line_id, item_id from cycle_count_lines where count_id = $1",
    [countId],
  );
  const itemOf = new Map(onCount.map((l) => [l.count_line_id, l.item_id]));
  if (lines.length === 0 && onCount.length > 0) throw NoLines();
  const counted = new Map<number, number>();
  for (const line of lines) {
    const lineId = line.count_line_id ?? 0;
    const itemId = line.unexpected ? line.item_id : itemOf.get(lineId);
    if (!itemId) throw LineNotOnCount({ count_line_id: lineId });
    counted.set(itemId, line.counted_quantity);
  }
  return counted;
}

/**
 * Saves the counted and the expected quantities, over all lots; an item without a line gets one. Lines that were not
 * submitted stay as they are.
 */
async function saveLines(
  tx: Tx,
  { count_id, bin_id }: LockedCount,
  counted: Map<number, number>,
  by: Actor,
): Promise<SubmittedLine[]> {
  const itemIds = [...counted.keys()];
  const items = await tx.rows({ item_id: int }, "select item_id from items where item_id = any($1) for key share", [
    itemIds,
  ]);
  if (items.length < itemIds.length) throw ItemNotFound();
  const { expected, locked } = await expectedNow(tx, bin_id, itemIds);
  const missed = new Map(itemIds.map((id) => [id, Math.max(0, (expected.get(id) ?? 0) - (counted.get(id) ?? 0))]));
  await settleDoubts(tx, bin_id, locked, missed);
  return tx.rows(
    SubmittedLine,
    `with saved as (
       insert into cycle_count_lines as l
         (count_id, item_id, expected_quantity, counted_quantity, unexpected, scanned, counted_by, counted_at)
       select :count_id, item_id, expected, quantity, true, true, :username, now()
       from unnest(:itemIds::int[], :counted::int[], :expected::bigint[])
         with ordinality as c(item_id, quantity, expected, place)
         order by place
       on conflict (count_id, item_id) do update
         set expected_quantity = excluded.expected_quantity, counted_quantity = excluded.counted_quantity,
             scanned = true, counted_by = :username, counted_at = now()
       returning item_id, expected_quantity as expected, counted_quantity as counted, unexpected
     )
     select item_id, sku, expected, counted, counted - expected as variance, unexpected
     from saved join items using (item_id) order by array_position(:itemIds::int[], item_id)`,
    {
      count_id,
      username: by.username,
      itemIds,
      counted: [...counted.values()],
      expected: itemIds.map((itemId) => expected.get(itemId) ?? 0),
    },
  );
}

/**
 * What should be in a bin of these items, by item id: the stock on hand less what was picked for transfer orders, which
 * has left the bin but not the books. Locks the rows and marks them as counted. The sum is read after the rows are
 * locked, because a concurrent transaction may have inserted a row for another lot.
 */
async function expectedNow(tx: Tx, binId: number, itemIds: number[]) {
  const [locked, there, picked] = await tx.inOrder([
    lockLots(
      tx,
      itemIds.map((itemId) => ({ itemId, binId })),
    ),
    tx.rows(
      { item_id: int, units: int, rows: int },
      `select item_id, sum(quantity_on_hand) as units, count(*) as rows from inventory
       where bin_id = $1 and item_id = any($2) group by item_id`,
      [binId, itemIds],
    ),
    pickedAt(tx, binId, itemIds),
  ]);
  const rows = there.reduce((sum, item) => sum + item.rows, 0);
  if (rows !== locked.length) throw new ConcurrentChange("new lots");
  await markCounted(tx.later, locked);
  const expected = new Map(there.map(({ item_id, units }) => [item_id, units - (picked.get(item_id) ?? 0)]));
  return { expected, locked };
}

async function insertAdjustments(
  tx: Tx,
  { count_id, bin_id, warehouse_id }: LockedCount,
  lines: SubmittedLine[],
  by: Actor,
): Promise<Variance[]> {
  const made = await tx.rows(
    { item_id: int, adjustment_id: int },
    `insert into inventory_adjustments
       (item_id, bin_id, warehouse_id, quantity_change, reason_code, adjusted_by, cycle_count_id)
     select item_id, :bin_id, :warehouse_id, change, 'CYCLE_COUNT', :username, :count_id
     from unnest(:item_ids::int[], :changes::int[]) with ordinality as v(item_id, change, place) order by place
     returning item_id, adjustment_id`,
    {
      bin_id,
      warehouse_id,
      username: by.username,
      count_id,
      item_ids: lines.map((line) => line.item_id),
      changes: lines.map((line) => line.variance),
    },
  );
  const idOf = new Map(made.map((row) => [row.item_id, row.adjustment_id]));
  return lines.map(({ item_id, sku, expected, counted, variance, unexpected }) => ({
    sku,
    expected,
    counted,
    variance,
    adjustment_id: idOf.get(item_id) as number,
    ...(unexpected && { unexpected }),
  }));
}
