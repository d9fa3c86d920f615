import type { Caller } from "./caller.js";
import { db } from "./db.js";
import * as fixtures from "./fixtures.js";
import { assertInvariants } from "./invariants.js";
import { type TestServiceOptions, testService } from "./service.js";

const ORDERS = "/api/admin/sales-orders";

/** A service with two warehouses for a file of tests of the sales-orders page, and what such tests do. */
export function desk(options: TestServiceOptions = {}) {
  const service = testService(options);
  let here: number;
  let elsewhere: number;
  /** May use the pages of the first warehouse, and edits orders while they are OPEN. */
  let clerk: Caller;
  before(async () => {
    here = await fixtures.warehouse();
    elsewhere = await fixtures.warehouse();
    clerk = await service.user({ warehouse_ids: [here], page_keys: ["sales-orders", "fraud", "picking-tickets"] });
  });
  afterEach(() => assertInvariants());

  /** An order without reservations, in a status that it is simply given. */
  async function order(fields: Record<string, unknown> = {}, quantity = 5) {
    const item = await fixtures.item();
    const { warehouse_id = here, ...columns } = fields;
    const so = await fixtures.salesOrder(warehouse_id as number, [{ item_id: item.item_id, quantity }]);
    for (const [column, value] of Object.entries(columns))
      await db.run(`update sales_orders set ${column} = $2 where so_id = $1`, [so.so_id, value]);
    return { ...so, ...item, path: `${ORDERS}/${so.so_id}` };
  }

  /** An order with what is reserved for it, of an item with units in bins of its own: one for each number. */
  async function reserved(quantity_ordered: number, ...units: number[]) {
    const item = await fixtures.item();
    const bins: { bin_id: number; inventory_id: number }[] = [];
    for (const on_hand of units) {
      const bin_id = await fixtures.bin(here);
      const inventory_id = await fixtures.stock(here, bin_id, item.item_id, on_hand);
      bins.push({ bin_id, inventory_id });
    }
    const { sales_order, lines } = await service.admin.ok("POST", ORDERS, {
      so_number: `SO-${item.sku}`,
      warehouse_id: here,
      lines: [{ item_id: item.item_id, quantity_ordered }],
    });
    const { so_id, so_number } = sales_order;
    const { so_line_id } = lines[0];
    const path = `${ORDERS}/${so_id}`;
    return { ...{ so_id, so_number, so_line_id, ...item, bins }, ...{ path, line: `${path}/lines/${so_line_id}` } };
  }

  const linesOf = async (path: string) =>
    (await service.admin.ok("GET", path)).lines as {
      so_line_id: number;
      quantity_ordered: number;
      quantity_allocated: number;
      quantity_picked: number;
      line_number: number;
      sku: string;
    }[];

  /** A clerk who may edit orders beyond OPEN. */
  const trusted = () => service.user({ warehouse_ids: [here], page_keys: ["sales-orders", "so-full-edit"] });

  return { at: () => ({ service, here, elsewhere, clerk }), order, reserved, linesOf, trusted };
}
