import { t } from "../../../texts/pos.js";
import type { NavigationPart } from "../../navigation.js";

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
} satisfies NavigationPart;
