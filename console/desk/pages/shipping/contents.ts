import { t } from "../../../texts/parcels.js";
import { optionsOf } from "../../values.js";

/** Why a parcel is sent, as customs ask. */
export const contentsOptions = () =>
  optionsOf({
    ...{ sale_of_goods: t("saleOfGoods"), gift: t("gift"), documents: t("documents") },
    ...{ commercial_sample: t("sample"), returned_goods: t("returnedGoods"), other: t("other") },
  });
