import type { Actor } from "../../src/platform/actor.js";
import { each, text } from "../../src/platform/db/columns.js";
import { dayAt, noonOf, zoneOf } from "../../src/platform/db/days.js";
import type { RowOf } from "../../src/platform/db/shape.js";
import type { Change } from "../../src/platform/events/catalog.js";
import { ofSalesOrder } from "../../src/platform/events/outbox.js";
import { mayBecome, salesOrderStates } from "../../src/platform/states.js";
import { NothingToShip } from "../../src/sales-orders/action-problems.js";
import { EditedSalesOrder, type HeaderEdited, type SalesOrderEdit } from "../../src/sales-orders/edit-shapes.js";
import { isFulfilled } from "../../src/sales-orders/fulfilment.js";
import { checkEditable, mayEditFully } from "../../src/sales-orders/full-edit.js";
import { refuseHeld } from "../../src/sales-orders/holds.js";
import {
  ReassignForbidden,
  SoExists,
  SoNotFound,
  StatusNotEditable,
  TrackingRequired,
} from "../../src/sales-orders/problems.js";
import { carrierOf, isPickup } from "../../src/shipping/carrier.js";
import { command, type Tx } from "../command.js";
import { refusingDuplicate } from "../edit.js";
import { letWait, lockWaitingBatch } from "../picking/let-wait.js";
import { unitsPicked, withContent } from "../shipping/contents.js";
import { shipOrder } from "../shipping/ship-order.js";
import { refuseShort } from "./admin-ship.js";
import { applyEdit, auditChange, changesOf, newValues } from "./changes.js";
import { type ActionOrder, lockOrder } from "./orders-with-picks.js";
import { releaseTooOld } from "./too-old.js";

const columns = [
  "so_number",
  "so_barcode",
  "customer_name",
  "customer_phone",
  "customer_email",
  "customer_address",
  "ship_method",
  "ship_address",
  "ship_by_date",
  "min_days_at_shipping",
  "priority",
  "memo",
  "source_system",
  "carrier",
  "tracking_number",
  "order_origin",
] as const;
/** The header's fields as text; `shipped_at` is a day in the company's time zone. */
const Header = each([...columns, "shipped_at", "status"], text.nullable());
type Header = RowOf<typeof Header>;

/**
 * Edits an order's header, and ships it when its status is to be SHIPPED (docs/interface.md, Sales orders): an audit
 * row for each changed field, and one `salesorderedit.completed` event. Fields that are not sent stay as they are, so
 * two people may edit one order.
 */
export function editSalesOrder(
  { so_id, ...sent }: SalesOrderEdit & { so_id: number },
  by: Actor,
): Promise<HeaderEdited> {
  return command("sales-orders.edit", by, { so_id, ...sent }, async (tx) => {
    const waiting = isUrgency(sent) ? await lockWaitingBatch(tx, so_id) : undefined;
    const order = await lockOrder(tx, so_id, by, SoNotFound);
    await checkEditable(tx, order, by);
    const before = await header(tx, so_id);
    const after = applyEdit(before, sent);
    if (before.status !== after.status) await ship(tx, order, after, by);
    const changes = changesOf(before, after);
    if (changes.length === 0) return { unchanged: true };
    for (const change of changes) {
      const reassigned = change.field === "source_system";
      if (reassigned && !(await mayEditFully(tx, by))) throw ReassignForbidden();
      const action = reassigned ? "SO_SOURCE_SYSTEM_REASSIGNED" : "SO_HEADER_EDITED";
      auditChange(tx, order, action, change);
    }
    const answer = await write(tx, so_id, after, changes);
    if (waiting !== undefined) await letWait(tx, waiting);
    if (changes.some(({ field }) => field === "min_days_at_shipping")) await releaseTooOld(tx, [so_id]);
    tx.emit({
      type: "salesorderedit.completed",
      ...ofSalesOrder(order),
      data: {
        sales_order_external_id: order.external_id,
        so_number: answer.so_number,
        status: answer.status,
        changes,
        edited_by_user_external_id: by.externalId,
        edited_at: tx.now,
      },
    });
    return { ...answer, edited_fields: changes.map((change) => change.field) };
  });
}

/** Whether it may change which batch is picked next. */
const isUrgency = ({ priority, ship_by_date }: SalesOrderEdit) => priority !== undefined || ship_by_date !== undefined;

async function header(tx: Tx, soId: number): Promise<Header> {
  return (await tx.row(
    Header,
    `select ${columns.map((column) => `${column}::text`)}, status,
       ${dayAt("shipped_at", zoneOf("sales_orders.warehouse_id"))}::text as shipped_at
     from sales_orders where so_id = $1`,
    [soId],
  )) as Header;
}

/** Ships an order with its fields as edited; if no carrier is given, it follows from the ship method. */
async function ship(tx: Tx, order: ActionOrder, after: Header, by: Actor): Promise<void> {
  const { so_number, status } = order;
  const { tracking_number, ship_method } = after;
  const ships =
    after.status === "SHIPPED" && mayBecome(salesOrderStates, status, "SHIPPED") && isFulfilled(order.order_type);
  if (!ships)
    throw StatusNotEditable({ so_number, status, wanted: after.status as string }, { current_status: status });
  refuseHeld(order);
  if (!tracking_number && !isPickup(ship_method)) throw TrackingRequired();
  await refuseShort(tx, order);
  const carrier = after.carrier ?? carrierOf(ship_method);
  after.carrier = carrier;
  const parcel = await withContent(tx, order);
  if (unitsPicked(parcel) === 0) throw NothingToShip({ so_number });
  await shipOrder(tx, parcel, { tracking_number, carrier, ship_method }, by);
}

const WriteRow = EditedSalesOrder.omit({ edited_fields: true });

/** Writes the fields that changed, except the status, which `ship` writes. */
async function write(
  tx: Tx,
  soId: number,
  { so_number }: Header,
  changes: Change[],
): Promise<Omit<EditedSalesOrder, "edited_fields">> {
  const written = tx.row(
    WriteRow,
    `update sales_orders so
     set (${columns}) = (select ${columns} from jsonb_populate_record(so, $2)),
         shipped_at = case when $2::jsonb ? 'shipped_at'
           then ${noonOf("$2::jsonb->>'shipped_at'", zoneOf("so.warehouse_id"))}
           else shipped_at end,
         updated_at = clock_timestamp()
     where so_id = $1
     returning so_id, so_number, so_barcode, customer_name, status, warehouse_id, ship_method, ship_address,
               source_system, created_at`,
    [soId, newValues(changes)],
  );
  const taken = SoExists({ so_number: so_number as string });
  return (await refusingDuplicate(written, taken)) as EditedSalesOrder;
}
