import { NativeSelect, Text, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { type NewPrintJob, urlOf } from "../../../client/src/index.js";
import type { Api } from "../../shared/api.js";
import { usePrintersFor } from "../../shared/printers.js";
import { save } from "../../shared/save.js";
import { t } from "../../texts/desk.js";
import { optionsOf } from "../values.js";
import type { BulkAction } from "./bulk-action.js";
import { Decision } from "./decision.js";
import { useWarehouse } from "./warehouse.js";

/** What a printer is sent. */
type ToPrint = Pick<NewPrintJob, "document" | "record_ids">;

interface PrintLabelProps {
  /** The route of the label. */
  path: string;
  of?: Record<string, number>;
  query?: Record<string, number>;
  /** For printers, of this warehouse where it is of one; without it there are only files. */
  print?: ToPrint;
  warehouseId?: number;
  /** Several labels: of all that the button's text names. */
  label?: string;
  hasCopies?: boolean;
  isSmall?: boolean;
}

const sizes = { "100x50": "100 × 50 mm", "57x32": "57 × 32 mm", "4x6in": "4 × 6 in" };

/** How labels are printed. */
export const LabelFields = () => (
  <>
    <NativeSelect
      name="format"
      label={t("labelFormat")}
      data={optionsOf({ pdf: t("labelPdf"), zpl: t("labelZpl") })}
      data-autofocus
    />
    <NativeSelect name="size" label={t("labelSize")} data={optionsOf(sizes)} />
    <NativeSelect name="dpi" label={t("labelDpi")} data={["203", "300"]} />
  </>
);

/** As many records are printed into one file. */
const MOST_IN_FILE = 200;

interface PrintMany<R> {
  label: string;
  fields: ReactNode;
  /** The route, and what it takes the ids by. */
  path: string;
  name: string;
  idOf: (row: R) => number;
  /** How it is printed, by the values of the fields. */
  how?: (values: Record<string, string>) => { format: string };
}

const asTyped = ({ format = "pdf", ...values }: Record<string, string>) => ({ format, ...values });

/** Saves what is printed for many records as a file, or as several where there are more than a file takes. */
export const printMany = <R,>({ label, fields, path, name, idOf, how = asTyped }: PrintMany<R>): BulkAction<R> => ({
  ...{ label, fields },
  together: async (rows, values) => {
    const asked = how(values);
    for (let first = 0; first < rows.length; first += MOST_IN_FILE) {
      const ids = rows.slice(first, first + MOST_IN_FILE).map(idOf);
      const url = urlOf(path, {}, { [name]: ids.join(","), ...asked });
      await save("application/pdf, text/plain", url, `${name}.${asked.format}`);
    }
    return undefined;
  },
});

/** The same for labels. */
export const printLabels = <R,>(path: string, name: string, idOf: (row: R) => number): BulkAction<R> =>
  printMany({ label: t("printLabels"), fields: <LabelFields />, path, name, idOf });

/** A button that sends labels to a printer, or saves them as a file, for paper or for a label printer. */
export function PrintLabel({ path, of, query, print, label, ...props }: PrintLabelProps) {
  const act = ({ to, copies = "1", format = "pdf", ...how }: Record<string, string>, api: Api) =>
    to && print
      ? api.post("/api/printing/jobs", { body: { ...print, copies: Number(copies), printer_id: Number(to) } })
      : save(
          "application/pdf, text/plain",
          urlOf(path, of, { ...query, format, ...(props.hasCopies && { copies }), ...how }),
          `label.${format}`,
        );
  return (
    <Decision
      label={label ?? t("printLabel")}
      title={label ?? t("printLabel")}
      act={act}
      isSmall={props.isSmall ?? false}
    >
      {print ? (
        <PrinterField print={print} warehouseId={props.warehouseId}>
          <LabelFields />
        </PrinterField>
      ) : (
        <LabelFields />
      )}
      {props.hasCopies && (
        <TextInput name="copies" label={t("copies")} type="number" min={1} max={200} defaultValue="1" required />
      )}
    </Decision>
  );
}

interface PrinterChoiceProps extends Pick<ToPrint, "document"> {
  warehouseId: number | undefined;
  /** It can be saved, too. */
  hasFile: boolean;
}

/** A field for one of the printers that print such a document by default. */
function PrinterChoice({ document, warehouseId, hasFile }: PrinterChoiceProps) {
  const { warehouseId: looked } = useWarehouse();
  const printers = usePrintersFor(document, warehouseId ?? looked);
  const data = printers.map(({ printer_id, printer_name }) => ({ value: String(printer_id), label: printer_name }));
  if (printers.length === 0) return <Text size="sm">{t(hasFile ? "noPrinterButFile" : "noPrinterFor")}</Text>;
  const places = hasFile ? [...data, { value: "", label: t("printToFile") }] : data;
  return <NativeSelect name="to" label={t("printTo")} data={places} data-autofocus />;
}

interface PrintEach<R> {
  label: string;
  document: ToPrint["document"];
  idsOf: (row: R) => number[];
  warehouseId?: number | undefined;
  /** Where the file of a row comes from; without it there are only printers. */
  file?: (row: R) => { path: string; name: string };
}

/** Has something of each row printed on a printer, a job a row, or saved as a file. */
export const printEach = <R,>({ label, document, idsOf, warehouseId, file }: PrintEach<R>): BulkAction<R> => ({
  label,
  fields: <PrinterChoice document={document} warehouseId={warehouseId} hasFile={file !== undefined} />,
  each: async (row, { to }, api) => {
    if (!to && file) {
      const { path, name } = file(row);
      return save("application/pdf", path, name);
    }
    if (!to) throw new Error(t("noPrinterFor"));
    const job = { document, record_ids: idsOf(row), copies: 1, printer_id: Number(to) };
    const { printer_name } = await api.post("/api/printing/jobs", { body: job });
    return t("sentToPrinter", { printer: printer_name });
  },
});

interface PrinterFieldProps {
  print: ToPrint;
  warehouseId: number | undefined;
  /** The fields of a file. */
  children: ReactNode;
}

/** Where it is printed: first the printers that print this by default, then a file; alone it is a file. */
function PrinterField({ print: { document }, warehouseId, children }: PrinterFieldProps) {
  const { warehouseId: looked } = useWarehouse();
  const printers = usePrintersFor(document, warehouseId ?? looked);
  const [chosen, setChosen] = useState<string>();
  if (printers.length === 0) return children;
  const to = chosen ?? String(printers[0]?.printer_id);
  const places = printers.map(({ printer_id, printer_name }) => ({ value: String(printer_id), label: printer_name }));
  return (
    <>
      <NativeSelect
        name="to"
        label={t("printTo")}
        data={[...places, { value: "", label: t("printToFile") }]}
        value={to}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        data-autofocus
      />
      {to === "" && children}
    </>
  );
}
