import type { Printer } from "../../../../client/src/index.js";
import { t } from "../../../texts/printing.js";
import { DataList } from "../../components/data-list.js";
import { Decision } from "../../components/decision.js";
import { Page } from "../../components/page.js";
import { RowActions } from "../../components/row-actions.js";
import { activeColumn } from "../../components/status.js";
import { WarehouseField, warehouseColumn } from "../../components/warehouse-field.js";
import { documentChoices } from "./documents.js";
import { KindField, kindIn, PrinterFields, printerIn } from "./printer-fields.js";
import { Rivals } from "./rivals.js";

/** The printers of each warehouse, and what they print where nobody chooses one. */
export default function Printers() {
  const called = documentChoices();
  return (
    <Page title={t("printers")} actions={<NewPrinter />}>
      <Rivals />
      <DataList
        title={t("printers")}
        none="printers"
        path="/api/admin/printers"
        rows="printers"
        ofWarehouse
        columns={[
          { field: "printer_name", title: t("name"), sorts: true },
          warehouseColumn(),
          { field: "station", title: t("station") },
          { field: "kind", title: t("kind"), show: ({ kind }) => t(kind) },
          { field: "address", title: t("address") },
          { field: "size", title: t("size"), show: ({ format, size }) => `${format.toUpperCase()} · ${size}` },
          {
            ...{ field: "documents", title: t("documents") },
            show: ({ documents }) => documents.map((document) => called[document]).join(", "),
          },
          activeColumn(t),
          { field: "actions", title: t("actions"), right: true, show: (printer) => <Actions printer={printer} /> },
        ]}
      />
    </Page>
  );
}

const NewPrinter = () => (
  <Decision
    isWide
    label={t("newPrinter")}
    verb={t("create")}
    title={t("newPrinter")}
    act={(values, api) =>
      api.post("/api/admin/printers", {
        body: { ...printerIn(values), warehouse_id: Number(values.warehouse_id), kind: kindIn(values) },
      })
    }
  >
    <WarehouseField isForPlaces />
    <KindField />
    <PrinterFields />
  </Decision>
);

function Actions({ printer }: { printer: Printer }) {
  const { printer_id, printer_name: name, is_active } = printer;
  const path = { printer_id };
  return (
    <RowActions>
      <Decision
        isSmall
        label={t("testPage")}
        verb={t("printTest")}
        title={t("testTitle", { name })}
        act={(_, api) => api.post("/api/admin/printers/{printer_id}/test", { path })}
      />
      <Decision
        isSmall
        isWide
        label={t("edit")}
        verb={t("save")}
        title={t("editPrinter", { name })}
        act={(values, api) => api.put("/api/admin/printers/{printer_id}", { path, body: printerIn(values) })}
      >
        <PrinterFields of={printer} />
      </Decision>
      <Decision
        isSmall
        label={is_active ? t("pause") : t("resume")}
        title={is_active ? t("pausePrinter", { name }) : t("resumePrinter", { name })}
        act={(_, api) => api.put("/api/admin/printers/{printer_id}", { path, body: { is_active: !is_active } })}
      />
      <Decision
        isSmall
        isDangerous
        label={t("delete")}
        title={t("deletePrinter", { name })}
        act={(_, api) => api.delete("/api/admin/printers/{printer_id}", { path })}
      >
        <p>{t("deleteHint")}</p>
      </Decision>
    </RowActions>
  );
}
