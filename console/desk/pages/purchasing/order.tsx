import { useParams } from "react-router";
import { useRead } from "../../../shared/api.js";
import { day, time } from "../../../shared/format.js";
import { mayOpen, useMe } from "../../../shared/session.js";
import { t } from "../../../texts/purchasing.js";
import { Facts, Section } from "../../components/facts.js";
import { Page } from "../../components/page.js";
import { ReceiptTable } from "../../components/receipts.js";
import { Loaded } from "../../components/states.js";
import { Status } from "../../components/status.js";
import { useWarehouseCode } from "../../components/warehouse-field.js";
import { OrderActions } from "./order-actions.js";
import { OrderLines } from "./order-lines.js";

export default function PurchaseOrder() {
  const po_id = Number(useParams().po_id);
  const maySeeReceipts = mayOpen(useMe(), "receiving");
  const codeOf = useWarehouseCode();
  return (
    <Loaded of={useRead("/api/admin/purchase-orders/{po_id}", { path: { po_id } })}>
      {({ purchase_order: order, lines }) => (
        <Page
          title={order.po_number}
          warehouse_id={order.warehouse_id}
          mark={<Status of={order.status} />}
          actions={<OrderActions order={order} />}
        >
          <Section title={t("order")}>
            <Facts
              of={[
                [t("vendor"), order.vendor_name],
                [t("expected"), day(order.expected_date)],
                [t("warehouse"), codeOf(order.warehouse_id)],
                [t("barcode"), order.po_barcode],
                [t("created"), time(order.created_at)],
                [t("notes"), order.notes],
              ]}
            />
          </Section>
          <OrderLines order={order} lines={lines} />
          {maySeeReceipts && <Receipts po_id={po_id} />}
        </Page>
      )}
    </Loaded>
  );
}

/** What was received on a purchase order. */
const Receipts = ({ po_id }: { po_id: number }) => (
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
