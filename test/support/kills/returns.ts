import assert from "node:assert/strict";
import { db } from "../db.js";
import { shippedOrder } from "../fixtures.js";
import type { Scanner } from "../scanner.js";
import { openFloor } from "../shift.js";
import type { Stack } from "../stack.js";
import type { Work } from "./kills.js";

const SHIPPED = 100_000;

/** Returns, each of an order of its own person; one is left before anything has come, and one after a part of it. */
export async function returnsOf(stack: Pick<Stack, "admin">): Promise<Work> {
  const { scanners, items, warehouse_id, staging } = await openFloor(stack, 2);
  const [first, second] = scanners as [Scanner, Scanner];
  const { item_id } = items[0] ?? assert.fail();
  const orders: number[] = [];
  for (const _ of scanners) orders.push((await shippedOrder(warehouse_id, [{ item_id, quantity: SHIPPED }])).so_id);

  const create = async (scanner: Scanner): Promise<number> => {
    const path = `/api/admin/sales-orders/${orders[scanners.indexOf(scanner)]}/create-rma`;
    return (await scanner.post(path, { lines: [{ item_id, quantity: 3 }] })).so_id;
  };
  const receive = (scanner: Scanner, rma: number, quantity: number) =>
    scanner.post(`/api/admin/sales-orders/${rma}/receive-return`, { item_id, quantity, warehouse_id, bin_id: staging });
  const voidIt = (scanner: Scanner, rma: number) => scanner.post(`/api/admin/sales-orders/${rma}/void-return`, {});

  return {
    scanners,
    walk: async (scanner) => {
      const comes = await create(scanner);
      await receive(scanner, comes, 1);
      await receive(scanner, comes, 2);
      await voidIt(scanner, await create(scanner));
    },
    leaveOpen: async () => {
      const waiting = await create(first);
      const partly = await create(second);
      await receive(second, partly, 1);
      const end = async () => {
        await voidIt(first, waiting);
        await receive(second, partly, 2);
      };
      return { waiting: 2, end };
    },
    /** What was done, what lies on the dock, and what partners are told. */
    done: async () => {
      const done = await db.row<Record<string, number>>(
        `select (select count(*) from sales_orders where order_type = 'return') as made,
                (select coalesce(sum(quantity_received), 0) from sales_order_lines join sales_orders using (so_id)
                 where order_type = 'return' and warehouse_id = $2) as received,
                (select sum(quantity_on_hand) from inventory where bin_id = $1) as stored,
                (select count(*) from item_receipts where so_id is not null and bin_id = $1) as receipts,
                (select count(*) from integration_events where event_type = 'return.received' and warehouse_id = $2)
                  as events,
                (select count(*) from audit_log where action_type like 'RETURN_%') as audited`,
        [staging, warehouse_id],
      );
      const accepted = scanners.flatMap((one) => one.accepted).filter(({ path }) => /receive/.test(path)).length;
      assert.ok(accepted > 0 && done);
      assert.deepEqual([done.stored, done.receipts, done.events], [done.received, accepted, accepted]);
      return done;
    },
  };
}
