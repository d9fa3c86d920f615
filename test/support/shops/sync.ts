import { connectorSender } from "../../../activities/connectors/records.js";
import { openSource } from "../../../activities/connectors/source.js";
import { writePage } from "../../../activities/connectors/write-page.js";
import type { Connector, Page, Source, SourceRecord, SourceStock } from "../../../src/connectors/connector.js";
import { connectorWarehouse, localOptions, storeConfig } from "../connectors.js";
import { db } from "../db.js";
import type { TestService } from "../service.js";

type Type = "items" | "orders" | "inventory";
type AnyPage = Page<SourceRecord | SourceStock>;

/** A warehouse with a configured connector, whose syncs a test runs by itself, without the workflow. */
export interface ConnectedWarehouse {
  id: number;
  source: Source<Record<string, unknown>>;
  /** All pages of a sync, as it reads them one after the other. */
  pages(type: Type, since?: string | null): Promise<AnyPage[]>;
  /** All records of a sync of items or orders. */
  records(type: "items" | "orders", since?: string | null): Promise<SourceRecord[]>;
  /** Reads and writes; gives how many records were `written`, `known` and `refused`, where there were any. */
  sync(type: Type, since?: string | null): Promise<Record<string, number>>;
  write(type: Type, records: (SourceRecord | SourceStock)[], again?: boolean): Promise<Record<string, number>>;
  /** Why records were refused, by the kind of the refusal. */
  refusals(): Promise<string[]>;
}

export async function connectedWarehouse(
  service: TestService,
  connector: Connector,
  config: Record<string, string>,
): Promise<ConnectedWarehouse> {
  const id = await connectorWarehouse();
  await storeConfig(connector.name, id, config, service.config);
  await db.run(
    `insert into inbound_source_systems_allowlist (source_system, kind) values ($1, 'connector')
     on conflict do nothing`,
    [connectorSender(connector, id).source_system],
  );
  const source = (await openSource(connector, id, localOptions(service.config))) as ConnectedWarehouse["source"];
  const read = { items: connector.syncItems, orders: connector.syncOrders, inventory: connector.syncInventory };

  const write: ConnectedWarehouse["write"] = async (sync_type, records, again) => {
    const key = { connector: connector.name, warehouse_id: id, sync_type };
    const counts = await writePage(connector, key, records, new AbortController().signal, () => {}, again);
    return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  };
  const pages: ConnectedWarehouse["pages"] = async (type, since = null) => {
    const all: AnyPage[] = [];
    let cursor: string | null = null;
    do {
      const page: AnyPage | undefined = await read[type]?.(source, { since, cursor });
      if (!page) throw new Error(`${connector.name} does not sync ${type}`);
      all.push(page);
      cursor = page.next;
    } while (cursor !== null);
    return all;
  };
  const all = async (type: Type, since?: string | null) => (await pages(type, since)).flatMap((page) => page.records);
  return {
    ...{ id, source, pages, write },
    records: async (type, since) => (await all(type, since)) as SourceRecord[],
    sync: async (type, since) => write(type, await all(type, since)),
    refusals: async () => {
      const rows = await db.rows<{ error_kind: string }>(
        "select error_kind from connector_refusals where warehouse_id = $1 order by external_id",
        [id],
      );
      return rows.map((row) => row.error_kind);
    },
  };
}
