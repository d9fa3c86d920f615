import { t } from "../../../texts/transfers.js";
import type { NavigationPart } from "../../navigation.js";

const needs = "transfer-orders";

export default {
  group: "transfers",
  pages: [
    { path: "transfer-orders", needs, title: () => t("orders"), load: () => import("./orders.js") },
    { path: "transfer-orders/new", needs, action: () => t("newOrder"), load: () => import("./new-order.js") },
    { path: "transfer-orders/import", needs, action: () => t("importTitle"), load: () => import("./import-order.js") },
    { path: "transfer-orders/:to_id", needs, load: () => import("./order.js") },
    { path: "moves", needs: "inter-warehouse-transfers", title: () => t("moves"), load: () => import("./moves.js") },
  ],
} satisfies NavigationPart;
