import { z } from "zod";
import { int, text } from "../../platform/db/columns.js";

/**
 * The events of a subscription; a missing list does not restrict them, so `{}` selects all (docs/interface.md,
 * Webhooks).
 */
const Filter = z.strictObject({
  event_types: z.array(z.string()).min(1).exactOptional(),
  warehouse_ids: z.array(z.int32()).min(1).exactOptional(),
  aggregate_external_id_allowlist: z.array(z.guid()).min(1).exactOptional(),
});
export type Filter = z.infer<typeof Filter>;

/** Parses a stored filter; undefined when it is malformed. */
export const parseFilter = (stored: unknown): Filter | undefined => Filter.safeParse(stored).data;

/** What a filter looks at. */
export const Selectable = z.strictObject({ event_type: text, warehouse_id: int, aggregate_id: text });
export type Selectable = z.infer<typeof Selectable>;

export function selects(filter: Filter, event: Selectable): boolean {
  const { event_types, warehouse_ids, aggregate_external_id_allowlist } = filter;
  return (
    (event_types?.includes(event.event_type) ?? true) &&
    (warehouse_ids?.includes(event.warehouse_id) ?? true) &&
    (aggregate_external_id_allowlist?.includes(event.aggregate_id) ?? true)
  );
}
