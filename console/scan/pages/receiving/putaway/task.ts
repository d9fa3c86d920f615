import { t } from "../../../../texts/scan-putaway.js";
import type { Task } from "../../../task.js";
import { putAway } from "../on-device/done.js";

export default {
  order: 20,
  path: "putaway",
  needs: "putaway",
  title: () => t("putAway"),
  icon: "putAway",
  waiting: ({ putaway }) => putaway.total,
  load: () => import("./putaway.js"),
  sends: { put: putAway },
  tells: ["receive", "putaway"],
} satisfies Task;
