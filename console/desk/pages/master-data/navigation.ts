import { t as looking } from "../../../texts/looking.js";
import { t } from "../../../texts/master-data.js";
import { t as newBins } from "../../../texts/new-bins.js";
import { t as putAway } from "../../../texts/put-away-rules.js";
import type { NavigationPart } from "../../navigation.js";

export default {
  group: "places",
  pages: [
    {
      path: "warehouses",
      needs: "warehouses",
      title: () => t("warehouses"),
      action: () => t("newWarehouse"),
      load: () => import("./warehouses.js"),
    },
    { path: "warehouses/:warehouse_id", needs: "warehouses", load: () => import("./warehouse.js") },
    { path: "zones", needs: "zones", title: () => t("zones"), load: () => import("./zones.js") },
    { path: "bins", needs: "bins", title: () => t("bins"), load: () => import("./bins.js") },
    { path: "bins/map", needs: "bins", title: () => looking("map"), load: () => import("./bin-map.js") },
    { path: "bins/new", needs: "bins", action: () => newBins("newBins"), load: () => import("./new-bins.js") },
    { path: "bins/:bin_id", load: () => import("./bin.js") },
    {
      path: "put-away-rules",
      needs: "ADMIN",
      title: () => putAway("rules"),
      load: () => import("./put-away-rules.js"),
    },
  ],
} satisfies NavigationPart;
