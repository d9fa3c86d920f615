import { z } from "zod";
import { Cell, CodeCell, DayCell, IdCell, IntCell } from "../../src/platform/files/cells.js";
import { PoExists } from "../../src/purchasing/problems.js";
import { insertPurchaseOrders } from "../purchasing/purchase-orders.js";
import { importer } from "./importer.js";
import { groupIntoOrders } from "./orders-of-rows.js";

/**
 * Purchase orders, a row for each line (docs/interface.md, Imports). Rows of an order that exists already are rejected.
 */
export const importPurchaseOrders = importer("purchase-orders", {
  columns: z.strictObject({
    po_number: CodeCell(128),
    sku: CodeCell(128),
    quantity: IntCell(1, 1_000_000),
    warehouse_id: IdCell.optional(),
    vendor: Cell(256).optional(),
    expected_date: DayCell.optional(),
  }),
  otherNames: { quantity_expected: "quantity" },
  async write(tx, rows, options, by) {
    const { orders, refused } = await groupIntoOrders(
      tx,
      rows,
      (row) => row.po_number,
      { ...options, sold: false },
      by,
    );
    const ids = await insertPurchaseOrders(
      tx,
      orders.map(({ first, warehouse_id, lines }) => ({
        po_number: first.po_number,
        vendor_name: first.vendor,
        expected_date: first.expected_date,
        warehouse_id,
        lines,
      })),
      by,
    );
    const taken = orders.filter(({ first }) => !ids.has(first.po_number));
    return [
      ...refused,
      ...taken.flatMap(({ first: { po_number }, rows }) =>
        rows.map((row) => ({ row, error: PoExists({ po_number }).message })),
      ),
    ];
  },
});
