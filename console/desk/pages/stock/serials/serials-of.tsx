import { useRead } from "../../../../shared/api.js";
import { t } from "../../../../texts/lots.js";
import { MaybeLink } from "../../../components/maybe-link.js";

/** How many units of an item, or of a lot of it, have serial numbers; it leads to them. */
export function SerialsOf(of: { sku: string; lot_number?: string }) {
  const { data } = useRead("/api/admin/serials", { query: { ...of, per_page: 1 } });
  if (!data?.total) return data && t("onNone");
  return <MaybeLink to={`/serials?${new URLSearchParams(of)}`}>{t("unitsOf", { units: data.total })}</MaybeLink>;
}
