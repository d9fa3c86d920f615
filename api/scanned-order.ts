import { z } from "zod";
import { Id } from "./fields.js";

/** A sales order as the packing and the shipping desk see it after a scan (reference 02 §6, §7). */
export const ScannedOrder = z.strictObject({
  so_id: Id,
  so_number: z.string(),
  so_barcode: z.string().nullable(),
  customer_name: z.string().nullable(),
  status: z.string(),
  ship_method: z.string().nullable(),
  ship_address: z.string().nullable(),
  warehouse_id: Id,
  memo: z.string().nullable(),
});
