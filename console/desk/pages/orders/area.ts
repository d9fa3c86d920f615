import { t } from "../../../texts/orders.js";
import type { Area } from "../../area.js";

export default {
  order: 20,
  title: () => t("sales"),
  pages: [
    { path: "orders", needs: "sales-orders", title: () => t("orders"), load: () => import("./orders.js") },
    { path: "orders/:so_id", needs: "sales-orders", load: () => import("./order.js") },
  ],
} satisfies Area;
