import { t } from "../../../../texts/scan-damage.js";
import type { Task } from "../../../task.js";

export default {
  order: 75,
  path: "damage",
  needs: "any",
  title: () => t("damage"),
  icon: "damage",
  load: () => import("./damage.js"),
} satisfies Task;
