import { SimpleGrid, Textarea } from "@mantine/core";
import { useNavigate } from "react-router";
import type { Api } from "../../../shared/api.js";
import { t } from "../../../texts/transfers.js";
import { Section } from "../../components/facts.js";
import { Form } from "../../components/form.js";
import { LineFields, linesIn } from "../../components/line-fields.js";
import { Page } from "../../components/page.js";
import { typed } from "../../values.js";
import { SideFields } from "./side-fields.js";

export default function NewTransferOrder() {
  const navigate = useNavigate();
  const create = async (values: Record<string, string>, api: Api) => {
    const { to_id } = await api.post("/api/admin/transfer-orders", {
      body: {
        source_warehouse_id: Number(values.source),
        destination_warehouse_id: Number(values.destination),
        notes: typed(values.notes),
        lines: linesIn(values).map(({ item_id, quantity }) => ({ item_id, quantity })),
      },
    });
    await navigate(`/transfer-orders/${to_id}`);
  };
  return (
    <Page title={t("newOrder")}>
      <Form label={t("createOrder")} act={create}>
        <Section title={t("order")}>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <SideFields />
          </SimpleGrid>
          <Textarea name="notes" label={t("notes")} maxLength={2000} autosize minRows={2} mt="sm" />
        </Section>
        <Section title={t("lines")}>
          <LineFields />
        </Section>
      </Form>
    </Page>
  );
}
