import { t as programmes } from "../../../texts/count-programmes.js";
import { t } from "../../../texts/counting.js";
import type { NavigationPart } from "../../navigation.js";

export default {
  group: "counting",
  pages: [
    { path: "review", needs: "count-approvals", title: () => t("review"), load: () => import("./review.js") },
    {
      path: "counts",
      needs: "cycle-counts",
      title: () => t("counts"),
      action: () => t("newCount"),
      load: () => import("./counts.js"),
    },
    { path: "counts/:count_id", needs: "cycle-counts", load: () => import("./count.js") },
    {
      path: "count-programmes",
      needs: "cycle-counts",
      title: () => programmes("programmes"),
      load: () => import("./programmes.js"),
    },
    { path: "count-programmes/:programme_id", needs: "cycle-counts", load: () => import("./programme.js") },
  ],
} satisfies NavigationPart;
