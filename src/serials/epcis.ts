import { z } from "zod";
import { int, text, time } from "../platform/db/columns.js";
import { db } from "../platform/db/db.js";
import { digitalLink, epcisDocument, eventId, knownBy, transactions, urn } from "../platform/epcis.js";

/** The life of a unit with a serial number as an EPCIS 2.0 document (docs/recall.md). */

const Unit = z.strictObject({
  ...{ external_id: text, serial_number: text, lot_number: text.nullable() },
  ...{ item_external_id: text, sku: text, item_name: text, upc: text.nullable() },
});
type Unit = z.infer<typeof Unit>;

const Step = z.strictObject({
  ...{ step_id: int, kind: text, at: time, username: text, warehouse_code: text, order_number: text.nullable() },
  ...{ customer_name: text.nullable(), carrier: text.nullable(), tracking_number: text.nullable() },
  /** Of the purchase order, sales order or return. */
  order_external_id: text.nullable(),
  shipment_external_id: text.nullable(),
});
type Step = z.infer<typeof Step>;

/** What each kind of step is called there. */
const MEANING: Record<string, { bizStep: string; disposition?: string; action?: string }> = {
  RECEIVED: { action: "ADD", bizStep: "receiving", disposition: "in_progress" },
  RECEIPT_REVERSED: { action: "DELETE", bizStep: "decommissioning", disposition: "inactive" },
  PACKED: { bizStep: "packing", disposition: "in_progress" },
  UNPACKED: { bizStep: "unpacking", disposition: "in_progress" },
  SHIPPED: { bizStep: "shipping", disposition: "in_transit" },
  SHIP_VOIDED: { bizStep: "void_shipping", disposition: "in_progress" },
  RETURNED: { bizStep: "receiving", disposition: "returned" },
  RETURN_REVERSED: { bizStep: "shipping", disposition: "unknown" },
  ADJUSTED_OUT: { bizStep: "stock_taking", disposition: "unknown" },
  FOUND: { bizStep: "stock_taking", disposition: "in_progress" },
  SENT_BACK: { bizStep: "shipping", disposition: "returned" },
  DESTROYED: { action: "DELETE", bizStep: "destroying", disposition: "destroyed" },
};

/** What a unit last seen in these warehouses went through there; undefined for a unit that is not known there. */
export async function epcisOfSerial(
  serialId: number,
  warehouses: number[] | null,
): Promise<{ serial_number: string; document: object } | undefined> {
  const unit = await db.row(
    Unit,
    `select s.external_id, serial_number, lot_number, i.external_id as item_external_id, sku, item_name, upc
     from serials s join items i using (item_id)
     where serial_id = $1 and ($2::int[] is null or warehouse_id = any($2))`,
    [serialId, warehouses],
  );
  if (!unit) return undefined;
  const steps = await db.rows(
    Step,
    `select step_id, kind, step.created_at as at, username, warehouse_code, order_number, so.customer_name, f.carrier,
       f.tracking_number, f.external_id as shipment_external_id,
       coalesce(so.external_id, po.external_id) as order_external_id
     from serial_steps step join warehouses using (warehouse_id)
       left join sales_orders so using (so_id) left join item_fulfillments f using (fulfillment_id)
       left join item_receipts r using (receipt_id) left join purchase_orders po on po.po_id = r.po_id
     where serial_id = $1 and ($2::int[] is null or step.warehouse_id = any($2)) order by step_id`,
    [serialId, warehouses],
  );
  const document = epcisDocument(urn(unit.item_external_id), {
    ...{ "urn:epcglobal:cbv:mda:descriptionShort": unit.item_name, "wes:sku": unit.sku },
    "urn:epcglobal:cbv:mda:lotNumber": unit.lot_number,
  });
  const epc = digitalLink(unit.upc, "21", unit.serial_number) ?? urn(unit.external_id);
  document.epcisBody.eventList = steps.map((step) => eventOf(unit, epc, step));
  return { serial_number: unit.serial_number, document };
}

function eventOf(unit: Unit, epc: string, step: Step): object {
  const { step_id, kind, at, order_external_id, shipment_external_id } = step;
  const isReturn = kind === "RETURNED" || kind === "RETURN_REVERSED";
  const papers = transactions([isReturn ? "rma" : "po", order_external_id], ["desadv", shipment_external_id]);
  return {
    ...{ type: "ObjectEvent", eventID: eventId(unit.external_id, step_id), eventTime: at },
    ...{ eventTimeZoneOffset: "+00:00", action: "OBSERVE", ...MEANING[kind], epcList: [epc], ...papers },
    ...knownBy({
      ...{ warehouse: step.warehouse_code, document: step.order_number, party: step.customer_name },
      ...{ carrier: step.carrier, tracking_number: step.tracking_number, user: step.username },
    }),
  };
}
