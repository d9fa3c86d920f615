import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReadPath } from "../../../client/src/index.js";
import { reading } from "../../shared/api.js";
import { number } from "../../shared/format.js";
import { t } from "../../texts/desk.js";

interface ListTotalsProps {
  path: ReadPath;
  of: Record<string, string | number> | undefined;
  /** What the list is asked for. */
  query: Record<string, string | number>;
  /** What the sums are called. */
  labels: Record<string, string>;
}

/** Sums of all that the filters of a list leave, read beside its rows: these need not wait for them. */
export function ListTotals({ path, of, query, labels }: ListTotalsProps) {
  const asked = { ...(of && { path: of }), query: { ...query, per_page: 1, totals: "true" } };
  const { data } = useQuery(reading(path, asked));
  const { totals } = (data ?? {}) as { totals?: Record<string, number> | null };
  if (totals === undefined) return null;
  const sums = Object.entries(labels).map(([name, label]) => `${label}: ${number(totals?.[name] ?? 0)}`);
  return (
    <Text size="sm" c="dimmed">
      {totals ? t("inAll", { sums: sums.join(" · ") }) : t("tooManyToSum")}
    </Text>
  );
}
