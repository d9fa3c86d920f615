import { TextInput } from "@mantine/core";
import type { Receipt, ReturnReceipt } from "../../../client/src/index.js";
import type { Api } from "../../shared/api.js";
import { t } from "../../texts/receipts.js";
import { Decision } from "./decision.js";
import { Section } from "./facts.js";
import { MaybeLink } from "./maybe-link.js";
import { SerialLinks } from "./serial-links.js";
import { Empty } from "./states.js";
import { DataTable } from "./table.js";

type Received = Receipt | ReturnReceipt;

/** The serials of its units, or the number that was noted of an item that asks for none. */
const Serials = (one: Received) =>
  one.serial_numbers.length > 0 ? (
    <SerialLinks of={one.serial_numbers} />
  ) : "serial_number" in one ? (
    one.serial_number
  ) : null;

interface ReceiptsProps {
  of: Received[];
  reverse: (receipt_id: number, body: { reason: string | null }, api: Api) => Promise<unknown>;
}

/** What was received of an order, each receipt to be taken back by itself. */
export const ReceiptTable = ({ of, reverse }: ReceiptsProps) => (
  <Section title={t("receipts")}>
    {of.length === 0 ? (
      <Empty title={t("noReceipts")} />
    ) : (
      <DataTable
        title={t("receipts")}
        rows={of}
        columns={[
          { field: "received_at", title: t("when"), as: "time" },
          { field: "sku", title: t("sku") },
          { field: "quantity_received", title: t("quantity"), as: "number" },
          {
            field: "bin_code",
            title: t("bin"),
            show: ({ bin_id, bin_code }) => <MaybeLink to={`/bins/${bin_id}`}>{bin_code}</MaybeLink>,
          },
          { field: "lot_number", title: t("lot") },
          ...(of.some((one) => "serial_number" in one || one.serial_numbers.length > 0)
            ? [{ field: "serial_numbers", title: t("serial"), show: Serials }]
            : []),
          { field: "received_by", title: t("by"), as: "person" },
          { field: "notes", title: t("notes") },
          {
            field: "actions",
            title: t("actions"),
            right: true,
            show: ({ receipt_id, quantity_received: quantity, sku, bin_code: bin }) => (
              <Decision
                label={t("unreceive")}
                title={t("unreceiveTitle", { quantity, sku, bin })}
                act={({ reason }, api) => reverse(receipt_id, { reason: reason || null }, api)}
                isDangerous
                isSmall
              >
                <TextInput name="reason" label={t("reason")} maxLength={500} data-autofocus />
              </Decision>
            ),
          },
        ]}
      />
    )}
  </Section>
);
