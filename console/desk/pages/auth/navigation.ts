import { t } from "../../../texts/auth.js";
import type { NavigationPart } from "../../navigation.js";

export default {
  group: "administration",
  order: 10,
  pages: [
    { path: "users", needs: "users", title: () => t("users"), load: () => import("./users.js") },
    { path: "users/new", needs: "users", action: () => t("newUser"), load: () => import("./new-user.js") },
    { path: "users/:user_id", needs: "users", load: () => import("./user.js") },
    { path: "sign-in", needs: "ADMIN", title: () => t("mapping"), load: () => import("./sign-in.js") },
    { path: "profile", load: () => import("./profile.js") },
  ],
} satisfies NavigationPart;
