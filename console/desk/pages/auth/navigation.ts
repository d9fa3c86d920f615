import { t } from "../../../texts/auth.js";
import { t as keys } from "../../../texts/keys.js";
import type { NavigationPart } from "../../navigation.js";

export default {
  group: "administration",
  order: 10,
  pages: [
    { path: "users", needs: "users", title: () => t("users"), load: () => import("./users.js") },
    { path: "users/new", needs: "users", action: () => t("newUser"), load: () => import("./new-user.js") },
    { path: "users/:user_id", needs: "users", load: () => import("./user.js") },
    { path: "keys", needs: "ADMIN", title: () => keys("keysOfAll"), load: () => import("./keys.js") },
    { path: "agent-access", load: () => import("./agent-access.js") },
    { path: "security", load: () => import("./security.js") },
    { path: "sign-in", needs: "ADMIN", title: () => t("mapping"), load: () => import("./sign-in.js") },
    { path: "profile", load: () => import("./profile.js") },
  ],
} satisfies NavigationPart;
