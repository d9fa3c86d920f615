import { t } from "../../../texts/picking.js";

/** How long ago it was, in hours and minutes. */
export function age(since: string): string {
  const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(since)) / 60_000));
  return t("age", { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}
