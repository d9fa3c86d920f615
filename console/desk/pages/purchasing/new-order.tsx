import { Stack } from "@mantine/core";
import { useNavigate } from "react-router";
import type { Api } from "../../../shared/api.js";
import { t } from "../../../texts/purchasing.js";
import { Section } from "../../components/facts.js";
import { Form } from "../../components/form.js";
import { LineFields, linesIn } from "../../components/line-fields.js";
import { Page } from "../../components/page.js";
import { WarehouseField } from "../../components/warehouse-field.js";
import { typed } from "../../values.js";
import { headerIn, OrderFields } from "./order-fields.js";

export default function NewPurchaseOrder() {
  const navigate = useNavigate();
  const create = async (values: Record<string, string>, api: Api) => {
    const body = {
      po_number: values.po_number ?? "",
      po_barcode: typed(values.po_barcode),
      warehouse_id: Number(values.warehouse_id),
      ...headerIn(values),
      lines: linesIn(values).map(({ quantity, ...line }) => ({ ...line, quantity_ordered: quantity })),
    };
    const { purchase_order } = await api.post("/api/admin/purchase-orders", { body });
    await navigate(`/purchase-orders/${purchase_order.po_id}`);
  };
  return (
    <Page title={t("newOrder")}>
      <Form label={t("createOrder")} act={create}>
        <Section title={t("order")}>
          <Stack>
            <WarehouseField />
            <OrderFields />
          </Stack>
        </Section>
        <Section title={t("lines")}>
          <LineFields withCost />
        </Section>
      </Form>
    </Page>
  );
}
