import { t } from "../../../texts/stock.js";
import type { NavigationPart } from "../../navigation.js";

export default {
  order: 30,
  title: () => t("stock"),
  pages: [
    { path: "items", needs: "items", title: () => t("items"), load: () => import("./items.js") },
    { path: "items/:item_id", needs: "items", load: () => import("./item.js") },
    { path: "stock", needs: "inventory", title: () => t("stock"), load: () => import("./stock.js") },
    {
      path: "adjustments",
      needs: "adjustments",
      title: () => t("adjustments"),
      load: () => import("./adjustments.js"),
    },
  ],
} satisfies NavigationPart;
