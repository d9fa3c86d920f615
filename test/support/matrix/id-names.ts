import type { JsonSchema } from "../../../api/openapi/example.js";
import { json, type operations } from "../operations.js";

export type Entry = (typeof operations)[number];

/** What an id of the interface may name that lies in a warehouse. */
export const kinds = [
  "warehouse",
  "warehouseCode",
  "zone",
  "bin",
  "order",
  "orderExternalId",
  "orderLine",
  "orderNumber",
  "transfer",
  "transferLine",
  "approval",
  "purchaseOrder",
  "purchaseOrderLine",
  "receipt",
  "serial",
  "batch",
  "waveTemplate",
  "waitingWave",
  "replenishment",
  "pickTask",
  "count",
  "countLine",
  "countProgramme",
  "adjustment",
  "preferredBin",
  "token",
  "webhook",
  "notificationWebhook",
  "printer",
  "printJob",
  "parcel",
  "parcelLine",
  "carrierAccount",
  "label",
  "collection",
  "push",
  "channel",
  "delivery",
  "consumerGroup",
  "user",
  "inboundRow",
  "sourceLink",
  "code",
  "stockRow",
  "hold",
  "inspection",
  "agentApproval",
  "sandbox",
] as const;
export type Kind = (typeof kinds)[number];

/**
 * What each name of a path, a query or a body that looks like an id stands for. `shared` is of all warehouses, or a
 * word of the interface; `new` is what the caller makes up; `left out` names what is not to be touched. Where a name
 * means something else in a body, its place stands before it.
 */
const idNames: Record<string, Kind | "shared" | "new" | "left out"> = {
  ...{ warehouse_id: "warehouse", warehouse_ids: "warehouse" },
  ...{ from_warehouse_id: "warehouse", to_warehouse_id: "warehouse" },
  ...{ source_warehouse_id: "warehouse", source_warehouse_code: "warehouseCode" },
  ...{ destination_warehouse_id: "shared", destination_warehouse_code: "shared" },
  ...{ record_id: "order" },
  ...{ to_id: "transfer", to_line_id: "transferLine", to_line_ids: "transferLine", to_approval_id: "approval" },
  ...{ zone_id: "zone", zone_ids: "zone", bin_id: "bin", bin_ids: "bin" },
  ...{ from_bin_id: "bin", to_bin_id: "bin", near_bin_id: "bin", default_bin_id: "bin" },
  ...{ so_id: "order", so_ids: "order", so_line_id: "orderLine" },
  original_so_line_id: "orderLine",
  id: "orderExternalId",
  ...{ so_barcode: "orderNumber", so_identifiers: "orderNumber" },
  ...{ exclude_so_ids: "left out", client_id: "new" },
  ...{ po_id: "purchaseOrder", po_line_id: "purchaseOrderLine" },
  ...{ receipt_id: "receipt", receipt_ids: "receipt" },
  ...{ name: "shared", sync_type: "shared", webhook_key: "new" },
  waiting_id: "waitingWave",
  ...{ batch_id: "batch", lease_id: "new", pick_task_id: "pickTask", template_id: "waveTemplate" },
  replenishment_id: "replenishment",
  ...{ release_pick_task_ids: "pickTask" },
  ...{ count_id: "count", count_line_id: "countLine", programme_id: "countProgramme" },
  ...{ adjustment_id: "adjustment", preferred_bin_id: "preferredBin" },
  ...{ token_id: "token", subscription_id: "webhook", webhook_id: "notificationWebhook" },
  contact_webhook_id: "notificationWebhook",
  push_id: "push",
  ...{ parcel_id: "parcel", parcel_line_id: "parcelLine", box_id: "shared", box_code: "new", hs_code: "new" },
  ...{ printer_id: "printer", job_id: "printJob", record_ids: "bin" },
  ...{ account_id: "carrierAccount", purchase_id: "label", collection_id: "collection" },
  ...{ channel_id: "channel", "body channel_id": "new", skus: "shared" },
  ...{ delivery_id: "delivery", inbound_id: "inboundRow" },
  ...{ link_id: "sourceLink", source_id: "new" },
  ...{ "body canonical_id": "orderExternalId", "query canonical_id": "orderExternalId" },
  ...{ consumer_group_id: "consumerGroup", consumer_group: "consumerGroup" },
  ...{ user_id: "user", cursor: "shared" },
  "body consumer_group_id": "new",
  ...{ inventory_id: "stockRow", hold_id: "hold", inspection_id: "inspection" },
  approval_id: "agentApproval",
  sandbox_id: "sandbox",
  serial_id: "serial",
  ...{ barcode: "code", q: "code", serial: "code" },
  "path so_number": "orderNumber",
  ...{
    item_id: "shared",
    item_ids: "shared",
    lot_id: "shared",
    lot_ids: "shared",
    into_lot_id: "shared",
    recall_id: "shared",
    rule_id: "shared",
    view_id: "shared",
    key_id: "shared",
    passkey_id: "shared",
    partner_link_id: "shared",
    session_id: "shared",
    sku: "shared",
    upc: "shared",
  },
  ...{ scanned_barcode: "shared", connector_id: "shared" },
  ...{ canonical_id: "shared", source_system: "shared", key: "shared" },
  ...{ type: "shared", version: "shared", entity_type: "shared" },
  customer_id: "shared",
  ...{ resource: "shared", after: "shared", manifest_number: "shared" },
  ...{ so_number: "new", po_number: "new", po_barcode: "new" },
  ...{ bin_code: "new", bin_barcode: "new", zone_code: "new" },
  ...{ warehouse_code: "new", line_number: "new", lot_number: "new" },
  recovery_code: "new",
  ...{ serial_number: "new", tracking_number: "new", tax_id: "new" },
  ...{ external_id: "new", username: "new", idempotency_key: "new", operator_username: "shared" },
  ...{ cashier_id: "shared", terminal_id: "new", auth_code: "new", parent_so_number: "orderNumber" },
  // Takes numbers of tills alone: test/pos/refund.test.ts asks for a sale of another warehouse.
  original_so_id: "left out",
  // Rows of all kinds: test/reports/audit-log.test.ts asks for one of another warehouse.
  log_id: "left out",
  aggregate_external_id_allowlist: "new",
};

