import type { UserSession } from "../../../../client/src/index.js";
import { t } from "../../../texts/security.js";
import type { Column } from "../../components/table.js";

/** What is told of a session, wherever sessions are listed. */
export const sessionColumns = (): Column<UserSession>[] => [
  { field: "device", title: t("device"), show: deviceOf },
  { field: "begun_by", title: t("begunBy"), show: ({ begun_by }) => ways[begun_by]() },
  { field: "address", title: t("fromAddress") },
  { field: "begun_at", title: t("signedInSince"), as: "time" },
  { field: "last_used_at", title: t("lastUsed"), as: "time" },
];

const ways = {
  password: () => t("begunByPassword"),
  badge: () => t("begunByBadge"),
  provider: () => t("begunByProvider"),
} satisfies Record<UserSession["begun_by"], () => string>;

/** In the order in which they are looked for: browsers name those that they descend from, too. */
const browsers = { Edg: "Edge", OPR: "Opera", Firefox: "Firefox", Chrome: "Chrome", Safari: "Safari" };
const systems = { Android: "Android", iPhone: "iPhone", iPad: "iPad", Windows: "Windows", "Mac OS": "macOS" };

/** A browser and its system, else the beginning of what the program called itself. */
function deviceOf({ device }: UserSession): string {
  if (!device) return t("unknownDevice");
  const named = (names: Record<string, string>) => Object.entries(names).find(([word]) => device.includes(word))?.[1];
  const browser = named(browsers);
  if (!browser) return device.slice(0, 40);
  return [browser, named(systems) ?? (device.includes("Linux") ? "Linux" : undefined)].filter(Boolean).join(", ");
}
