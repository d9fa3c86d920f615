import { Combobox, Loader } from "@mantine/core";
import { useEffect } from "react";
import type { SearchResult } from "../../../client/src/index.js";
import { useRead } from "../../shared/api.js";
import { t } from "../../texts/navigation.js";
import { useWarehouse } from "../components/warehouse.js";
import { useLinks } from "../links.js";
import { Choice } from "./choice.js";

/** The page of a record that was found. */
const pageOf: Record<SearchResult["type"], (id: string, label: string) => string> = {
  so: (id) => `/orders/${id}`,
  customer: (name) => `/customers/${encodeURIComponent(name)}`,
  po: (id) => `/purchase-orders/${id}`,
  item: (id) => `/items/${id}`,
  bin: (id) => `/bins/${id}`,
  lot: (id) => `/lots/${id}`,
  serial: (_, serial) => `/serials/${encodeURIComponent(serial)}`,
};
const kinds = Object.keys(pageOf) as SearchResult["type"][];
const nameOf = (kind: SearchResult["type"]) =>
  ({
    ...{ so: t("kindSo"), customer: t("kindCustomer"), po: t("kindPo"), item: t("items"), bin: t("bins") },
    ...{ lot: t("lots"), serial: t("serials") },
  })[kind];

/** The kinds as they are shown. Who types a name means the person, if no order has it in its number. */
function ordered(found: SearchResult[], q: string): SearchResult["type"][] {
  const isNumber = found.some(({ type, label }) => type === "so" && label.toLowerCase().includes(q.toLowerCase()));
  return isNumber ? kinds : ["customer", ...kinds.filter((kind) => kind !== "customer")];
}

interface RecordsProps {
  /** What is looked for. */
  q: string;
  /** The addresses that stand in the list already. */
  known: string[];
  /** Called for each answer. */
  arrived: () => void;
}

/** The records that the service finds, as far as the user may open their pages. */
export function Records({ q, known, arrived }: RecordsProps) {
  const { warehouseId } = useWarehouse();
  const linkOf = useLinks();
  const query = { q, ...(warehouseId && { warehouse_id: warehouseId }) };
  const { data, isPlaceholderData } = useRead("/api/admin/search", { query });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(arrived, [data, isPlaceholderData]);
  // What was found for fewer letters is not to be opened by who has typed more.
  if (!data || isPlaceholderData) return <Loader size="sm" m="sm" />;
  const found = data.results.flatMap((result) => {
    const to = linkOf(pageOf[result.type](String(result.id), result.label));
    return to && !known.includes(to) ? [{ ...result, to }] : [];
  });
  if (found.length + known.length === 0) return <Combobox.Empty>{t("nothingFound")}</Combobox.Empty>;
  return ordered(found, q)
    .map((kind) => ({ kind, results: found.filter(({ type }) => type === kind) }))
    .filter(({ results }) => results.length > 0)
    .map(({ kind, results }) => (
      <Combobox.Group key={kind} label={nameOf(kind)}>
        {results.map(({ to, label, sublabel }) => (
          <Choice key={to} to={to} title={label} beside={sublabel} />
        ))}
      </Combobox.Group>
    ));
}
