import type { CycleCountSummary } from "../../../../client/src/index.js";
import { number } from "../../../shared/format.js";
import { t } from "../../../texts/counting.js";
import { ListPage } from "../../components/data-list.js";
import { warehouseColumn } from "../../components/warehouse-field.js";
import { NewCount } from "./new-count.js";

export default function Counts() {
  return (
    <ListPage
      title={t("counts")}
      none="counts"
      actions={<NewCount />}
      path="/api/admin/cycle-counts"
      rows="cycle_counts"
      // Without a page the service gives all of them.
      query={{ per_page: 50 }}
      ofWarehouse
      to={({ count_id }) => `/counts/${count_id}`}
      columns={[
        { field: "count_id", title: t("number"), sorts: true },
        { field: "bin_code", title: t("bin"), sorts: true },
        warehouseColumn(),
        { field: "status", title: t("status"), sorts: true, as: "status" },
        { field: "assigned_to", title: t("counter"), sorts: true, as: "person" },
        { field: "lines", title: t("lines"), right: true, show: ({ lines }) => number(lines.length) },
        { field: "variance", title: t("variance"), show: differing },
        { field: "created_at", title: t("created"), sorts: true, as: "time" },
        { field: "completed_at", title: t("completed"), sorts: true, as: "time" },
      ]}
    />
  );
}

/** How many lines differ, in words: a bare number reads as units. */
function differing({ lines, completed_at }: CycleCountSummary) {
  if (!completed_at) return null;
  const count = lines.filter(({ variance }) => variance !== 0).length;
  if (count === 0) return t("none");
  return count === 1 ? t("oneLineDiffers") : t("linesDiffer", { count: number(count) });
}
