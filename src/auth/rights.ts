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

/**
 * The functions of the scanner's menu (docs/interface.md, Sales orders). They always restrict the menu; writes only
 * where `enforce_allowed_functions` is set.
 */
export const floorFunctions = ["receive", "putaway", "pick", "pack", "ship", "count", "transfer"] as const;
export type FloorFunction = (typeof floorFunctions)[number];

/** All that may be granted: `sell` opens a counter-sale register (docs/interface.md, What stays as it was). */
export const grantableFunctions = [...floorFunctions, "sell"] as const;

/** The functions in the user's menu: an ADMIN has all floor functions; `pack` is left out while packing is off. */
export function functionsOf(user: { role: string; allowed_functions: string[] }, requirePacking: boolean): string[] {
  const granted = user.role === "ADMIN" ? floorFunctions : user.allowed_functions;
  return granted.filter((name) => requirePacking || name !== "pack");
}
