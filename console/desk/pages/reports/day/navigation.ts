import { t } from "../../../../texts/day.js";
import { t as inbox } from "../../../../texts/inbox.js";
import { t as looking } from "../../../../texts/looking.js";
import type { NavigationPart } from "../../../navigation.js";
import { InboxCount } from "../inbox/inbox-count.js";

export default {
  group: "today",
  pages: [
    { path: "day", needs: "dashboard", title: () => t("day"), load: () => import("./day.js") },
    {
      path: "inbox",
      needs: "ANY",
      title: () => inbox("inbox"),
      count: InboxCount,
      load: () => import("../inbox/inbox.js"),
    },
    {
      path: "productivity",
      needs: "dashboard",
      title: () => t("productivity"),
      load: () => import("./productivity.js"),
    },
    {
      path: "carrier-costs",
      needs: "dashboard",
      title: () => t("carrierCosts"),
      load: () => import("./carrier-costs.js"),
    },
    { path: "ageing", needs: "dashboard", title: () => looking("ageing"), load: () => import("./ageing.js") },
  ],
} satisfies NavigationPart;
