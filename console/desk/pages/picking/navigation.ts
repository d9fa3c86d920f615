import { t } from "../../../texts/picking.js";
import type { NavigationPart } from "../../navigation.js";

export default {
  order: 22,
  title: () => t("picking"),
  pages: [
    { path: "waves", needs: "picking-batches", title: () => t("waves"), load: () => import("./waves.js") },
    { path: "waves/:batch_id", load: () => import("./wave.js") },
    {
      path: "short-picks",
      needs: "sales-orders",
      title: () => t("shortPicks"),
      load: () => import("./short-picks.js"),
    },
  ],
} satisfies NavigationPart;
