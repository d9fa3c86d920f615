interface Tag {
  name: string;
  description: string;
  /** Beginnings of the paths below `/api/` that belong to it. */
  paths: string[];
}

/** The parts of the interface, in the order of the work. The longest beginning that fits a path decides. */
export const tagTable: Tag[] = [
  {
    name: "Sign in",
    description: "Logging in and out, the caller's own account and password.",
    paths: ["auth/"],
  },
  {
    name: "Master data",
    description: "Warehouses, zones, bins, items, preferred bins and vendors; imports, and what a scanner looks up.",
    paths: [
      ...["admin/warehouses", "admin/zones", "admin/bins", "admin/items", "admin/preferred-bins", "admin/vendors"],
      ...["admin/import/", "lookup/", "warehouses/"],
    ],
  },
  {
    name: "Purchasing",
    description: "Purchase orders and their lines: what vendors are to bring.",
    paths: ["admin/purchase-orders"],
  },
  {
    name: "Receiving",
    description: "Booking in what came for a purchase order, and taking receipts back.",
    paths: ["receiving/", "admin/receipts/", "admin/purchase-orders/{po_id}/receipts"],
  },
  {
    name: "Put-away",
    description: "Moving received goods out of staging bins into the bins where they are picked from.",
    paths: ["putaway/"],
  },
  {
    name: "Stock",
    description: "What lies where; corrections, and moves within and between warehouses.",
    paths: ["admin/inventory", "admin/adjustments/", "admin/inter-warehouse-transfer", "transfers/"],
  },
  {
    name: "Counting",
    description: "Cycle counts: counting bins and settling the differences.",
    paths: ["inventory/cycle-count/", "inventory/cycle-counts/", "admin/cycle-counts"],
  },
  {
    name: "Sales orders",
    description: "Orders of customers: entering, changing, releasing, cancelling, backorders, returns.",
    paths: ["admin/sales-orders", "admin/backorders"],
  },
  {
    name: "Picking",
    description: "Waves: orders are collected bin by bin; short picks and picking tickets.",
    paths: [
      ...["picking/", "admin/pick-batches", "admin/short-picks"],
      ...["admin/sales-orders/mark-printed", "admin/sales-orders/{so_id}/picking-ticket"],
    ],
  },
  { name: "Packing", description: "Verifying the content of an order and closing its parcel.", paths: ["packing/"] },
  {
    name: "Shipping",
    description: "Handing orders to a carrier, and what was handed over.",
    paths: ["shipping/", "admin/shipments"],
  },
  {
    name: "Station",
    description: "What programs at a shipping station ask for: an order, its shipment, an item.",
    paths: ["v1/station/"],
  },
  {
    name: "Point of sale",
    description: "What tills ask for: what can be sold, sales and refunds, orders to refer to; and what they took.",
    paths: ["v1/pos/", "admin/pos/"],
  },
  {
    name: "Transfer orders",
    description: "What one warehouse sends to another: held at the source, picked, submitted, approved.",
    paths: ["admin/transfer-orders", "admin/picker/transfer-orders"],
  },
  {
    name: "Reports",
    description: "Dashboards, productivity, search over everything and the audit log.",
    paths: ["admin/dashboard", "v1/dashboard/", "admin/audit-log", "admin/search", "work"],
  },
  { name: "Users & rights", description: "Users and what they may do.", paths: ["admin/users"] },
  { name: "Settings", description: "Settings of the whole installation.", paths: ["admin/settings"] },
  {
    name: "Integration tokens",
    description: "Credentials of other systems, and what they open.",
    paths: ["admin/tokens", "admin/scope-catalog", "admin/connector-registry"],
  },
  {
    name: "Inbound",
    description: "Records that other systems push, and what became of them.",
    paths: ["v1/inbound/", "admin/inbound/", "admin/source-systems", "admin/source-links"],
  },
  {
    name: "Outbound polling",
    description: "Events and snapshots of stock that other systems fetch, and their consumer groups.",
    paths: ["v1/events", "v1/resolve", "v1/snapshot/", "admin/consumer-groups"],
  },
  {
    name: "Webhooks",
    description: "Events that are sent to other systems: subscriptions, deliveries and replays.",
    paths: ["admin/webhooks", "admin/webhook-errors"],
  },
  {
    name: "Notifications",
    description: "Chat channels in which people are told of backorders and of webhooks that fail.",
    paths: ["admin/notification-webhooks"],
  },
  {
    name: "Channels",
    description: "Shops and marketplaces that are told how many units of each item can be sold.",
    paths: ["admin/channels"],
  },
  {
    name: "Connectors",
    description: "Shops and other systems whose items and orders are fetched, and which are told of shipments.",
    paths: ["admin/connectors", "admin/connector-pushes", "v1/connectors/"],
  },
  {
    name: "System",
    description: "Health, readiness, version, this document, and what happens as it happens.",
    paths: ["health", "ready", "openapi.json", "csp-report", "admin/system-info", "admin/live"],
  },
];

/** The tag of a path such as `/api/admin/items/{item_id}`. */
export function tagOf(path: string): string {
  const rest = path.replace("/api/", "");
  const fitting = tagTable.flatMap(({ name, paths }) =>
    paths.filter((beginning) => rest.startsWith(beginning)).map((beginning) => ({ name, length: beginning.length })),
  );
  const longest = fitting.sort((a, b) => b.length - a.length)[0];
  if (!longest) throw new Error(`No tag is for ${path}: add it to the table`);
  return longest.name;
}
