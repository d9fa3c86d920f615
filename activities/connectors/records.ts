import { randomUUID } from "node:crypto";
import { type Connector, type SourceRecord, sourceSystemOf } from "../../src/connectors/connector.js";
import type { SyncKey } from "../../src/connectors/sync.js";
import type { Mapped } from "../../src/inbound/apply.js";
import { canonicalTypes } from "../../src/inbound/columns.js";
import type { Actor } from "../../src/platform/actor.js";
import { db } from "../../src/platform/db/db.js";
import { DomainError } from "../../src/platform/problem.js";
import { systemActor } from "../../src/platform/system-actor.js";
import type { Tx } from "../command.js";
import type { RecordSender } from "../inbound/incoming.js";
import { refusalOf } from "../inbound/refusals.js";
import { type Sent, writeRecord, writeRecords } from "../inbound/write-record.js";
import { noteRefusal } from "./refused-records.js";

/** A connector as the sender of records: for one warehouse, without overrides. */
export const connectorSender = ({ name }: Connector, warehouseId: number): RecordSender => ({
  token_id: null,
  source_system: sourceSystemOf(name, warehouseId),
  warehouse_ids: [warehouseId],
  mapping_override: false,
  mapping_overrides: {},
});

/** A connector as the actor of a command: it may touch its own warehouse alone. */
export const connectorActor = ({ name }: Connector, warehouseId: number, commandId: string): Actor => ({
  ...systemActor(commandId),
  ...{ username: `system:connector:${name}`, role: "USER", warehouseIds: [warehouseId] },
});

/** What became of a record; `known`: this version was stored before, or it does not concern this service. */
export type Done = "written" | "known";

export interface WrittenRecord {
  done: Done;
  /** The question that a person has to decide; until then the record is among the refused ones. */
  question?: DomainError | undefined;
  /** The item lost its link and was not written: another record of the same page may show which item it is. */
  undecided?: boolean;
  /** It was never written here, and is ended in the shop. */
  passedOver?: boolean;
}

/**
 * Writes a record of a connector as if it had been pushed: the same version again changes nothing, an older one is
 * refused. An item with the same SKU becomes the source's item, unless the source links it to another id.
 * @param again The item lost its link just now: it is linked to the item of its SKU if that is free, else to none.
 */
export async function writeSourceRecord(
  connector: Connector,
  warehouseId: number,
  record: SourceRecord,
  again = false,
): Promise<WrittenRecord> {
  const sender = connectorSender(connector, warehouseId);
  if (record.onlyIfKnown && !(await isKnown(sender, record))) return { done: "known", passedOver: true };
  const { repeated, question, undecided } = await writeRecord(
    { ...sentOf(connector, sender, record), mayOwn: !again },
    connectorActor(connector, warehouseId, randomUUID()),
  );
  return { done: doneOf(repeated), question, ...(undecided && { undecided }) };
}

/**
 * Writes items of different ids in one transaction. Returns undefined, and writes none, when one of them is refused,
 * leaves a question, or cannot be written because of a fault of this service.
 */
export async function writeSourceItems(
  connector: Connector,
  warehouseId: number,
  items: SourceRecord[],
): Promise<Done[] | undefined> {
  const sender = connectorSender(connector, warehouseId);
  try {
    const repeats = await writeRecords(
      items.map((item) => sentOf(connector, sender, item)),
      connectorActor(connector, warehouseId, randomUUID()),
    );
    return repeats.map(doneOf);
  } catch (error) {
    if (refusalOf(error) instanceof DomainError || error instanceof TypeError || error instanceof RangeError)
      return undefined;
    throw error;
  }
}

const doneOf = (repeated: boolean): Done => (repeated ? "known" : "written");

function sentOf({ name, versions }: Connector, sender: RecordSender, record: SourceRecord): Sent {
  const { resource, external_id, external_version, payload } = record;
  const push = { external_id, external_version, source_payload: payload };
  const mapped = () => mappedOf(record, sender);
  const own = record.own_sku ?? `${name.toUpperCase()}-${external_id}`;
  const adoption = resource === "items" ? { by: "sku", own } : undefined;
  const { fulfilled, held, nothingLeft, assigned } = record;
  const [warehouse_id] = sender.warehouse_ids as [number];
  const key: SyncKey = { connector: name, warehouse_id, sync_type: "orders" };
  const differs = (tx: Tx, why: DomainError) => noteRefusal(tx, key, record, why);
  return {
    resource,
    push,
    sender,
    versions,
    mapped,
    adoption,
    shop: { fulfilled, held, nothingLeft, assigned, differs },
  };
}

/** Whether a record was synced before. */
async function isKnown({ source_system }: RecordSender, { resource, external_id }: SourceRecord): Promise<boolean> {
  const known = await db.row(
    {},
    "select from cross_system_mappings where source_system = $1 and source_type = $2 and source_id = $3",
    [source_system, canonicalTypes[resource], external_id],
  );
  return known !== undefined;
}

/** The record in the form that a mapping document would have given it. */
function mappedOf({ values, lines }: SourceRecord, { source_system }: RecordSender): Mapped {
  const header = { values: { ...values }, lookups: [] };
  if (!lines) return header;
  return {
    ...header,
    lines: lines.map(({ item, sku = null, sku_alone, values }) => ({
      values: { ...values, item_id: null },
      lookups: [
        { column: "item_id", source_system, source_type: "item", source_id: item, required: true, sku, sku_alone },
      ],
    })),
  };
}
