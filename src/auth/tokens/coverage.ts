import type { PageKey } from "../pages.js";
import type { InboundResource } from "./scope.js";

/** What a user of the page `api-tokens` may issue, see and change: tokens that reach no further than the user. */

/** The page whose user may write by hand what a token may push. */
const inboundPages: Readonly<Record<InboundResource, PageKey>> = {
  items: "items",
  vendors: "vendors",
  customers: "sales-orders",
  sales_orders: "sales-orders",
  purchase_orders: "purchase-orders",
  inventory_update: "adjustments",
};

/** Pages about what other programs get; any of them covers events of any type, as a webhook may be for any. */
const eventPages: readonly PageKey[] = ["consumer-groups", "webhooks", "integrations"];

/** The pages of which one covers an endpoint. What is not listed only an ADMIN hands out. */
const endpointPages: Readonly<Record<string, readonly PageKey[]>> = {
  "events.poll": eventPages,
  "events.ack": eventPages,
  "events.types": eventPages,
  "events.schema": eventPages,
  "events.resolve": eventPages,
  "snapshot.inventory": ["inventory"],
  "station.dispatch": ["sales-orders"],
  "pos.dispatch": ["pos-activity"],
};

/** A USER who keeps tokens. */
export interface Keeper {
  warehouse_ids: number[];
  page_keys: string[];
}

/** What a token gives access to. */
export interface Coverable {
  warehouse_ids: number[];
  event_types: string[];
  endpoints: string[];
  inbound_resources: string[];
}

/** What of a token its keeper has not got, and what would cover it. */
export interface Uncovered {
  field: keyof Coverable;
  value: number | string | null;
  needs: string;
}

/** What of a token goes beyond its keeper's warehouses and pages; nothing when the keeper may issue it. */
export function uncovered(token: Coverable, keeper: Keeper): Uncovered[] {
  const { warehouse_ids, event_types, endpoints, inbound_resources } = token;
  const missing: Uncovered[] = warehouse_ids
    .filter((id) => !keeper.warehouse_ids.includes(id))
    .map((id) => ({
      field: "warehouse_ids",
      value: id,
      needs: `warehouse ${id}`,
    }));
  if (warehouse_ids.length === 0)
    missing.push({
      field: "warehouse_ids",
      value: null,
      needs: "one or more of your warehouses",
    });
  const pages = (field: keyof Coverable, values: string[], of: (value: string) => readonly PageKey[]) => {
    for (const value of values)
      if (!of(value).some((page) => keeper.page_keys.includes(page)))
        missing.push({ field, value, needs: needed(of(value)) });
  };
  pages("inbound_resources", inbound_resources, (resource) => [inboundPages[resource as InboundResource]]);
  pages("endpoints", endpoints, (slug) => endpointPages[slug] ?? []);
  pages("event_types", event_types, () => eventPages);
  return missing;
}

const needed = (pages: readonly PageKey[]) => (pages.length > 0 ? `page ${pages.join(" or ")}` : "role ADMIN");
