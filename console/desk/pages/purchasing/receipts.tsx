import { TextInput } from "@mantine/core";
import type { Receipt } from "../../../../client/src/index.js";
import { api, useRead } from "../../../shared/api.js";
import { number, time } from "../../../shared/format.js";
import { t } from "../../../texts/purchasing.js";
import { Decision } from "../../components/decision.js";
import { Section } from "../../components/facts.js";
import { MaybeLink } from "../../components/maybe-link.js";
import { Empty, Loaded } from "../../components/states.js";
import { DataTable } from "../../components/table.js";

/** What was received on a purchase order, each to be taken back by itself. */
export const Receipts = ({ po_id }: { po_id: number }) => (
  <Section title={t("receipts")}>
    <Loaded of={useRead("/api/admin/purchase-orders/{po_id}/receipts", { path: { po_id } })}>
      {({ receipts }) =>
        receipts.length === 0 ? (
          <Empty title={t("noReceipts")} />
        ) : (
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
              { field: "serial_number", title: t("serial") },
              { field: "received_by", title: t("by") },
              { field: "notes", title: t("notes") },
              { field: "actions", title: t("actions"), right: true, show: (receipt) => <Unreceive {...receipt} /> },
            ]}
          />
        )
      }
    </Loaded>
  </Section>
);

const Unreceive = ({ receipt_id, quantity_received, sku, bin_code }: Receipt) => (
  <Decision
    label={t("unreceive")}
    title={t("unreceiveTitle", { quantity: quantity_received, sku, bin: bin_code })}
    act={({ reason }, idempotencyKey) =>
      api.post("/api/admin/receipts/{receipt_id}/unreceive", {
        ...{ path: { receipt_id }, body: { reason: reason || null }, idempotencyKey },
      })
    }
    isDangerous
    isSmall
  >
    <TextInput name="reason" label={t("reason")} maxLength={500} data-autofocus />
  </Decision>
);
