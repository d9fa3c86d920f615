import { NativeSelect, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { urlOf } from "../../../client/src/index.js";
import { save } from "../../shared/save.js";
import { t } from "../../texts/desk.js";
import { optionsOf } from "../values.js";
import type { BulkAction } from "./bulk-action.js";
import { Decision } from "./decision.js";

interface PrintLabelProps {
  /** The route of the label. */
  path: string;
  of?: Record<string, number>;
  query?: Record<string, number>;
  /** Several labels: of all that the button's text names. */
  label?: string;
  hasCopies?: boolean;
  isSmall?: boolean;
}

const sizes = { "100x50": "100 × 50 mm", "57x32": "57 × 32 mm", "4x6in": "4 × 6 in" };

/** How labels are printed. */
const LabelFields = () => (
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

/** A button that saves labels as a file, for paper or for a label printer. */
export function PrintLabel({ path, of, query, label, hasCopies = false, isSmall = false }: PrintLabelProps) {
  const print = ({ format, ...how }: Record<string, string>) =>
    save("application/pdf, text/plain", urlOf(path, of, { ...query, format, ...how }), `label.${format}`);
  return (
    <Decision label={label ?? t("printLabel")} title={label ?? t("printLabel")} act={print} isSmall={isSmall}>
      <LabelFields />
      {hasCopies && (
        <TextInput name="copies" label={t("copies")} type="number" min={1} max={200} defaultValue="1" required />
      )}
    </Decision>
  );
}
