/** The scopes of tokens (docs/interface.md, Tokens), besides event types and source systems. */

/** Outbound routes, by the slug that a token has in `endpoints`. */
export const outboundSlugs = [
  "events.poll",
  "events.ack",
  "events.types",
  "events.schema",
  "events.resolve",
  "snapshot.inventory",
] as const;
export type OutboundSlug = (typeof outboundSlugs)[number];

/** Whether one of the endpoints is this one, or includes it: a token that polls events may resolve the ids in them. */
export const allowsEndpoint = (endpoints: readonly string[], slug: OutboundSlug): boolean =>
  endpoints.includes(slug) || (slug === "events.resolve" && endpoints.includes("events.poll"));

/** The routes of shipping stations and of tills. */
export const dispatchSlugs = ["station.dispatch", "pos.dispatch"] as const;
export type DispatchSlug = (typeof dispatchSlugs)[number];

export const endpointSlugs: string[] = [...outboundSlugs, ...dispatchSlugs];

/** The records that another system may send. */
export const resources = ["customers", "items", "vendors", "purchase_orders", "sales_orders"] as const;
export type Resource = (typeof resources)[number];

/** Inbound routes, by the key that a token has in `inbound_resources`. */
export const inboundResources = [...resources, "inventory_update"] as const;
export type InboundResource = (typeof inboundResources)[number];