/** What a new route may call an id, whatever it is of; `item_name` and the like are no ids. */
const idLike =
  /(_ids?|_identifiers|barcode|_number|(?<!postal)_code|_group|_allowlist)$|^(sku|upc|username|cursor|after|q)$/;

/** A place of a request where something of a warehouse is named. */
export interface Slot {
  place: "path" | "query" | "body";
  name: string;
  /** Where in the body. */
  keys: (string | number)[];
  /** It takes several. */
  list: boolean;
  required: boolean;
}

interface Named extends Slot {
  meaning: (typeof idNames)[string] | undefined;
}

/** Every id-like name of an operation, at each place where it stands. */
function namesOf({ operation }: Entry): Named[] {
  const found: Named[] = [];
  const note = (slot: Slot, known: boolean) => {
    const { name } = slot;
    if (known || idLike.test(name) || name in idNames)
      found.push({ ...slot, meaning: idNames[`${slot.place} ${name}`] ?? idNames[name] });
  };
  for (const parameter of operation.parameters) {
    const { name, in: place, $ref, schema, required = false } = parameter;
    if (!$ref && (place === "path" || place === "query"))
      note({ place, name, keys: [name], list: isList(schema), required }, place === "path");
  }
  const walk = (schema: JsonSchema, keys: Slot["keys"]): void => {
    for (const choice of schema.anyOf ?? schema.oneOf ?? []) walk(choice, keys);
    if (schema.items) walk(schema.items, [...keys, 0]);
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const here = [...keys, name];
      const required = schema.required?.includes(name) ?? false;
      const list = isList(field);
      note({ place: "body", name, keys: here, list, required }, false);
      walk(field, here);
    }
  };
  walk(json(operation.requestBody)?.schema ?? {}, []);
  return found;
}

const isList = (schema: JsonSchema): boolean =>
  schema.type === "array" || (schema.anyOf ?? schema.oneOf ?? []).some((choice) => isList(choice));

/** The kind of record that a name stands for, or the word for all warehouses; undefined where it is no id. */
export function meaningOf(place: string, name: string): string | undefined {
  const meaning = idNames[`${place} ${name}`] ?? idNames[name];
  if (meaning === "left out") return "order";
  return meaning === "shared" ? name : isKind(meaning) ? meaning : undefined;
}

/** What the table above must be told: names of ids that it does not know. */
export const unknownNames = (entry: Entry): string[] =>
  namesOf(entry)
    .filter(({ meaning }) => meaning === undefined)
    .map(({ name }) => name);

/** A place where something that lies in a warehouse is named. */
export interface KindSlot extends Slot {
  kind: Kind;
}

/** Where the operation names what lies in a warehouse, and of which kind it is. */
export const slotsOf = (entry: Entry): KindSlot[] =>
  namesOf(entry).flatMap(({ meaning, ...slot }) => (isKind(meaning) ? [{ ...slot, kind: meaning }] : []));

/** Where the operation names what it is to leave alone. */
export const leftOut = (entry: Entry): Slot[] => namesOf(entry).filter(({ meaning }) => meaning === "left out");

const isKind = (meaning: Named["meaning"]): meaning is Kind =>
  (kinds as readonly (string | undefined)[]).includes(meaning);
