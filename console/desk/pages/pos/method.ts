import { t } from "../../../texts/pos.js";

/** How was paid; null where nobody said. */
export function methodText(method: string | null): string | null {
  switch (method) {
    case "card":
      return t("card");
    case "cash":
      return t("cash");
    case "split":
      return t("split");
    default:
      return method;
  }
}
