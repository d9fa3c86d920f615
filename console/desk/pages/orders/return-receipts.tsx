import { TextInput } from "@mantine/core";
import type { ReturnReceipt, SalesOrder } from "../../../../client/src/index.js";
import { api, useRead } from "../../../shared/api.js";
import { number, time } from "../../../shared/format.js";
import { t } from "../../../texts/orders.js";
import { Decision } from "../../components/decision.js";
import { Section } from "../../components/facts.js";
import { MaybeLink } from "../../components/maybe-link.js";
import { Loaded } from "../../components/states.js";
import { DataTable } from "../../components/table.js";

/** What has come of a return, each receipt to be taken back by itself. */
export const ReturnReceipts = ({ order: { so_id } }: { order: SalesOrder }) => (
  <Loaded of={useRead("/api/admin/sales-orders/{so_id}/return-receipts", { path: { so_id } })}>
    {({ receipts }) =>
      receipts.length > 0 && (
        <Section title={t("receipts")}>
          <DataTable
            title={t("receipts")}
            rows={receipts}
            columns={[
              { field: "received_at", title: t("when"), show: ({ received_at }) => time(received_at) },
              { field: "sku", title: t("sku") },
              {
                field: "quantity_received",
                title: t("quantity"),
                right: true,
                show: ({ quantity_received }) => number(quantity_received),
              },
              {
                field: "bin_code",
                title: t("bin"),
                show: ({ bin_id, bin_code }) => <MaybeLink to={`/bins/${bin_id}`}>{bin_code}</MaybeLink>,
              },
              { field: "lot_number", title: t("lot") },
              { field: "received_by", title: t("by") },
              { field: "notes", title: t("notes") },
              {
                field: "actions",
                title: t("actions"),
                right: true,
                show: (receipt) => <Reverse so_id={so_id} receipt={receipt} />,
              },
            ]}
          />
        </Section>
      )
    }
  </Loaded>
);

function Reverse({ so_id, receipt }: { so_id: number; receipt: ReturnReceipt }) {
  const { receipt_id, quantity_received: quantity, sku, bin_code: bin } = receipt;
  return (
    <Decision
      label={t("reverseReceipt")}
      title={t("reverseReceiptTitle", { quantity, sku, bin })}
      act={({ reason }, idempotencyKey) =>
        api.post("/api/admin/sales-orders/{so_id}/return-receipts/{receipt_id}/reverse", {
          ...{ path: { so_id, receipt_id }, body: { reason: reason || null }, idempotencyKey },
        })
      }
      isDangerous
      isSmall
    >
      <TextInput name="reason" label={t("reason")} maxLength={500} data-autofocus />
    </Decision>
  );
}
