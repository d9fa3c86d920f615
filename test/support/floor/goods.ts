import assert from "node:assert/strict";
import { approveCount, createCounts, rejectCount, submitCount } from "../../../activities/counting/index.js";
import { cancelReceipts } from "../../../activities/receiving/cancel-receipts.js";
import { confirmPutAway } from "../../../activities/receiving/putaway.js";
import { receive } from "../../../activities/receiving/receive.js";
import { adjustDirectly } from "../../../activities/stock/adjustments.js";
import { moveBetweenBins } from "../../../activities/stock/transfers.js";
import { takeCountIds } from "../../../src/counting/queries.js";
import { sum } from "./model.js";
import { type Ask, at, choose, NONE, still } from "./step.js";

const LOTS = [null, "A"];

/** What is done to goods: they come, are carried, corrected and counted. */
export const goods = {
  receive: ({ po_id, bins, items }, { po }, { a, b, c, quantity }) => {
    const { item_id } = at(items, a);
    const line = po.lines.find((l) => l.item_id === item_id);
    const left = (line?.ordered ?? 0) - (line?.received ?? 0);
    const item = { item_id, quantity, bin_id: at(bins, b), lot_number: at(LOTS, c) };
    return {
      expected: po.status === "RECEIVED" ? "po_not_open" : quantity > left ? "over_receipt" : "ok",
      change: new Map([[item_id, quantity]]),
      run: (by) => receive({ po_id, items: [item] }, by),
    };
  },

  cancelReceipt: ({ po_id }, { receipts, stock }, { a }) => {
    const receipt = at(receipts, a);
    if (!receipt)
      return { expected: "ok", change: still, run: (by) => cancelReceipts({ po_id, receipt_ids: [NONE] }, by) };
    const { item_id, lot, quantity, receipt_id } = receipt;
    const rows = stock.filter((s) => s.item_id === item_id && s.lot === lot);
    const there = sum(rows, (row) => row.on_hand);
    const promised = sum(rows, (row) => row.promised);
    const refusals = promised > 0 ? ["promised_to_picks"] : [];
    return {
      expected: [there < quantity ? "receipt_stock_gone" : "ok", ...refusals],
      change: new Map([[item_id, -quantity]]),
      run: (by) => cancelReceipts({ po_id, receipt_ids: [receipt_id] }, by),
    };
  },

  carry: ({ bins, items }, { stock }, { a, b, c, quantity }) => {
    const row = choose(stock, (s) => s.on_hand > 0, a);
    const { item_id } = row ?? at(items, a);
    const from_bin_id = row?.bin_id ?? at(bins, a);
    const lot_number = row?.lot ?? null;
    const input = {
      ...{ item_id, from_bin_id, lot_number, quantity },
      to_bin_id: at(
        bins.filter((bin) => bin !== from_bin_id),
        b,
      ),
    };
    return {
      expected: quantity > (row?.on_hand ?? 0) ? "insufficient_stock" : "ok",
      change: still,
      run: (by) => (c % 2 ? moveBetweenBins : confirmPutAway)(input, by),
    };
  },

  adjust: ({ warehouse_id, bins, items }, { stock }, { a, b, c, quantity }) => {
    const { item_id } = at(items, a);
    const bin_id = at(bins, b);
    const rows = stock.filter((s) => s.item_id === item_id && s.bin_id === bin_id);
    const there = sum(rows, (row) => row.on_hand);
    const promised = sum(rows, (row) => row.promised);
    const adds = c % 2 === 0;
    return {
      expected:
        adds || quantity <= there - promised ? "ok" : quantity > there ? "insufficient_stock" : "promised_to_picks",
      change: new Map([[item_id, adds ? quantity : -quantity]]),
      run: (by) =>
        adjustDirectly(
          { item_id, bin_id, warehouse_id, quantity, reason: "counted", adjustment_type: adds ? "ADD" : "REMOVE" },
          by,
        ),
    };
  },

  count: async ({ warehouse_id, bins }, _view, { a }) => {
    const countIds = await takeCountIds(1);
    const binIds = [at(bins, a)];
    return {
      ...{ expected: "ok", change: still },
      run: (by) => createCounts({ warehouseId: warehouse_id, binIds, countIds }, by),
    };
  },

  submitCount: ({ items }, { counts }, { a, b, c, quantity }) => {
    const count = choose(counts, (one) => one.status === "PENDING", a);
    const lines = (count?.lines ?? []).map(({ count_line_id, expected }, i) => ({
      ...{ count_line_id, unexpected: false },
      counted_quantity: i === c % 3 ? quantity : expected,
    }));
    const { item_id } = at(items, b);
    const found = { item_id, unexpected: true, counted_quantity: quantity };
    return {
      expected: !count ? "count_not_found" : count.status === "PENDING" ? "ok" : "count_not_open",
      change: still,
      run: (by) => submitCount({ count_id: count?.count_id ?? NONE, lines: lines.length > 0 ? lines : [found] }, by),
    };
  },

  /** What lies there is what the books say at this moment, whatever came and went since the count was made. */
  countExactly: (_site, { counts, stock }, { a }) => {
    const count = counts.filter((one) => one.status === "PENDING").at(a % Math.max(1, counts.length));
    const there = stock.filter((row) => row.bin_id === count?.bin_id);
    const unitsOf = (item_id: number) =>
      sum(
        there.filter((row) => row.item_id === item_id),
        (row) => row.on_hand,
      );
    const onCount = count?.lines ?? [];
    const listed = new Set(onCount.map((line) => line.item_id));
    const strays = new Set(there.map((row) => row.item_id).filter((id) => !listed.has(id)));
    const lines = [
      ...onCount.map(({ count_line_id, item_id }) => ({
        ...{ count_line_id, unexpected: false },
        counted_quantity: unitsOf(item_id),
      })),
      ...[...strays].map((item_id) => ({ item_id, unexpected: true, counted_quantity: unitsOf(item_id) })),
    ];
    return {
      expected: count ? "ok" : "count_not_found",
      change: still,
      run: async (by) => {
        const count_id = count?.count_id ?? NONE;
        const answer = await submitCount({ count_id, lines }, by);
        const { status, summary } = answer;
        const found = [status, summary.adjustments];
        assert.deepEqual(found, ["COMPLETED", []]);
        return answer;
      },
    };
  },

  decide: (_site, { counts, stock }, { a, c }) => {
    const count = choose(counts, (one) => one.pending.length > 0, a);
    const approves = c % 4 > 0;
    const changes = (count?.pending ?? []).map(({ item_id, change }) => {
      const rows = stock.filter((s) => s.item_id === item_id && s.bin_id === count?.bin_id);
      const there = sum(rows, (row) => row.on_hand);
      const promised = sum(rows, (row) => row.promised);
      const applied = Math.max(change, -there);
      return { item_id, applied, refused: -applied > there - promised };
    });
    const count_id = count?.count_id ?? NONE;
    return {
      expected: !count
        ? "count_not_found"
        : count.status === "PENDING"
          ? "count_not_submitted"
          : approves && changes.some((change) => change.refused)
            ? "promised_to_picks"
            : "ok",
      change: new Map(approves ? changes.map((one) => [one.item_id, one.applied]) : []),
      run: (by) => (approves ? approveCount : rejectCount)({ count_id }, by),
    };
  },
} satisfies Record<string, Ask>;
