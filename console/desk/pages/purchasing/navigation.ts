import { t } from "../../../texts/purchasing.js";
import type { NavigationPart } from "../../navigation.js";

const needs = "purchase-orders";

export default {
  group: "purchasing",
  pages: [
    { path: "purchase-orders", needs, title: () => t("orders"), load: () => import("./orders.js") },
    { path: "purchase-orders/new", needs, action: () => t("newOrder"), load: () => import("./new-order.js") },
    { path: "purchase-orders/:po_id", needs, load: () => import("./order.js") },
    {
      path: "vendors",
      needs: "vendors",
      title: () => t("vendors"),
      action: () => t("newVendor"),
      load: () => import("./vendors.js"),
    },
    { path: "vendors/:canonical_id", needs: "vendors", load: () => import("./vendor.js") },
  ],
} satisfies NavigationPart;
