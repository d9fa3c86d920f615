import type { Subscription } from "../consumer-groups/queries.js";
import type { Token } from "../tokens/token.js";
import { ScopeViolation } from "./problems.js";

/** Which events a reader gets: those of these types in these warehouses. */
export interface Selection {
  eventTypes: string[];
  warehouseIds: number[];
}

/** What a poll narrows its answer to. */
export interface Asked {
  types?: string[] | undefined;
  warehouse_id?: number | undefined;
}

/** What the token may see, the request asks for and the group is for, all at once; asking for more than the token's is refused. */
export function selectionOf(
  token: Token,
  { types, warehouse_id }: Asked,
  subscription: Subscription = {},
): Selection {
  const { event_types, warehouse_ids } = token;
  if (warehouse_id !== undefined && !warehouse_ids.includes(warehouse_id))
    throw ScopeViolation({}, { field: "warehouse_id" });
  if (types?.some((type) => !event_types.includes(type)))
    throw ScopeViolation({}, { field: "types" });
  return {
    eventTypes: common(event_types, types, subscription.event_types),
    warehouseIds: common(
      warehouse_ids,
      warehouse_id === undefined ? undefined : [warehouse_id],
      subscription.warehouse_ids,
    ),
  };
}

/** What stands in all of the lists, once; a list that is not given narrows nothing. */
const common = <T>(all: T[], ...lists: (T[] | undefined)[]): T[] =>
  [...new Set(all)].filter((one) =>
    lists.every((list) => list?.includes(one) ?? true),
  );
