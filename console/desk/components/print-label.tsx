import { NativeSelect, TextInput } from "@mantine/core";
import { urlOf } from "../../../client/src/index.js";
import { save } from "../../shared/save.js";
import { t } from "../../texts/desk.js";
import { optionsOf } from "../values.js";
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

/** A button that saves labels as a file, for paper or for a label printer. */
export function PrintLabel({ path, of, query, label, hasCopies = false, isSmall = false }: PrintLabelProps) {
  const print = ({ format, ...how }: Record<string, string>) =>
    save("application/pdf, text/plain", urlOf(path, of, { ...query, format, ...how }), `label.${format}`);
  return (
    <Decision label={label ?? t("printLabel")} title={label ?? t("printLabel")} act={print} isSmall={isSmall}>
      <NativeSelect
        name="format"
        label={t("labelFormat")}
        data={optionsOf({ pdf: t("labelPdf"), zpl: t("labelZpl") })}
        data-autofocus
      />
      <NativeSelect name="size" label={t("labelSize")} data={optionsOf(sizes)} />
      <NativeSelect name="dpi" label={t("labelDpi")} data={["203", "300"]} />
      {hasCopies && (
        <TextInput name="copies" label={t("copies")} type="number" min={1} max={200} defaultValue="1" required />
      )}
    </Decision>
  );
}
