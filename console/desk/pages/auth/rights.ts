import type { NewUser } from "../../../../client/src/index.js";
import { t } from "../../../texts/auth.js";

type Key = NonNullable<NewUser["page_keys"]>[number];

/** Page keys by what they are about. */
export const pageGroups = (): [group: string, keys: Key[]][] => [
  [t("groupDay"), ["dashboard"]],
  [t("groupStock"), ["inventory", "items", "adjustments", "cycle-counts", "count-approvals"]],
  [t("groupGoodsIn"), ["purchase-orders", "receiving", "putaway", "vendors", "imports"]],
  [t("groupSales"), ["sales-orders", "backorders", "fraud", "picking-tickets", "picking-batches", "pos-activity"]],
  [t("groupTransfers"), ["transfer-orders", "inter-warehouse-transfers"]],
  [t("groupPlaces"), ["warehouses", "zones", "bins", "preferred-bins"]],
  [
    t("groupPartners"),
    ["webhooks", "api-tokens", "inbound", "integrations", "channels", "consumer-groups", "notifications"],
  ],
  [t("groupService"), ["users", "settings", "audit-log"]],
];

/** What is granted like a page and extends what one allows. */
export const overrides: Key[] = ["so-full-edit"];

export const functions: NonNullable<NewUser["allowed_functions"]>[number][] = [
  ...(["receive", "putaway", "pick", "pack", "ship", "count", "transfer", "sell"] as const),
];
