import { Alert, FileInput, NativeSelect, Text } from "@mantine/core";
import { useState } from "react";
import type { ImportResult } from "../../../../client/src/index.js";
import { api } from "../../../shared/api.js";
import { number } from "../../../shared/format.js";
import { t } from "../../../texts/imports.js";
import { Section } from "../../components/facts.js";
import { Form } from "../../components/form.js";
import { Page } from "../../components/page.js";
import { DataTable } from "../../components/table.js";
import { WarehouseField } from "../../components/warehouse-field.js";
import { fileIn, recordsOf } from "../../csv.js";

/** What can be imported, and the columns that a file may have. */
const columns = {
  items: "sku, item_name, description, upc, mpn, category, weight_lbs, default_bin, quantity",
  bins:
    "bin_code, bin_barcode, zone, zone_id, warehouse_id, bin_type, aisle, row_num, level_num, pick_sequence, " +
    "putaway_sequence, description",
  "purchase-orders": "po_number, sku, quantity, warehouse_id, vendor, expected_date",
  "sales-orders": "so_number, sku, quantity, warehouse_id, customer, customer_phone, customer_address",
  "inventory-adjustments": "sku, warehouse, bin, qty, memo",
  "source-links": "source_system, source_type, source_id, canonical_id, code",
};
type Kind = keyof typeof columns;

export default function Imports() {
  const [kind, setKind] = useState<Kind>("items");
  const [result, setResult] = useState<ImportResult>();
  const kinds: Record<Kind, string> = {
    ...{ items: t("items"), bins: t("bins"), "purchase-orders": t("orders") },
    ...{ "sales-orders": t("customers"), "inventory-adjustments": t("stock"), "source-links": t("links") },
  };
  const load = async ({ warehouse_id }: Record<string, string>, idempotencyKey: string) => {
    setResult(undefined);
    const records = await recordsOf(fileIn("file"));
    const body = { records, warehouse_id: Number(warehouse_id) };
    setResult(await api.post("/api/admin/import/{entity_type}", { path: { entity_type: kind }, body, idempotencyKey }));
  };
  return (
    <Page title={t("imports")}>
      <Section title={t("file")}>
        <Form label={t("importing")} act={load}>
          <NativeSelect
            label={t("what")}
            data={Object.entries(kinds).map(([value, label]) => ({ value, label }))}
            value={kind}
            onChange={({ currentTarget }) => setKind(currentTarget.value as Kind)}
          />
          <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {t("columns", { columns: columns[kind] })}
          </Text>
          <WarehouseField label={t("ofWarehouse")} />
          <FileInput name="file" label={t("file")} accept=".csv,text/csv" required />
        </Form>
      </Section>
      {result && <Result of={result} />}
    </Page>
  );
}

function Result({ of: { imported, total, errors, warnings } }: { of: ImportResult }) {
  const remarks = [
    ...errors.map(({ row, error }) => ({ row, why: error })),
    ...warnings.map(({ row, warning }) => ({ row, why: t("warning", { warning }) })),
  ].sort((a, b) => a.row - b.row);
  return (
    <>
      <Alert
        color={errors.length > 0 ? "orange" : "green"}
        variant="light"
        role="status"
        title={t("imported", { imported: number(imported), total: number(total) })}
        styles={{ title: { color: "var(--mantine-color-text)" } }}
      />
      {remarks.length > 0 && (
        <Section title={t("rows")}>
          <DataTable
            title={t("rows")}
            rows={remarks}
            columns={[
              { field: "row", title: t("row") },
              { field: "why", title: t("why") },
            ]}
          />
        </Section>
      )}
    </>
  );
}
