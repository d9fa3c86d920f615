import type { PageKey } from "../rights.js";
import type { User } from "../users/shapes.js";
import type { InboundResource } from "./scope.js";
import type { TokenScope } from "./shapes.js";

/** A USER with the page `api-tokens` manages the tokens that give no access beyond the user's own. */

/** For each resource, the page on which a user can make the same changes as a token that pushes it. */
const inboundPages: Readonly<Record<InboundResource, PageKey>> = {
  items: "items",
  vendors: "vendors",
  customers: "sales-orders",
  sales_orders: "sales-orders",
  purchase_orders: "purchase-orders",
  inventory_update: "adjustments",
};

/** Any of these pages covers events of all types, because a user of it can set up a webhook for any of them. */
const eventPages: readonly PageKey[] = ["consumer-groups", "webhooks", "integrations"];

/** For each endpoint, the pages any of which covers it. Endpoints that are not listed are for ADMIN only. */
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

/** A USER who manages tokens. */
export type TokenManager = Pick<User, "warehouse_ids" | "page_keys">;

/** A value of a token's scope that its manager has no access to, and the rights that would cover it. */
export interface Uncovered {
  field: keyof TokenScope;
  value: number | string | null;
  needs: string;
}

/** Everything in a token's scope that the user's warehouses and pages do not cover. */
export function uncovered(token: TokenScope, manager: TokenManager): Uncovered[] {
  const { warehouse_ids, event_types, endpoints, inbound_resources } = token;
  const missing: Uncovered[] = warehouse_ids
    .filter((id) => !manager.warehouse_ids.includes(id))
    .map((id) => ({ field: "warehouse_ids", value: id, needs: `warehouse ${id}` }));
  if (warehouse_ids.length === 0)
    missing.push({ field: "warehouse_ids", value: null, needs: "one or more of your warehouses" });
  const checkPages = (field: keyof TokenScope, values: string[], of: (value: string) => readonly PageKey[]) => {
    for (const value of values)
      if (!of(value).some((page) => manager.page_keys.includes(page)))
        missing.push({ field, value, needs: needed(of(value)) });
  };
  checkPages("inbound_resources", inbound_resources, (resource) => [inboundPages[resource as InboundResource]]);
  checkPages("endpoints", endpoints, (slug) => endpointPages[slug] ?? []);
  checkPages("event_types", event_types, () => eventPages);
  return missing;
}

const needed = (pages: readonly PageKey[]) => (pages.length > 0 ? `page ${pages.join(" or ")}` : "role ADMIN");
