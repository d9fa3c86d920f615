import { t } from "../../../texts/picking.js";

/** How long ago it was, in minutes or in hours and minutes. */
export function age(since: string): string {
  const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(since)) / 60_000));
  return minutes < 60
    ? t("minutes", { minutes })
    : t("age", { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}
