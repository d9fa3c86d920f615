import { t } from "../../../texts/counter.js";
import type { Area } from "../../area.js";

export default {
  order: 24,
  title: () => t("counter"),
  pages: [
    {
      path: "counter-sales",
      needs: "pos-activity",
      title: () => t("counterSales"),
      load: () => import("./counter-sales.js"),
    },
  ],
} satisfies Area;
