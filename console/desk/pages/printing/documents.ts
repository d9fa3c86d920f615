import { t } from "../../../texts/printing.js";

/** What printers print, and what it is called. */
export const documentChoices = () => ({
  bin_label: t("bin_label"),
  item_label: t("item_label"),
  tote_label: t("tote_label"),
  packing_slip: t("packing_slip"),
  picking_ticket: t("picking_ticket"),
  parcel_label: t("parcel_label"),
  parcel_slip: t("parcel_slip"),
  carrier_label: t("carrier_label"),
  manifest: t("manifest"),
});
