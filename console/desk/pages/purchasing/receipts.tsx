import { useRead } from "../../../shared/api.js";
import { ReceiptTable } from "../../components/receipts.js";
import { Loaded } from "../../components/states.js";

/** What was received on a purchase order. */
export const Receipts = ({ po_id }: { po_id: number }) => (
  <Loaded of={useRead("/api/admin/purchase-orders/{po_id}/receipts", { path: { po_id } })}>
    {({ receipts }) => (
      <ReceiptTable
        of={receipts}
        reverse={(receipt_id, body, api) =>
          api.post("/api/admin/receipts/{receipt_id}/unreceive", { path: { receipt_id }, body })
        }
      />
    )}
  </Loaded>
);
