import { t } from "../../../texts/transfers.js";
import type { NavigationPart } from "../../navigation.js";

const needs = "transfer-orders";

export default {
  order: 40,
  title: () => t("transfers"),
  pages: [
    { path: "transfer-orders", needs, title: () => t("orders"), load: () => import("./orders.js") },
    { path: "transfer-orders/new", needs, load: () => import("./new-order.js") },
    { path: "transfer-orders/import", needs, load: () => import("./import-order.js") },
    { path: "transfer-orders/:to_id", needs, load: () => import("./order.js") },
    { path: "moves", needs: "inter-warehouse-transfers", title: () => t("moves"), load: () => import("./moves.js") },
  ],
} satisfies NavigationPart;
