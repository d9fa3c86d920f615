import { codesOf } from "../../platform/barcodes/gtin.js";
import { db } from "../../platform/db/db.js";
import { IS_OPEN, STAGING } from "../../stock/queries.js";
import { expectedItems, pendingItems } from "../putaway/queries.js";
import type { PurchaseOrderToReceive } from "../shapes.js";
import { BinOnDevice, type DeliveryOnDevice } from "./shapes.js";

/** A purchase order with all that a device needs to receive it, and to put it away, without the net. */
export async function deliveryOnDevice({ purchase_order, lines }: PurchaseOrderToReceive): Promise<DeliveryOnDevice> {
  const { po_id, warehouse_id } = purchase_order;
  const ids = lines.map(({ item_id }) => item_id);
  const [expected, receiving_bins, pending_items] = await Promise.all([
    expectedItems(po_id, warehouse_id),
    receivingBins(warehouse_id),
    pendingItems(warehouse_id, ids),
  ]);
  const items = new Map(expected.map((item) => [item.item_id, item]));
  const known = lines.map((line) => {
    const item = items.get(line.item_id);
    return {
      ...line,
      codes: codesOf({ ...line, upc: line.upc ?? null }, item?.barcode_aliases ?? null),
      suggested_bin_id: item?.bin_id ?? null,
      suggested_bin_code: item?.bin_code ?? null,
      suggested_bin_barcode: item?.bin_barcode ?? null,
    };
  });
  return { purchase_order, lines: known, receiving_bins, pending_items };
}

const receivingBins = (warehouse_id: number) =>
  db.rows(
    BinOnDevice,
    `select bin_id, bin_code, bin_barcode from bins b
     where warehouse_id = :warehouse_id and ${STAGING} and ${IS_OPEN} order by bin_code`,
    { warehouse_id },
  );
