import { t } from "../../../texts/auth.js";
import type { NavigationPart } from "../../navigation.js";

export default {
  order: 80,
  title: () => t("people"),
  pages: [
    { path: "users", needs: "users", title: () => t("users"), load: () => import("./users.js") },
    { path: "users/new", needs: "users", load: () => import("./new-user.js") },
    { path: "users/:user_id", needs: "users", load: () => import("./user.js") },
    { path: "profile", load: () => import("./profile.js") },
  ],
} satisfies NavigationPart;
