/** The admin pages a USER may be granted one by one (docs/interface.md, Rights). */
export const pageKeys = [
  "dashboard",
  "inventory",
  "cycle-counts",
  "count-approvals",
  "purchase-orders",
  "receiving",
  "putaway",
  "sales-orders",
  "backorders",
  "fraud",
  "picking-tickets",
  "picking-batches",
  "items",
  "vendors",
  "adjustments",
  "warehouses",
  "bins",
  "zones",
  "preferred-bins",
  "notifications",
  "audit-log",
  "users",
  "settings",
  "api-tokens",
  "webhooks",
  "integrations",
  "imports",
  "channels",
  "inbound",
  "consumer-groups",
  "pos-activity",
  "inter-warehouse-transfers",
  "transfer-orders",
] as const;
export type PageKey = (typeof pageKeys)[number];

/** Keys that are granted like pages and extend what a page allows. */
export const overrideKeys = ["so-full-edit"] as const;
export type OverrideKey = (typeof overrideKeys)[number];
