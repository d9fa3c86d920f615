import type { Token } from "../../auth/tokens/token.js";
import type { Subscription } from "../consumer-groups/shapes.js";
import { ScopeViolation } from "../problems.js";
import type { PollFilter } from "./shapes.js";

/** The events that a reader gets: of these types in these warehouses. */
export interface Selection {
  eventTypes: string[];
  warehouseIds: number[];
}

/**
 * The intersection of the token's scope, the filters of the request and the group's subscription; a filter outside of
 * the token's scope is refused.
 */
export function selectionOf(
  token: Token,
  { types, warehouse_id }: PollFilter,
  subscription: Subscription = {},
): Selection {
  const { event_types, warehouse_ids } = token;
  if (warehouse_id !== undefined && !warehouse_ids.includes(warehouse_id))
    throw ScopeViolation({}, { field: "warehouse_id" });
  if (types?.some((type) => !event_types.includes(type))) throw ScopeViolation({}, { field: "types" });
  return {
    eventTypes: common(event_types, types, subscription.event_types),
    warehouseIds: common(
      warehouse_ids,
      warehouse_id === undefined ? undefined : [warehouse_id],
      subscription.warehouse_ids,
    ),
  };
}

/** The values that are in all of the lists, without duplicates; a list that is undefined is ignored. */
const common = <T>(all: T[], ...lists: (T[] | undefined)[]): T[] =>
  [...new Set(all)].filter((one) => lists.every((list) => list?.includes(one) ?? true));
