import { t } from "../../../../texts/lots.js";

/** How soon units expire, as the choices of a filter: the days before of which `stock.expiring` tells. */
export const lastDays = (): Record<string, string> => ({
  30: t("withinDays", { days: 30 }),
  7: t("withinDays", { days: 7 }),
  1: t("withinOneDay"),
});
