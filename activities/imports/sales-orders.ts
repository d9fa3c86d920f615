import { z } from "zod";
import { Cell, CodeCell, IdCell, IntCell } from "../../src/platform/files/cells.js";
import { type AddressColumn, addressFields } from "../../src/sales-orders/addresses.js";
import { SoExists } from "../../src/sales-orders/problems.js";
import { LineProperties, propertiesOfCell } from "../../src/sales-orders/properties.js";
import { insertSalesOrders } from "../sales-orders/create.js";
import { importer } from "./importer.js";
import { groupIntoOrders } from "./orders-of-rows.js";

const addressCells = Object.fromEntries(
  Object.entries(addressFields).map(([column, { width }]) => [column, Cell(width).optional()]),
) as Record<AddressColumn, z.ZodOptional<ReturnType<typeof Cell>>>;

/** What the customer wants of the units of a row: `Engraving: Ada | Size: M`. */
const PropertiesCell = Cell(4096)
  .transform((text, context) => {
    const properties = propertiesOfCell(text);
    if (properties) return properties;
    context.addIssue("not written as name: value, with | between several");
    return z.NEVER;
  })
  .pipe(LineProperties);

/**
 * Sales orders, a row for each line, without reservation (docs/interface.md, Imports). Rows of an order that exists
 * already are rejected.
 */
export const importSalesOrders = importer("sales-orders", {
  columns: z.strictObject({
    so_number: CodeCell(128),
    sku: CodeCell(128),
    quantity: IntCell(1, 1_000_000),
    warehouse_id: IdCell.optional(),
    customer: Cell(256).optional(),
    customer_phone: Cell(64).optional(),
    customer_address: Cell(512).optional(),
    min_days_at_shipping: IntCell(0, 36_500).optional(),
    ...addressCells,
    properties: PropertiesCell.optional(),
  }),
  otherNames: { quantity_ordered: "quantity" },
  async write(tx, rows, options, by) {
    const { orders, refused } = await groupIntoOrders(tx, rows, (row) => row.so_number, { ...options, sold: true }, by);
    const { ids } = await insertSalesOrders(
      tx,
      orders.map(({ first, warehouse_id, lines }) => ({
        ...first,
        customer_name: first.customer,
        warehouse_id,
        lines,
      })),
      by,
      { source: "import" },
    );
    const taken = orders.filter(({ first }) => !ids.has(first.so_number));
    return [
      ...refused,
      ...taken.flatMap(({ first: { so_number }, rows }) =>
        rows.map((row) => ({ row, error: SoExists({ so_number }).message })),
      ),
    ];
  },
});
