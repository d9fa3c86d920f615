import assert from "node:assert/strict";
import { Client, Connection, type WorkflowClient } from "@temporalio/client";
import { connect, db, disconnect } from "../../src/db/db.js";
import { shippedOrder } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { HEALED_WITHIN_MS, repeatAll, throughKills } from "../support/kills.js";
import type { Scanner } from "../support/scanner.js";
import { type Floor, openFloor } from "../support/shift.js";
import { openStack, type Stack } from "../support/stack.js";
import { until } from "../support/until.js";

/** How often each process is killed; `npm run test:long` asks for more. */
const ROUNDS = Number(process.env.TEST_KILL_ROUNDS ?? 1);
const PEOPLE = 4;
const SHIPPED = 100_000;

describe("returns, as the processes of the service are killed in their midst", function () {
  this.timeout(300_000 + ROUNDS * 60_000);
  let stack: Stack;
  let floor: Floor;
  let connection: Connection;
  let workflows: WorkflowClient;
  /** For each person an order that was shipped. */
  const orders: number[] = [];
  before(async () => {
    stack = await openStack();
    connect(stack.databaseUrl, 4);
    floor = await openFloor(stack, PEOPLE);
    for (const _ of floor.scanners) {
      const lines = [{ item_id: itemId(), quantity: SHIPPED }];
      orders.push((await shippedOrder(floor.warehouse_id, lines)).so_id);
    }
    connection = await Connection.connect({ address: stack.temporalAddress });
    workflows = new Client({ connection }).workflow;
  });
  after(async () => {
    await connection?.close();
    await disconnect();
    await stack?.close();
  });

  const itemId = () => (floor.items[0] as { item_id: number }).item_id;
  const running = async () => {
    const query = "WorkflowType = 'rma' and ExecutionStatus = 'Running'";
    return (await workflows.count(query).catch(() => undefined))?.count ?? -1;
  };

  async function create(scanner: Scanner, soId: number): Promise<number> {
    const lines = [{ item_id: itemId(), quantity: 3 }];
    return (await scanner.post(`/api/admin/sales-orders/${soId}/create-rma`, { lines })).so_id;
  }
  const receive = (scanner: Scanner, rma: number, quantity: number) =>
    scanner.post(`/api/admin/sales-orders/${rma}/receive-return`, {
      ...{ item_id: itemId(), quantity, warehouse_id: floor.warehouse_id, bin_id: floor.staging },
    });
  const voidIt = (scanner: Scanner, rma: number) => scanner.post(`/api/admin/sales-orders/${rma}/void-return`, {});

  it("go on, whichever of them dies in whatever step", async () => {
    await throughKills(stack, floor.scanners, ROUNDS, async (scanner, i) => {
      const soId = orders[i] as number;
      const comes = await create(scanner, soId);
      await receive(scanner, comes, 1);
      await receive(scanner, comes, 2);
      await voidIt(scanner, await create(scanner, soId));
    });
  });

  it("get their process back when the engine's whole store is gone, and go on to their ends", async () => {
    const [first, second] = floor.scanners as [Scanner, Scanner];
    const [mine, others] = orders as [number, number];
    const waiting = await create(first, mine);
    const partly = await create(second, others);
    await receive(second, partly, 1);

    const bringBack = await stack.takeAway("Temporal");
    stack.forgetProcesses();
    await bringBack();
    await until(async () => (await running()) === 2, HEALED_WITHIN_MS);

    await voidIt(first, waiting);
    await receive(second, partly, 2);
  });

  it("have lost nothing, done nothing twice and left nothing behind", async () => {
    const open = await db.rows(
      `select so_number, status from sales_orders
       where order_type = 'return' and status <> 'RECEIVED' and voided_at is null`,
    );
    assert.deepEqual(open, []);
    await until(async () => (await running()) === 0, HEALED_WITHIN_MS);
    const before = await counted();
    await repeatAll(floor.scanners);
    assert.deepEqual(await counted(), before, "a repeat did something");
    await assertInvariants();
    const { received, stored, receipts, events } = before as Record<string, number>;
    assert.ok(received && received >= 3 * PEOPLE);
    assert.deepEqual([stored, events], [received, receipts]);
    assert.equal(
      receipts,
      floor.scanners.flatMap((one) => one.accepted).filter(({ path }) => /receive/.test(path)).length,
    );
  });

  /** What was done, what lies on the dock, and what partners are told. */
  const counted = () =>
    db.row(
      `select (select count(*) from sales_orders where order_type = 'return') as made,
              (select coalesce(sum(quantity_received), 0) from sales_order_lines join sales_orders using (so_id)
               where order_type = 'return') as received,
              (select sum(quantity_on_hand) from inventory where bin_id = $1) as stored,
              (select count(*) from item_receipts where so_id is not null) as receipts,
              (select count(*) from integration_events where event_type = 'return.received') as events,
              (select count(*) from audit_log where action_type like 'RETURN_%') as audited`,
      [floor.staging],
    );
});
