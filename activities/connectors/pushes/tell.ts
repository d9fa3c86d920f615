import {
  type Connector,
  type Shipment,
  SourceAway,
  SourceError,
  SourceMisconfigured,
} from "../../../src/connectors/connector.js";
import type { Push } from "../../../src/connectors/pushes/shapes.js";
import { connectorOf } from "../../../src/connectors/registry.js";
import { databaseBusy, databaseUnavailable } from "../../../src/platform/db/db.js";
import { type OpenSource, openSource, type SourceOptions } from "../source.js";

/** What the source said: the id of the fulfilment, or why it was not told. */
export type Told = { external_id: string | null } | NotTold;

interface NotTold {
  why: string;
  /** Of a source that cannot be asked now: after how long it may be, in ms; null where nobody knows. */
  away?: { wait_ms: number | null };
  /** The configuration is at fault: told again, it would say the same. */
  misconfigured?: boolean;
}

const LONGEST_ID = 255;
const LONGEST_REASON = 500;

/**
 * Tells the source of a shipment or of its void. A failure is a text for people; thrown is only what says nothing of
 * the source: this process stops, or the database is away.
 */
export async function tellSource(push: Push, options: SourceOptions, signal: AbortSignal): Promise<Told> {
  let cleaned = (text: string) => text;
  try {
    const connector = connectorOf(push.connector_name);
    if (!connector?.pushFulfillment)
      throw new SourceError(`This worker has no connector ${push.connector_name} that can be told of shipments`);
    const source = await openSource(connector, push.warehouse_id, options, signal);
    cleaned = source.cleaned;
    return { external_id: await tell(connector, source, push) };
  } catch (error) {
    if (signal.aborted || databaseUnavailable(error) || databaseBusy(error)) throw error;
    const said = error instanceof Error ? error.message : String(error);
    const why = error instanceof SourceError ? said : `The connector ${push.connector_name} failed: ${said}`;
    const away = error instanceof SourceAway && { away: { wait_ms: error.wait_ms } };
    const misconfigured = error instanceof SourceMisconfigured;
    return { why: cleaned(why).slice(0, LONGEST_REASON), ...away, misconfigured };
  }
}

async function tell(connector: Connector, source: OpenSource, push: Push): Promise<string | null> {
  const shipment = shipmentOf(push);
  if (push.kind === "void") {
    const { pushed_as } = push;
    await connector.voidFulfillment?.(source, { ...shipment, external_id: pushed_as });
    return pushed_as;
  }
  const pushed = await connector.pushFulfillment?.(source, shipment);
  return pushed?.external_id?.slice(0, LONGEST_ID) ?? null;
}

const shipmentOf = (push: Push): Shipment => ({
  order_id: push.source_order_id,
  so_number: push.so_number,
  order: push.source_payload,
  tracking_numbers: push.tracking_numbers,
  carrier: push.carrier,
  service_level: push.service_level,
  shipped_at: push.shipped_at,
  lines: push.lines,
  to_come: push.kind === "ship" ? push.to_come : [],
  part: push.part,
  complete: push.complete,
  others: push.others,
});
