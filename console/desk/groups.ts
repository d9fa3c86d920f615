import type { IconName } from "../shared/icons.js";
import { t } from "../texts/navigation.js";

/** The groups of the menu, in their order. */
export const groups = {
  today: { title: () => t("today"), icon: "day" },
  sales: { title: () => t("sales"), icon: "pick" },
  picking: { title: () => t("picking"), icon: "walk" },
  purchasing: { title: () => t("purchasing"), icon: "receive" },
  stock: { title: () => t("stock"), icon: "pack" },
  counting: { title: () => t("counting"), icon: "count" },
  transfers: { title: () => t("transfers"), icon: "move" },
  places: { title: () => t("places"), icon: "shelf" },
  integrations: { title: () => t("integrations"), icon: "plug" },
  administration: { title: () => t("administration"), icon: "settings" },
} as const satisfies Record<string, { title: () => string; icon: IconName }>;
export type GroupName = keyof typeof groups;
