import { randomUUID } from "node:crypto";
import { temporalClient } from "../../api/http/workflow-updates.js";
import type { SyncType } from "../../src/connectors/connector.js";
import { loadConnectors } from "../../src/connectors/registry.js";
import { syncWorkflowId } from "../../src/connectors/sync.js";
import { connectorWarehouse, openShop, type Reply, type Shop, type ShopRequest, storeConfig } from "./connectors.js";
import { db } from "./db.js";
import { openService, type TestService } from "./service.js";
import { until } from "./until.js";

/** A shop of the connector `list-shop` (test-connectors/), which answers pages, and a service that syncs it. */

export interface ListedItem {
  id: string;
  version: string;
  sku: string;
  name: string;
}

export interface ListedOrder {
  id: string;
  version: string;
  number: string;
  item: string;
  quantity: number;
}

export interface SyncState {
  sync_status: string;
  run_id: string | null;
  running_since: string | null;
  last_synced_at: string | null;
  last_success_at: string | null;
  last_error_at: string | null;
  last_error_message: string | null;
  consecutive_errors: number;
  watermark: string | null;
}

const PAGE = 3;

/** Opens the service, with waits between attempts that are next to nothing. */
export async function openSyncing(env: Record<string, string> = {}): Promise<TestService> {
  const service = await openService({
    worker: true,
    env: {
      SERVICE_ALLOW_INTERNAL_CONNECTORS: "true",
      CONNECTOR_BACKOFF_MS: "1",
      CONNECTOR_RETRY_DELAY_MS: "50",
      CONNECTOR_CIRCUIT_OPEN_MS: "100",
      ...env,
    },
  });
  await loadListShop();
  return service;
}

export const loadListShop = () => loadConnectors(new URL("./test-connectors/", import.meta.url));

export class ListShop {
  items: ListedItem[] = [];
  orders: ListedOrder[] = [];
  newest: string | null = "2026-05-06T12:00:00Z";

  private constructor(
    readonly server: Shop,
    readonly warehouse_id: number,
    private readonly service: TestService,
  ) {}

  /** A shop of a warehouse of its own, with so many items. */
  static async open(service: TestService, items = 7): Promise<ListShop> {
    const warehouse_id = await connectorWarehouse();
    const shop = new ListShop(await openShop(), warehouse_id, service);
    const { server } = shop;
    await storeConfig("list-shop", warehouse_id, { base_url: server.url, api_key: "key-of-the-shop" }, service.config);
    await db.run("insert into inbound_source_systems_allowlist (source_system, kind) values ($1, 'connector')", [
      `list-shop-${warehouse_id}`,
    ]);
    shop.items = Array.from({ length: items }, (_, i) => newItem(`${i}`));
    server.usual = (request) => shop.answer(request);
    return shop;
  }

  /** A page: three records from the cursor on. */
  answer({ path }: Pick<ShopRequest, "path">): Reply {
    const { pathname, searchParams } = new URL(path, this.server.url);
    const what = pathname === "/orders" ? "orders" : "items";
    const from = Number(searchParams.get("cursor") ?? 0);
    const next = from + PAGE < this[what].length ? `${from + PAGE}` : null;
    return { body: { [what]: this[what].slice(from, from + PAGE), next, newest: this.newest } };
  }

  /** Makes it wait with its answers until the answer of this is called. */
  hold(): () => void {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.server.usual = async (request) => {
      await held;
      return this.answer(request);
    };
    return release;
  }

  key = (sync_type: SyncType) => ({ connector: "list-shop", warehouse_id: this.warehouse_id, sync_type });

  handle = (sync_type: SyncType = "items") => temporalClient().workflow.getHandle(syncWorkflowId(this.key(sync_type)));

  /** Asks for a sync. */
  start = (type: SyncType = "items") =>
    this.service.admin.post(`/api/admin/connectors/list-shop/sync/${type}`, { warehouse_id: this.warehouse_id });

  /** Syncs to the end; gives how it ended. */
  async sync(type: SyncType = "items"): Promise<unknown> {
    const { status, body } = await this.start(type);
    if (status !== 202) throw new Error(`not started: ${JSON.stringify(body)}`);
    return this.handle(type).result();
  }

  async state(type: SyncType = "items"): Promise<SyncState> {
    const row = await db.row<SyncState>("select * from sync_state where warehouse_id = $1 and sync_type = $2", [
      this.warehouse_id,
      type,
    ]);
    if (!row) throw new Error("never synced");
    return row;
  }

  ended = (type: SyncType = "items") => until(async () => (await this.state(type)).sync_status !== "running");

  /** What the service has of the shop's items, by their id there. */
  stored = () =>
    db.rows<{ id: string; sku: string; name: string }>(
      `select source_id as id, sku, item_name as name from cross_system_mappings
       join items on external_id = canonical_id
       where source_system = $1 and source_type = 'item' order by length(source_id), source_id`,
      [`list-shop-${this.warehouse_id}`],
    );

  /** What it should have. */
  listed = () => this.items.map(({ id, sku, name }) => ({ id, sku, name }));

  close = () => this.server.close();
}

export const newItem = (id: string): ListedItem => ({ id, version: "1", sku: `S-${randomUUID()}`, name: `Item ${id}` });
