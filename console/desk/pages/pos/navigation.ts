import { t } from "../../../texts/pos.js";
import type { NavigationPart } from "../../navigation.js";

export default {
  group: "sales",
  order: 24,
  pages: [
    {
      path: "counter-sales",
      needs: "pos-activity",
      title: () => t("counterSales"),
      load: () => import("./counter-sales.js"),
    },
  ],
} satisfies NavigationPart;
