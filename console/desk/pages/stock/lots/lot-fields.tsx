import { Textarea, TextInput } from "@mantine/core";
import type { Lot } from "../../../../../client/src/index.js";
import { t } from "../../../../texts/lots.js";
import { typed } from "../../../values.js";

/** What of a lot is corrected. */
export const LotFields = ({ lot }: { lot: Lot }) => (
  <>
    <TextInput
      name="lot_number"
      label={t("lot")}
      description={t("lotNumberHint")}
      maxLength={100}
      required
      defaultValue={lot.lot_number}
    />
    <TextInput
      name="expiry_date"
      label={t("lastDay")}
      description={t("lastDayHint")}
      type="date"
      defaultValue={lot.expiry_date ?? ""}
      data-autofocus
    />
    <TextInput name="production_date" label={t("produced")} type="date" defaultValue={lot.production_date ?? ""} />
    <TextInput name="supplier_lot" label={t("supplierLot")} maxLength={100} defaultValue={lot.supplier_lot ?? ""} />
    <Textarea name="notes" label={t("notes")} maxLength={2000} autosize defaultValue={lot.notes ?? ""} />
    <TextInput name="reason" label={t("reason")} maxLength={500} />
  </>
);

/** What the fields say. */
export const changesIn = ({ lot_number = "", ...values }: Record<string, string>) => ({
  lot_number,
  ...{ expiry_date: typed(values.expiry_date), production_date: typed(values.production_date) },
  ...{ supplier_lot: typed(values.supplier_lot), notes: typed(values.notes) },
  ...(values.reason && { reason: values.reason }),
});
