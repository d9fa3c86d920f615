import { NativeSelect, Text } from "@mantine/core";
import { useState } from "react";
import type { ImportResult } from "../../../../client/src/index.js";
import { api } from "../../../shared/api.js";
import { number } from "../../../shared/format.js";
import { t } from "../../../texts/imports.js";
import { rowFaultText } from "../../../texts/row-faults.js";
import { FileForm, Outcome, Remarks } from "../../components/file-form.js";
import { Page } from "../../components/page.js";
import { WarehouseField } from "../../components/warehouse-field.js";
import { optionsOf } from "../../values.js";

/** What can be imported, and the columns that a file may have. */
const columns = {
  items: "sku, item_name, description, upc, mpn, category, weight_lbs, default_bin, quantity",
  bins:
    "bin_code, bin_barcode, zone, zone_id, warehouse_id, bin_type, aisle, row_num, level_num, pick_sequence, " +
    "putaway_sequence, description",
  "purchase-orders": "po_number, sku, quantity, warehouse_id, vendor, expected_date",
  "sales-orders": "so_number, sku, quantity, warehouse_id, customer, customer_phone, customer_address, properties",
  "inventory-adjustments": "sku, warehouse, bin, qty, memo",
  "source-links": "source_system, source_type, source_id, canonical_id, code",
};
type Kind = keyof typeof columns;

export default function Imports() {
  const [kind, setKind] = useState<Kind>("items");
  const kinds: Record<Kind, string> = {
    ...{ items: t("items"), bins: t("bins"), "purchase-orders": t("orders") },
    ...{ "sales-orders": t("customers"), "inventory-adjustments": t("stock"), "source-links": t("links") },
  };
  const send = (
    { warehouse_id }: Record<string, string>,
    file: string,
    dry_run: boolean,
    idempotencyKey: string,
  ): Promise<ImportResult> => {
    const body = { file, warehouse_id: Number(warehouse_id), dry_run };
    return api.post("/api/admin/import/{entity_type}", { path: { entity_type: kind }, body, idempotencyKey });
  };
  return (
    <Page title={t("imports")}>
      <FileForm
        label={t("file")}
        send={send}
        show={(result) => <Result of={result} />}
        fileOf={({ file }) => file}
        doing={({ imported }) => (imported > 0 ? doing(imported) : undefined)}
      >
        <NativeSelect
          label={t("what")}
          data={optionsOf(kinds)}
          value={kind}
          onChange={({ currentTarget }) => setKind(currentTarget.value as Kind)}
        />
        <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {t("columns", { columns: columns[kind] })}
        </Text>
        <WarehouseField label={t("ofWarehouse")} />
      </FileForm>
    </Page>
  );
}

const doing = (rows: number) => (rows === 1 ? t("importOne") : t("importing", { count: number(rows) }));

function Result({ of: { imported, total, errors, warnings, dry_run } }: { of: ImportResult }) {
  const counts = { imported: number(imported), total: number(total) };
  return (
    <>
      <Outcome title={dry_run ? t("wouldImport", counts) : t("imported", counts)} isGood={errors.length === 0} />
      <Remarks
        rows={[
          ...errors.map(({ row, error }) => ({ row, why: error })),
          ...warnings.map(({ row, warning }) => ({ row, why: t("warning", { warning: rowFaultText(warning) }) })),
        ]}
      />
    </>
  );
}
