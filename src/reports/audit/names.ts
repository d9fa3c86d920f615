import { z } from "zod";
import { int, text } from "../../platform/db/columns.js";
import { db } from "../../platform/db/db.js";
import { jsonWithoutCredentials } from "../../platform/url-credentials.js";
import { AuditLogEntry } from "./shapes.js";

const Reference = z.strictObject({ kind: text, id: int });
type Reference = z.infer<typeof Reference>;

const keyOf = (kind: string, id: number) => `${kind} ${id}`;

type Details = Record<string, unknown>;
/** Names by `keyOf`. */
type Names = Map<string, string>;

/** The record that an audit row is about, and its details. */
export const AuditRow = AuditLogEntry.pick({ entity_type: true, entity_id: true, details: true });
export type AuditRow = z.infer<typeof AuditRow>;

/**
 * The rows with the name of their entity, with codes instead of ids in their details, and without passwords in URLs.
 * One round trip.
 */
export async function withNames<T extends AuditRow>(entries: T[]): Promise<(T & { entity_name: string | null })[]> {
  const names = await namesOf(entries.flatMap(referencesOf));
  return entries.map((entry) => ({
    ...entry,
    entity_name: entityName(entry, names),
    details: entry.details && withoutCredentials(withCodes(entry.details, names)),
  }));
}

/** Old rows may hold URLs with credentials, which are refused now; the sealed log itself cannot be changed. */
const withoutCredentials = (details: Details): Details => JSON.parse(jsonWithoutCredentials(details));

/** Entities that have no code or number: the field of the details that holds their name. */
const nameFields: Record<string, string> = { VENDOR: "vendor_name", WEBHOOK_SUBSCRIPTION: "display_name" };

function entityName(entry: AuditRow, names: Names): string | null {
  const { entity_type, entity_id, details } = entry;
  const name = names.get(keyOf(entity_type, entity_id));
  const own = details?.[nameFields[entity_type] ?? ""];
  return name ?? (own ? String(own) : null);
}

/** Such as `item_id`, `from_bin_id`, `parent_so_id`: a reference to an item, a bin or an order. */
const REFERENCE = /^(?!preferred_bin_id$)(?:.*_)?(bin|item|so|po)_id$/;
const kindOf = (key: string) => REFERENCE.exec(key)?.[1]?.toUpperCase();
const isObject = (value: unknown): value is Details =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function referencesOf({ entity_type, entity_id, details }: AuditRow): Reference[] {
  const inside = details ? [...referencesIn(details)] : [];
  return [{ kind: entity_type, id: entity_id }, ...inside];
}

/** References in details, at the top or inside the changes of an edit: `{ changed: { bin_id: { old, new } } }`. */
function* referencesIn(details: Details, of?: string): Generator<Reference> {
  for (const [key, value] of Object.entries(details)) {
    const kind = of ?? kindOf(key);
    if (kind && Number.isInteger(value)) yield { kind, id: value as number };
    else if (isObject(value)) yield* referencesIn(value, kind);
  }
}

/** Turns `{ bin_id: 7 }` into `{ bin: "A-01" }`; the id of a deleted record stays. */
function withCodes(details: Details, names: Names, of?: string): Details {
  const entries = Object.entries(details).map(([key, value]) => {
    const kind = of ?? kindOf(key);
    const name = kind && names.get(keyOf(kind, value as number));
    const known = name ?? (isObject(value) && withCodes(value, names, kind));
    return known ? [kind ? key.replace(/_id$/, "") : key, known] : [key, value];
  });
  return Object.fromEntries(entries);
}

/** The names or codes of these records, in one round trip. */
async function namesOf(references: Reference[]): Promise<Names> {
  const named = await db.rows(
    { ...Reference.shape, name: text },
    `with wanted as (select distinct kind, ref from unnest($1::text[], $2::bigint[]) as r(kind, ref))
     select kind, ref as id, sku as name from wanted join items on kind = 'ITEM' and item_id = ref
     union all select kind, ref, bin_code from wanted join bins on kind = 'BIN' and bin_id = ref
     union all select kind, ref, so_number from wanted join sales_orders on kind = 'SO' and so_id = ref
     union all select kind, ref, po_number from wanted join purchase_orders on kind = 'PO' and po_id = ref
     union all select kind, ref, to_number from wanted join transfer_orders on kind = 'TO' and to_id = ref
     union all select kind, ref, to_number from wanted join transfer_order_lines on kind = 'TO_LINE'
       and to_line_id = ref
       join transfer_orders using (to_id)
     union all select kind, ref, to_number from wanted join transfer_order_approvals on kind = 'TO_APPROVAL'
       and to_approval_id = ref join transfer_orders using (to_id)
     union all select kind, ref, warehouse_code from wanted join warehouses on kind = 'WAREHOUSE' and warehouse_id = ref
     union all select kind, ref, zone_code from wanted join zones on kind = 'ZONE' and zone_id = ref
     union all select w.kind, ref, batch_number from wanted w join pick_batches on w.kind = 'PICK_BATCH'
       and batch_id = ref
     union all select kind, ref, bin_code from wanted join cycle_counts on kind = 'CYCLE_COUNT' and count_id = ref
       join bins using (bin_id)
     union all select kind, ref, sku from wanted join inventory_adjustments on kind = 'INVENTORY_ADJUSTMENT'
       and adjustment_id = ref
       join items using (item_id)
     union all select kind, ref, username from wanted join users on kind = 'USER' and user_id = ref
     union all select kind, ref, key from wanted join app_settings on kind = 'SETTING' and id = ref
     union all select kind, ref, token_name from wanted join wms_tokens on kind = 'WMS_TOKEN' and token_id = ref`,
    [references.map((r) => r.kind), references.map((r) => r.id)],
  );
  return new Map(named.map(({ kind, id, name }) => [keyOf(kind, id), name]));
}
