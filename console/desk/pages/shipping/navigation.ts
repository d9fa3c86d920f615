import { t as collections } from "../../../texts/collections.js";
import { t } from "../../../texts/parcels.js";
import type { NavigationPart } from "../../navigation.js";

export default {
  group: "sales",
  order: 25,
  pages: [
    { path: "parcels", needs: "sales-orders", title: () => t("parcels"), load: () => import("./parcels.js") },
    { path: "parcels/:parcel_id", needs: "sales-orders", load: () => import("./parcel.js") },
    {
      ...{ path: "collections", needs: "sales-orders", title: () => collections("collections") },
      load: () => import("./collections.js"),
    },
    { path: "collections/:collection_id", needs: "sales-orders", load: () => import("./collection.js") },
    { path: "boxes", needs: "ADMIN", title: () => t("boxes"), load: () => import("./boxes.js") },
  ],
} satisfies NavigationPart;
