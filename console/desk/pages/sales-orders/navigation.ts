import { t } from "../../../texts/sales-orders.js";
import type { NavigationPart } from "../../navigation.js";

export default {
  group: "sales",
  order: 20,
  pages: [
    { path: "orders", needs: "sales-orders", title: () => t("orders"), load: () => import("./orders.js") },
    { path: "orders/new", needs: "sales-orders", action: () => t("newOrder"), load: () => import("./new-order.js") },
    { path: "orders/:so_id", needs: "sales-orders", load: () => import("./order.js") },
    { path: "orders/:so_id/ticket", needs: "picking-tickets", load: () => import("./ticket.js") },
    { path: "orders/tickets", needs: "picking-tickets", load: () => import("./tickets.js") },
    { path: "customers/:name", needs: "sales-orders", load: () => import("./customer.js") },
    { path: "shipments", needs: "sales-orders", title: () => t("shipments"), load: () => import("./shipments.js") },
    { path: "held-orders", needs: "fraud", title: () => t("heldOrders"), load: () => import("./held-orders.js") },
    { path: "backorders", needs: "backorders", title: () => t("backorders"), load: () => import("./backorders.js") },
    { path: "returns", needs: "sales-orders", title: () => t("returns"), load: () => import("./returns.js") },
  ],
} satisfies NavigationPart;
