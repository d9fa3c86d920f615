import { z } from "zod";
import {
  type PurchaseOrderStatus,
  purchaseOrderStates,
} from "../src/states.js";
import { Day, Id, Time } from "./fields.js";

export const PoStatus = z.enum(
  Object.keys(purchaseOrderStates) as PurchaseOrderStatus[],
);

/** A purchase order without its lines. */
export const PoHeader = z.strictObject({
  po_id: Id,
  po_number: z.string(),
  po_barcode: z.string(),
  vendor_name: z.string().nullable(),
  status: PoStatus,
  expected_date: Day.nullable(),
  warehouse_id: Id,
  notes: z.string().nullable(),
  created_at: Time,
});
