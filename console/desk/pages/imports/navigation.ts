import { t } from "../../../texts/imports.js";
import type { NavigationPart } from "../../navigation.js";

export default {
  group: "administration",
  order: 20,
  pages: [{ path: "imports", needs: "imports", title: () => t("imports"), load: () => import("./imports.js") }],
} satisfies NavigationPart;
