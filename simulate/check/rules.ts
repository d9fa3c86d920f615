import type { Heard } from "../http/measure.js";
import type { Model } from "./model.js";

const ORDERS = "/api/admin/sales-orders";
const TRANSFERS = "/api/admin/transfer-orders";
const PARCELS = "/api/packing/parcels";
const LEAVING = "/api/shipping/parcels";
const STATION = "/api/v1/station/orders/:so_number";

interface Decision {
  adjustment_id: number;
  action: "approve" | "reject";
}
const asDecided = ({ adjustment_id, action }: Decision) => ({
  adjustment_id,
  status: action === "approve" ? "APPROVED" : "REJECTED",
});

/** What an answer of each route means. */
const rules: Record<string, (model: Model, heard: Heard) => void> = {
  [`post ${ORDERS}`]: (model, { answer }) => model.begun(answer.sales_order),
  [`post ${ORDERS}/:so_id/partial-fulfill`]: (model, { params, answer }) =>
    model.begun(
      { ...answer.backorder_so, warehouse_id: model.orders.get(Number(params.so_id))?.warehouse_id },
      Number(params.so_id),
    ),
  [`post ${ORDERS}/:so_id/cancel`]: (model, { params }) => model.cancelled(Number(params.so_id)),
  [`post ${ORDERS}/:so_id/cancel-backorder`]: (model, { params }) => model.cancelled(Number(params.so_id)),
  [`post ${ORDERS}/:so_id/create-rma`]: (model, { answer }) =>
    model.begun({ ...answer, status: "OPEN", warehouse_id: 0 }),
  [`post ${ORDERS}/:so_id/receive-return`]: (model, { params, asked, answer }) =>
    model.cameBack(Number(params.so_id), asked, answer.status),

  "get /api/picking/batch/:batch_id/next": (model, { params, answer }) =>
    answer.pick_task_id && model.taskIs(answer.pick_task_id, Number(params.batch_id)),
  "post /api/picking/confirm": (model, { answer }) => model.picked(answer.task),
  "post /api/picking/short": (model, { answer }) => model.picked(answer.task),
  "post /api/picking/complete-batch": (model, { asked, answer }) => {
    for (const { so_number } of answer.transfer ? [] : answer.summary.orders) {
      model.became(model.numbered(so_number), "PICKED");
      model.event(so_number, "pick.confirmed");
    }
    if (answer.transfer) model.walked(asked.batch_id, answer.transfer);
  },
  "post /api/packing/verify": (model, { asked }) => model.verified(asked.so_id, asked.scanned_barcode, asked.quantity),
  [`post ${PARCELS}`]: (model, { answer }) => model.parcelIs(answer),
  [`post ${PARCELS}/rest`]: (model, { answer }) => model.parcelIs(answer),
  [`post ${PARCELS}/:parcel_id/scan`]: (model, { params, asked }) =>
    model.putIn(Number(params.parcel_id), asked.scanned_barcode, asked.quantity),
  [`post ${PARCELS}/:parcel_id/close`]: (model, { answer }) => model.parcelBecame(answer.parcel_id, answer.status),
  [`post ${PARCELS}/:parcel_id/void`]: (model, { answer }) => model.parcelBecame(answer.parcel_id, answer.status),
  "post /api/packing/complete": (model, { answer }) => model.packed(model.numbered(answer.so_number), answer.status),
  "post /api/shipping/fulfill": (model, { asked }) => model.shipped(model.orders.get(asked.so_id), "SHIPPED"),
  [`post ${LEAVING}/ship`]: (model, { answer }) =>
    model.shippedParcels(answer.so_number, answer.parcels, answer.so_status),
  [`post ${LEAVING}/:parcel_id/ship`]: (model, { answer }) =>
    model.shippedParcels(answer.so_number, answer.parcels, answer.so_status),
  [`post ${LEAVING}/:parcel_id/void`]: (model, { answer }) =>
    model.voided(model.orders.get(answer.so_id), { parcel_id: answer.parcel_id }),
  [`post ${STATION}/ship`]: (model, { params, answer }) =>
    model.shipped(model.numbered(String(params.so_number)), answer.status),
  [`post ${STATION}/void-ship`]: (model, { params, answer }) =>
    model.voided(model.numbered(String(params.so_number)), { status: answer.status }),

  "get /api/receiving/po/:barcode": (model, { answer: { purchase_order } }) =>
    model.poIs(purchase_order.po_id, purchase_order.po_number),
  "post /api/receiving/receive": (model, { asked }) => model.received(asked),

  "post /api/transfers/move": (model, { asked }) => model.tidied(asked),

  "post /api/v1/pos/checkout": (model, { asked, answer }) =>
    model.sold(answer.so_number, asked.payment_summary.total_cents, asked.lines),
  "post /api/v1/pos/refund": (model, { asked, answer }) =>
    model.refunded(answer.refund_so_id, asked.refund_summary.total_cents, asked.original_so_id, asked.lines),

  "get /api/inventory/cycle-counts/open": (model, { answer }) => {
    for (const { count_id, warehouse_id } of answer.counts) model.countIs(count_id, warehouse_id);
  },
  "post /api/inventory/cycle-count/create": (model, { asked, answer }) => {
    for (const { count_id } of answer.counts) model.countIs(count_id, asked.warehouse_id);
  },
  "post /api/inventory/cycle-count/submit": (model, { answer }) =>
    model.submitted(answer.count_id, answer.summary.adjustments),
  // 0.3.0, from which the upgrade test begins, answers only with how many: then stock took what was counted.
  "post /api/admin/adjustments/review": (model, { asked, answer }) =>
    model.decided(answer.decisions ?? asked.decisions.map(asDecided)),

  [`post ${TRANSFERS}`]: (model, { asked, answer }) =>
    model.transferIs(answer.to_id, answer.to_number, asked.source_warehouse_id, asked.destination_warehouse_id),
  [`post ${TRANSFERS}/:to_id/start-picking`]: (model, { answer }) => model.walkBegan(answer.batch_id),
  [`post ${TRANSFERS}/:to_id/approvals/:to_approval_id/approve`]: (model, { answer }) =>
    model.approved(answer.to_approval_id, answer.to_closed),
};

/** Tells a model of every request of the day that was done, in the order in which the answers came. */
export function hear(model: Model): (heard: Heard) => void {
  const repeated = new Set<string>();
  return (heard) => {
    const rule = rules[heard.route];
    if (!rule) return;
    const key = heard.asked.idempotency_key;
    if (key !== undefined && repeated.has(key)) return;
    if (key !== undefined) repeated.add(key);
    rule(model, heard);
  };
}
