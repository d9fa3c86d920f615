import { FileInput, List, SimpleGrid, Textarea } from "@mantine/core";
import { useNavigate } from "react-router";
import { Refusal } from "../../../../client/src/index.js";
import { api } from "../../../shared/api.js";
import { t } from "../../../texts/transfers.js";
import { Section } from "../../components/facts.js";
import { Form } from "../../components/form.js";
import { Page } from "../../components/page.js";
import { useWarehouseCode } from "../../components/warehouse-field.js";
import { fileIn, recordsOf } from "../../csv.js";
import { typed } from "../../values.js";
import { SideFields } from "./side-fields.js";

export default function ImportTransferOrder() {
  const navigate = useNavigate();
  const codeOf = useWarehouseCode();
  const create = async (values: Record<string, string>, idempotencyKey: string) => {
    const records = (await recordsOf(fileIn("file"))).map(({ sku, quantity }) => ({ sku, quantity: Number(quantity) }));
    const { to_id } = await api.post("/api/admin/transfer-orders/import", {
      body: {
        source_warehouse_code: codeOf(Number(values.source)),
        destination_warehouse_code: codeOf(Number(values.destination)),
        notes: typed(values.notes),
        records,
      },
      idempotencyKey,
    });
    await navigate(`/transfer-orders/${to_id}`);
  };
  return (
    <Page title={t("importTitle")} back="/transfer-orders">
      <Form label={t("importOrder")} act={create} refusal={(error) => <WrongRows error={error} />}>
        <Section title={t("order")}>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <SideFields />
          </SimpleGrid>
          <FileInput id="file" name="file" label={t("file")} accept=".csv,text/csv" required mt="sm" />
          <Textarea name="notes" label={t("notes")} maxLength={2000} autosize minRows={2} mt="sm" />
        </Section>
      </Form>
    </Page>
  );
}

interface WrongRow {
  row_index: number;
  sku?: string;
  details?: { field: string; message: string }[];
}

/** Which rows of the file are wrong, and why. */
function WrongRows({ error }: { error: unknown }) {
  const rows = error instanceof Refusal ? ((error.body.rows ?? []) as WrongRow[]) : [];
  return (
    <List size="sm">
      {rows.map(({ row_index, sku = "", details }) => (
        <List.Item key={row_index}>
          {t("row")} {row_index + 1}:{" "}
          {details
            ? details.map(({ field, message }) => t("rowWrong", { field, message })).join("; ")
            : t("rowUnknownSku", { sku })}
        </List.Item>
      ))}
    </List>
  );
}
