import { SimpleGrid, Textarea } from "@mantine/core";
import { useNavigate } from "react-router";
import { Refusal, type TransferOrderTried } from "../../../../client/src/index.js";
import type { Api } from "../../../shared/api.js";
import { number } from "../../../shared/format.js";
import { t } from "../../../texts/transfers.js";
import { FileForm, Outcome, Remarks } from "../../components/file-form.js";
import { Page } from "../../components/page.js";
import { useWarehouseCode } from "../../components/warehouse-field.js";
import { typed } from "../../values.js";
import { SideFields } from "./side-fields.js";

export default function ImportTransferOrder() {
  const navigate = useNavigate();
  const codeOf = useWarehouseCode();
  const send = async (values: Record<string, string>, file: string, isTried: boolean, api: Api) => {
    const body = {
      source_warehouse_code: codeOf(Number(values.source)),
      destination_warehouse_code: codeOf(Number(values.destination)),
      notes: typed(values.notes),
      file,
    };
    if (isTried) return api.post("/api/admin/transfer-orders/import/try", { body });
    const made = await api.post("/api/admin/transfer-orders/import", { body });
    await navigate(`/transfer-orders/${made.to_id}`);
    return { ...made, shortages: [], file: null };
  };
  return (
    <Page title={t("importTitle")}>
      <FileForm
        title={t("order")}
        label={t("file")}
        send={send}
        show={(answer) => <WouldBe of={answer} />}
        fileOf={({ file }) => file}
        doing={() => t("importOrder")}
        refusal={(error) => <Remarks rows={wrongRows(error)} />}
      >
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <SideFields />
        </SimpleGrid>
        <Textarea name="notes" label={t("notes")} maxLength={2000} autosize minRows={2} />
      </FileForm>
    </Page>
  );
}

/** How many lines it would have, and what the source lacks. */
const WouldBe = ({ of: { line_count, shortages, file } }: { of: TransferOrderTried }) => (
  <>
    <Outcome title={t("wouldCreate", { count: number(line_count) })} isGood={shortages.length === 0} />
    {file && (
      <Remarks
        rows={shortages.map(({ row, sku, requested_qty, committed_qty }) => ({
          row,
          why: t("wouldLack", { sku, committed: number(committed_qty), requested: number(requested_qty) }),
        }))}
      />
    )}
  </>
);

interface WrongRow {
  row: number;
  sku?: string;
  details?: { field: string; message: string }[];
}

/** Which rows of the file are wrong, and why. */
function wrongRows(error: unknown) {
  const rows = error instanceof Refusal ? ((error.body.rows ?? []) as WrongRow[]) : [];
  return rows.map(({ row, sku = "", details }) => ({
    row,
    why: details
      ? details.map(({ field, message }) => (field ? t("rowWrong", { field, message }) : message)).join("; ")
      : t("rowUnknownSku", { sku }),
  }));
}
