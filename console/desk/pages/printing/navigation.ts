import { t } from "../../../texts/printing.js";
import type { NavigationPart } from "../../navigation.js";

export default {
  group: "places",
  order: 1,
  pages: [
    { path: "print-jobs", needs: "picking-tickets", title: () => t("jobs"), load: () => import("./jobs.js") },
    { path: "printers", needs: "ADMIN", title: () => t("printers"), load: () => import("./printers.js") },
  ],
} satisfies NavigationPart;
