import { t as board } from "../../../texts/board.js";
import { t } from "../../../texts/picking.js";
import { t as replenishment } from "../../../texts/replenishment.js";
import { t as waves } from "../../../texts/waves.js";
import type { NavigationPart } from "../../navigation.js";

export default {
  group: "picking",
  pages: [
    { path: "waves", needs: "picking-batches", title: () => t("waves"), load: () => import("./waves.js") },
    {
      path: "waves/board",
      needs: "picking-batches",
      title: () => board("board"),
      load: () => import("./board.js"),
    },
    { path: "waves/history", needs: "picking-batches", load: () => import("./wave-history.js") },
    {
      path: "waves/plan",
      needs: "picking-batches",
      action: () => waves("planWaves"),
      load: () => import("./plan-waves.js"),
    },
    { path: "waves/:batch_id", load: () => import("./wave.js") },
    {
      path: "wave-templates",
      needs: "picking-batches",
      title: () => waves("templates"),
      load: () => import("./wave-templates.js"),
    },
    {
      path: "replenishment",
      needs: "picking-batches",
      title: () => replenishment("replenishment"),
      load: () => import("./replenishments.js"),
    },
    {
      path: "short-picks",
      needs: "sales-orders",
      title: () => t("shortPicks"),
      load: () => import("./short-picks.js"),
    },
  ],
} satisfies NavigationPart;
