import { z } from "zod";

/** Which events a subscription wants; what is not given narrows nothing, and `{}` is everything (spec 6.3, rule 10). */
const filter = z.strictObject({
  event_types: z.array(z.string()).min(1).optional(),
  warehouse_ids: z.array(z.int32()).min(1).optional(),
  aggregate_external_id_allowlist: z.array(z.guid()).min(1).optional(),
});

export interface Filter {
  event_types?: string[];
  warehouse_ids?: number[];
  aggregate_external_id_allowlist?: string[];
}

/** A stored filter; undefined when it is not one that the interface would have let in. */
export const parseFilter = (stored: unknown): Filter | undefined =>
  filter.safeParse(stored).data as Filter | undefined;
