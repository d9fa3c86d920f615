import assert from "node:assert/strict";
import { Client, Connection, type WorkflowClient } from "@temporalio/client";
import { connect, db, disconnect } from "../../src/db/db.js";
import { assertInvariants, unexplainedUnits } from "../support/invariants.js";
import { HEALED_WITHIN_MS, repeatAll, throughKills } from "../support/kills.js";
import type { Scanner } from "../support/scanner.js";
import { openFloor, pickAll } from "../support/shift.js";
import { openStack, type Stack } from "../support/stack.js";
import {
  finishTransfer,
  newTransfer,
  statusOf,
  type TwoHouses,
  twoHouses,
  walkTransfer,
} from "../support/transfer-walks.js";
import { TRANSFERS } from "../support/transfers.js";
import { until } from "../support/until.js";

/** How often each process is killed; `npm run test:long` asks for more. */
const ROUNDS = Number(process.env.TEST_KILL_ROUNDS ?? 1);
const PEOPLE = 4;
const UNITS = 100_000;

describe("transfer orders, as the processes of the service are killed in their midst", function () {
  this.timeout(300_000 + ROUNDS * 60_000);
  let stack: Stack;
  let houses: TwoHouses;
  let scanners: Scanner[];
  let connection: Connection;
  let workflows: WorkflowClient;
  const walked: number[] = [];
  before(async () => {
    stack = await openStack();
    connect(stack.databaseUrl, 4);
    houses = await twoHouses(3, UNITS);
    ({ scanners } = await openFloor(stack, PEOPLE));
    connection = await Connection.connect({ address: stack.temporalAddress });
    workflows = new Client({ connection }).workflow;
  });
  after(async () => {
    await connection?.close();
    await disconnect();
    await stack?.close();
  });

  const running = async () => {
    const query = `WorkflowType in ('transferOrder', 'pickWave') and ExecutionStatus = 'Running'`;
    return (await workflows.count(query).catch(() => undefined))?.count ?? -1;
  };

  it("go on, whichever of them dies in whatever step", async () => {
    await throughKills(stack, scanners, ROUNDS, async (scanner, i) => {
      const approver = scanners[(i + 1) % PEOPLE] as Scanner;
      walked.push(await walkTransfer(scanner, approver, houses));
    });
  });

  it("get their process back when the engine's whole store is gone, and go on to their ends", async () => {
    const [first, second, third] = scanners as [Scanner, Scanner, Scanner];
    const created = await first.post(TRANSFERS, newTransfer(houses));
    const picked = await second.post(TRANSFERS, newTransfer(houses));
    const { batch_id } = await second.post(`${TRANSFERS}/${picked.to_id}/start-picking`, {});
    const submitted = await third.post(TRANSFERS, newTransfer(houses));
    const batch = await third.post(`${TRANSFERS}/${submitted.to_id}/start-picking`, {});
    await pickAll(third, batch);
    await third.post("/api/picking/complete-batch", { batch_id: batch.batch_id });

    const bringBack = await stack.takeAway("Temporal");
    stack.forgetProcesses();
    await bringBack();
    // Three transfer orders, and the batch that is being picked.
    await until(async () => (await running()) === 4, HEALED_WITHIN_MS);

    await first.post(`${TRANSFERS}/${created.to_id}/cancel`, {});
    await pickAll(second, { batch_id });
    await second.post("/api/picking/complete-batch", { batch_id });
    for (const [who, { to_id }] of [
      [second, picked],
      [third, submitted],
    ] as const) {
      await finishTransfer(who, first, to_id);
      assert.equal(await statusOf(to_id), "CLOSED");
    }
  });

  it("have lost nothing, done nothing twice and left nothing behind", async () => {
    const open = await db.rows(
      "select to_number, status from transfer_orders where status not in ('CLOSED', 'CANCELLED')",
    );
    assert.deepEqual(open, []);
    assert.ok(walked.length >= PEOPLE);
    await until(async () => (await running()) === 0, HEALED_WITHIN_MS);
    const before = await counted();
    await repeatAll(scanners);
    assert.deepEqual(await counted(), before, "a repeat did something");
    await assertInvariants();
    for (const { units } of await unexplainedUnits()) assert.equal(units, UNITS);
    const { moved, arrived } = before as { moved: number; arrived: number };
    assert.equal(arrived, moved);
  });

  /** What was done, and what arrived in the other warehouse. */
  const counted = () =>
    db.row(
      `select (select count(*) from transfer_orders) as made, (select count(*) from pick_batches) as batches,
              (select count(*) from transfer_order_approvals) as approvals,
              (select sum(approved_qty) from transfer_order_lines) as moved,
              (select sum(quantity_on_hand) from inventory where warehouse_id = $1) as arrived,
              (select count(*) from audit_log where entity_type like 'TO%') as audited,
              (select count(*) from integration_events) as events`,
      [houses.destination],
    );
});
