import type { SalesOrderSummary, WavesReleased } from "../../../client/src/index.js";
import { number } from "../../shared/format.js";
import { t } from "../../texts/waves.js";
import type { BulkAction } from "./bulk-action.js";
import { GroupFields, groupIn } from "./group-fields.js";
import { leftOutText, lostText } from "./wave-reasons.js";

/** Releases the orders that are selected as waves, those of each warehouse by themselves. */
export const releaseWavesAction = (): BulkAction<SalesOrderSummary> => ({
  label: t("releaseSelected"),
  fields: <GroupFields />,
  fits: ({ status }) => status === "OPEN",
  part: ({ warehouse_id }) => warehouse_id,
  together: async (orders, values, api) => {
    const so_ids = orders.map(({ so_id }) => so_id);
    const [{ warehouse_id } = { warehouse_id: 0 }] = orders;
    return whyNot(
      so_ids,
      await api.post("/api/admin/waves/release", { body: { warehouse_id, so_ids, ...groupIn(values) } }),
    );
  },
});

/** Why orders are in none of the waves. */
export function whyNot(
  so_ids: number[],
  { batches, lost, uncovered, waiting, left_out }: WavesReleased,
): Map<number, string> {
  const released = new Set(batches.flatMap((batch) => batch.so_ids));
  const others = left_out.map(leftOutText).join(" ") || t("notOpen");
  const why = new Map(so_ids.filter((so_id) => !released.has(so_id)).map((so_id) => [so_id, others]));
  for (const { so_id, lines } of uncovered)
    why.set(so_id, t("lacks", { what: lines.map(({ sku, missing }) => `${number(missing)} × ${sku}`).join(", ") }));
  for (const so_id of waiting?.so_ids ?? []) why.set(so_id, t("waitsForFace"));
  for (const order of lost) why.set(order.so_id, lostText(order));
  return why;
}
