import { t } from "../../../texts/lots.js";
import { t as stock } from "../../../texts/stock.js";
import type { NavigationPart } from "../../navigation.js";

export default {
  group: "stock",
  pages: [
    {
      path: "items",
      needs: "items",
      title: () => t("items"),
      action: () => stock("newItem"),
      load: () => import("./items.js"),
    },
    { path: "items/:item_id", needs: "items", load: () => import("./item.js") },
    { path: "stock", needs: "inventory", title: () => t("stock"), load: () => import("./stock.js") },
    { path: "lots", needs: "inventory", title: () => t("lots"), load: () => import("./lots/lots.js") },
    { path: "lots/:lot_id", needs: "inventory", load: () => import("./lots/lot.js") },
    { path: "expiring", needs: "inventory", title: () => t("expiring"), load: () => import("./lots/expiring.js") },
    { path: "holds", needs: "inventory", title: () => t("holds"), load: () => import("./holds/holds.js") },
    {
      path: "inspections",
      needs: "inventory",
      title: () => t("inspections"),
      load: () => import("./holds/inspections.js"),
    },
    {
      path: "inspections/:inspection_id",
      needs: "inventory",
      load: () => import("./holds/inspection.js"),
    },
    { path: "recalls", needs: "ADMIN", title: () => t("recalls"), load: () => import("./recalls/recalls.js") },
    { path: "recalls/:recall_id", needs: "ADMIN", load: () => import("./recalls/recall.js") },
    { path: "recalls/:recall_id/calls", needs: "ADMIN", load: () => import("./recalls/calls.js") },
    { path: "serials", needs: "inventory", title: () => t("serials"), load: () => import("./serials/serials.js") },
    { path: "serials/:serial", needs: "inventory", load: () => import("./serials/serial.js") },
    {
      path: "adjustments",
      needs: "adjustments",
      title: () => t("adjustments"),
      load: () => import("./adjustments.js"),
    },
  ],
} satisfies NavigationPart;
