import { AmbiguousId, UnknownRecord } from "../../src/outbound/problems.js";
import { resolve } from "../../src/outbound/resolve/queries.js";
import { ResolvedRecord, ResolveQuery } from "../../src/outbound/resolve/shapes.js";
import { outbound, route } from "../http/route.js";

export const resolveExternalId = route("get /api/v1/resolve", {
  for: outbound("events.resolve"),
  summary: "The record that an id in an event names, within the token's warehouses",
  query: ResolveQuery,
  answers: { 200: ResolvedRecord },
  errors: [UnknownRecord, AmbiguousId],
  run: ({ query, token }) => resolve(query, token.warehouse_ids),
});
