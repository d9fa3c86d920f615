import type { SalesOrder } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { ReceiptTable } from "../../components/receipts.js";
import { Loaded } from "../../components/states.js";

const PATH = "/api/admin/sales-orders/{so_id}/return-receipts";

/** What has come of a return. */
export const ReturnReceipts = ({ order: { so_id } }: { order: SalesOrder }) => (
  <Loaded of={useRead(PATH, { path: { so_id } })}>
    {({ receipts }) => (
      <ReceiptTable
        of={receipts}
        reverse={(receipt_id, body, api) =>
          api.post(`${PATH}/{receipt_id}/reverse`, { path: { so_id, receipt_id }, body })
        }
      />
    )}
  </Loaded>
);
