import type { DashboardPreferences } from "../../../../../client/src/index.js";
import { dayAgo } from "../../../../shared/format.js";
import { t } from "../../../../texts/day.js";

export type Metric = DashboardPreferences["chart_order"][number];

export const metricsText = (): Record<Metric, string> => ({
  picking: t("ordersPicked"),
  packing: t("unitsPacked"),
  shipped: t("ordersShipped"),
  received_skus: t("itemsReceived"),
  putaway_skus: t("itemsPutAway"),
});

export const rangesText = (): Record<DashboardPreferences["default_range"], string> => ({
  today: t("today"),
  yesterday: t("yesterday"),
  last_7d: t("last7"),
  last_30d: t("last30"),
  custom: t("custom"),
});

export const viewsText = (): Record<DashboardPreferences["default_view"], string> => ({
  charts: t("charts"),
  table: t("table"),
});

/** The days of a range; of one that people choose, the chosen ones. */
export function daysOf(range: string, start: string | null, end: string | null): { start: string; end: string } {
  switch (range) {
    case "yesterday":
      return { start: dayAgo(1), end: dayAgo(1) };
    case "last_7d":
      return { start: dayAgo(6), end: dayAgo(0) };
    case "last_30d":
      return { start: dayAgo(29), end: dayAgo(0) };
    case "custom":
      return { start: start ?? end ?? dayAgo(0), end: end ?? start ?? dayAgo(0) };
    default:
      return { start: dayAgo(0), end: dayAgo(0) };
  }
}
