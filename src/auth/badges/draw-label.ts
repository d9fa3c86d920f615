import { drawing } from "../../platform/labels/drawing.js";

/** What stands on a badge. */
export interface BadgeToLabel {
  full_name: string;
  username: string;
  code: string;
}

/** Whose badge it is stands above its code, which is not written out: nobody reads or copies it at a glance. */
export const badgeLabels = drawing(import.meta.url, "badgeLabels", function* (badge: BadgeToLabel, newSheet) {
  const sheet = newSheet();
  const { height } = sheet.inner;
  const name = { size: Math.min(height * 0.2, 12), lines: 2, weight: "bold", align: "center" } as const;
  sheet.write(sheet.part(0, 0.28), badge.full_name, name);
  sheet.write(sheet.part(0.29, 0.4), badge.username, { size: Math.min(height * 0.1, 6), align: "center" });
  sheet.code({ ...sheet.part(0.44, 1), height: Math.min(height * 0.56, 40) }, badge.code);
  yield sheet;
});
