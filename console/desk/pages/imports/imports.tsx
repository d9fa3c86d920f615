import { NativeSelect, SimpleGrid, Text } from "@mantine/core";
import { useState } from "react";
import type { ImportResult } from "../../../../client/src/index.js";
import { type Api, useRead } from "../../../shared/api.js";
import { number } from "../../../shared/format.js";
import { t } from "../../../texts/imports.js";
import { rowFaultText } from "../../../texts/row-faults.js";
import { FileForm, Outcome, Remarks } from "../../components/file-form.js";
import { Page } from "../../components/page.js";
import { WarehouseField } from "../../components/warehouse-field.js";
import { optionsOf } from "../../values.js";

type Kind = "items" | "bins" | "purchase-orders" | "sales-orders" | "inventory-adjustments" | "source-links";

export default function Imports() {
  const [kind, setKind] = useState<Kind>("items");
  const columns = useRead("/api/admin/import/{entity_type}", { path: { entity_type: kind } });
  const kinds: Record<Kind, string> = {
    ...{ items: t("items"), bins: t("bins"), "purchase-orders": t("orders") },
    ...{ "sales-orders": t("customers"), "inventory-adjustments": t("stock"), "source-links": t("links") },
  };
  const send = (
    { warehouse_id }: Record<string, string>,
    file: string,
    dry_run: boolean,
    api: Api,
  ): Promise<ImportResult> => {
    const body = { file, warehouse_id: Number(warehouse_id), dry_run };
    return api.post("/api/admin/import/{entity_type}", { path: { entity_type: kind }, body });
  };
  return (
    <Page title={t("imports")}>
      <FileForm
        title={t("whatIsImported")}
        label={t("file")}
        send={send}
        show={(result) => <Result of={result} />}
        fileOf={({ file }) => file}
        doing={({ imported }) => (imported > 0 ? doing(imported) : undefined)}
      >
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NativeSelect
            label={t("what")}
            data={optionsOf(kinds)}
            value={kind}
            onChange={({ currentTarget }) => setKind(currentTarget.value as Kind)}
          />
          <WarehouseField label={t("ofWarehouse")} />
        </SimpleGrid>
        <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {columns.data && !columns.isPlaceholderData && t("columns", { columns: columns.data.columns.join(", ") })}
        </Text>
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
