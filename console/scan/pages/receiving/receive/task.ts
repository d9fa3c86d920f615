import { t } from "../../../../texts/receiving.js";
import type { Task } from "../../../task.js";
import { receive } from "../on-device/done.js";

export default {
  order: 10,
  path: "receive",
  needs: "receive",
  title: () => t("receive"),
  icon: "receive",
  waiting: ({ receive }) => receive.total,
  load: () => import("./receive.js"),
  sends: { receive },
  tells: ["receive", "putaway"],
} satisfies Task;
