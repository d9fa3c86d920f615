import type { Route } from "../http/route.js";

/** The tags of the OpenAPI document: the parts of the interface, in the order of the work. */
export const tags = {
  "Sign in": "Logging in and out, the caller's own account and password.",
  "Master data": "Warehouses, zones, bins, items, preferred bins and vendors; imports, and what a scanner looks up.",
  Purchasing: "Purchase orders and their lines: what vendors are to bring.",
  Receiving: "Booking in what came for a purchase order, and taking receipts back.",
  "Put-away": "Moving received goods out of staging bins into the bins where they are picked from.",
  Stock: "What lies where; corrections, and moves within and between warehouses.",
  Counting: "Cycle counts: counting bins and settling the differences.",
  "Sales orders": "Orders of customers: entering, changing, releasing, cancelling, backorders, returns.",
  Picking: "Waves: orders are collected bin by bin; short picks and picking tickets.",
  Packing: "Verifying the content of an order and closing its parcel.",
  Shipping: "Handing orders to a carrier, and what was handed over.",
  Station: "What programs at a shipping station ask for: an order, its shipment, an item.",
  "Point of sale": "What tills ask for: what can be sold, sales and refunds, orders to refer to; and what they took.",
  "Transfer orders": "What one warehouse sends to another: held at the source, picked, submitted, approved.",
  Reports: "Dashboards, productivity, search over everything and the audit log.",
  "Users & rights": "Users and what they may do.",
  Settings: "Settings of the whole installation.",
  "Integration tokens": "Credentials of other systems, and what they open.",
  Inbound: "Records that other systems push, and what became of them.",
  "Outbound polling": "Events and snapshots of stock that other systems fetch, and their consumer groups.",
  Webhooks: "Events that are sent to other systems: subscriptions, deliveries and replays.",
  Partners:
    "Links of partners, and the page that each opens: its own webhooks, deliveries, place in the stream, refusals.",
  Notifications: "Chat channels in which people are told of backorders and of webhooks that fail.",
  Channels: "Shops and marketplaces that are told how many units of each item can be sold.",
  Connectors: "Shops and other systems whose items and orders are fetched, and which are told of shipments.",
  Printing: "Printers, and labels and packing slips that are sent to them.",
  Carriers: "Accounts with carriers, which service a parcel goes by, and the labels that are bought.",
  Agents: "What programs of a user ask for by the Model Context Protocol, and what people approve of it.",
  System: "Health, readiness, version, this document, and what happens as it happens.",
};

export type Tag = keyof typeof tags;

/** A route with the name of its constant and the tag of its file. */
export type NamedRoute = Route & { operationId: string; tag: Tag };
