import type { z } from "zod";
import type { Mapped } from "../../src/inbound/apply.js";
import { constraintViolation, LinesInFlight, LockHeld } from "../../src/inbound/problems.js";
import type { Actor } from "../../src/platform/actor.js";
import { int } from "../../src/platform/db/columns.js";
import { mayBecome, type PurchaseOrderStatus, purchaseOrderStates } from "../../src/platform/states.js";
import { PurchaseOrder } from "../../src/purchasing/shapes.js";
import { isLocked, statusByLines } from "../../src/purchasing/status.js";
import type { Tx } from "../command.js";
import type { Incoming } from "./incoming.js";
import { checkSenderWarehouse } from "./incoming.js";
import { linesToWrite, OrderLine, sameLines, sorted } from "./lines.js";
import { insertRow, updateRow, type Values } from "./records.js";

/**
 * Writes a purchase order. The source decides only the statuses CLOSED and ARCHIVED; any other follows from what was
 * received. Lines that differ from the stored ones replace them as long as nothing was received.
 */
export async function writePurchaseOrder(
  tx: Tx,
  incoming: Incoming,
  values: Values,
  lines: Mapped["lines"],
  by: Actor,
): Promise<number> {
  const { status, ...mapped } = values;
  const wanted = status as PurchaseOrderStatus | undefined;
  const sent = sorted(await linesToWrite(tx, incoming, lines ?? []));
  return incoming.stored.exists
    ? change(tx, incoming, mapped, wanted, sent)
    : create(tx, incoming, mapped, wanted, sent, by);
}

async function create(
  tx: Tx,
  incoming: Incoming,
  values: Values,
  wanted: PurchaseOrderStatus | undefined,
  lines: OrderLine[],
  by: Actor,
): Promise<number> {
  const row = {
    ...values,
    po_barcode: values.po_barcode ?? values.po_number,
    created_by: by.username,
    status: wanted && isLocked(wanted) ? wanted : "OPEN",
  };
  const order = await insertRow(tx, incoming, row, { po_id: int, warehouse_id: int });
  await insertLines(tx, order.po_id, lines);
  return order.warehouse_id;
}

const StoredOrder = PurchaseOrder.pick({ warehouse_id: true, status: true, po_number: true, po_id: true });

const StoredLine = OrderLine.extend({ po_line_id: int, quantity_received: int });
type StoredLine = z.infer<typeof StoredLine>;

async function change(
  tx: Tx,
  incoming: Incoming,
  values: Values,
  wanted: PurchaseOrderStatus | undefined,
  sent: OrderLine[],
): Promise<number> {
  const order = await tx.row(
    StoredOrder,
    "select po_id, po_number, status, warehouse_id from purchase_orders where external_id = $1 for update",
    [incoming.canonicalId],
  );
  if (!order) throw LockHeld();
  checkSenderWarehouse(incoming.sender, order.warehouse_id);
  const stored = sorted(
    await tx.rows(
      StoredLine,
      `select po_line_id, item_id, quantity_ordered, quantity_received, unit_cost, line_number
       from purchase_order_lines where po_id = $1`,
      [order.po_id],
    ),
  );
  const warehouse_id = (values.warehouse_id ?? order.warehouse_id) as number;
  const replaced = sent.length > 0 && !sameLines(stored, sent);
  const received = stored.some((line) => line.quantity_received > 0);
  if (received && (replaced || warehouse_id !== order.warehouse_id)) throw LinesInFlight({ number: order.po_number });
  if (replaced) {
    await tx.run("delete from purchase_order_lines where po_id = $1", [order.po_id]);
    await insertLines(tx, order.po_id, sent);
  } else await saveCosts(tx, stored, sent);
  const progress = replaced ? "OPEN" : statusByLines(stored);
  await updateRow(tx, incoming, { ...values, status: statusAfter(order.status, wanted, progress) });
  return warehouse_id;
}

/** An order that a user closed or archived stays so, whatever its source sends. */
function statusAfter(
  status: PurchaseOrderStatus,
  wanted: PurchaseOrderStatus | undefined,
  progress: PurchaseOrderStatus,
): PurchaseOrderStatus {
  if (wanted && isLocked(wanted) && wanted !== status) {
    if (mayBecome(purchaseOrderStates, status, wanted)) return wanted;
    throw constraintViolation(`status: an order that is ${status} does not become ${wanted}`);
  }
  return isLocked(status) ? status : progress;
}

async function insertLines(tx: Tx, poId: number, lines: OrderLine[]): Promise<void> {
  if (lines.length === 0) return;
  await tx.run(
    `insert into purchase_order_lines (po_id, item_id, quantity_ordered, unit_cost, line_number)
     select $1, item_id, quantity_ordered, unit_cost, line_number
     from jsonb_populate_recordset(null::purchase_order_lines, $2)`,
    [poId, JSON.stringify(lines)],
  );
}

/** Updates the costs of lines that are otherwise the same. */
async function saveCosts(tx: Tx, stored: StoredLine[], sent: OrderLine[]): Promise<void> {
  const costs = sent
    .map(({ unit_cost }, i) => ({ ...(stored[i] as StoredLine), new_cost: unit_cost }))
    .filter((line) => line.new_cost !== undefined);
  if (costs.length === 0) return;
  await tx.run(
    `update purchase_order_lines l set unit_cost = c.unit_cost
     from unnest($1::int[], $2::numeric[]) as c(po_line_id, unit_cost)
     where l.po_line_id = c.po_line_id and l.unit_cost is distinct from c.unit_cost`,
    [costs.map((line) => line.po_line_id), costs.map((line) => line.new_cost)],
  );
}
