import assert from "node:assert/strict";
import { writeSourceRecord } from "../../activities/connectors/records.js";
import { type OpenSource, openSource } from "../../activities/connectors/source.js";
import {
  type Connector,
  type Page,
  type SourceRecord,
  type SyncFrom,
  sourceSystemOf,
} from "../../src/connectors/connector.js";
import { connectorOf } from "../../src/connectors/registry.js";
import { DomainError } from "../../src/platform/problem.js";
import { connectorWarehouse, localOptions, storeConfig } from "./connectors.js";
import { db } from "./db.js";
import type { TestService } from "./service.js";
import { ShopifyShop } from "./shops/shopify.js";

/** An order of a warehouse, as tests look at it. */
export interface OrderHere {
  so_id: number;
  so_number: string;
  status: string;
  customer_name: string;
  lines: { sku: string; quantity: number; line_number: number }[];
}

/** What a shop has to know of its service. */
type At = Pick<TestService, "config" | "url">;

let shops = 0;

/** A shop and the warehouse that ships for it. */
export class ShopifyPair {
  private constructor(
    readonly shop: ShopifyShop,
    readonly warehouse_id: number,
    readonly connector: Connector,
    private readonly service: At,
  ) {}

  static async open(service: At, config: Record<string, string> = {}): Promise<ShopifyPair> {
    const shop = await ShopifyShop.open();
    shops++;
    shop.nextNumber = shops * 1_000 + 1;
    const warehouse_id = await connectorWarehouse();
    const connector = connectorOf("shopify") ?? assert.fail("no connector");
    await storeConfig("shopify", warehouse_id, { ...shop.config, ...config }, service.config);
    await db.run("insert into inbound_source_systems_allowlist (source_system, kind) values ($1, 'connector')", [
      sourceSystemOf("shopify", warehouse_id),
    ]);
    return new ShopifyPair(shop, warehouse_id, connector, service);
  }

  source(): Promise<OpenSource> {
    return openSource(this.connector, this.warehouse_id, localOptions(this.service.config));
  }

  /** Where the shop sends its webhooks to. */
  get address(): string {
    return `${this.service.url}/api/v1/connectors/shopify/${this.warehouse_id}/webhooks`;
  }

  /** All pages, one after the other, with what they have. */
  async pages(type: "items" | "orders", since: string | null = null) {
    const source = (await this.source()) as never;
    const pages: Page<SourceRecord>[] = [];
    let cursor: string | null = null;
    do {
      const from: SyncFrom = { since, cursor };
      const page: Page<SourceRecord> | undefined = await (type === "items"
        ? this.connector.syncItems?.(source, from)
        : this.connector.syncOrders?.(source, from));
      if (!page) assert.fail("no page");
      pages.push(page);
      cursor = page.next;
    } while (cursor !== null);
    return pages;
  }

  /** Reads everything and writes it; gives what became of each record: `written`, `known`, or the kind of a refusal. */
  async sync(type: "items" | "orders", since: string | null = null): Promise<string[]> {
    const done: string[] = [];
    for (const page of await this.pages(type, since))
      for (const record of page.records) done.push(await this.write(record));
    return done;
  }

  async write(record: SourceRecord): Promise<string> {
    try {
      return (await writeSourceRecord(this.connector, this.warehouse_id, record)).done;
    } catch (error) {
      if (error instanceof DomainError) return error.kind;
      throw error;
    }
  }

  /** The record that a webhook would give. */
  translated(topic: string, document: unknown): SourceRecord {
    const { headers, body } = this.shop.webhook(topic, document);
    const records = this.connector.receive?.(this.shop.config as never, { headers, body: Buffer.from(body) });
    return records?.[0] ?? assert.fail("no record");
  }

  /** The order of the shop here; undefined where it did not come. */
  order(id: unknown): Promise<OrderHere | undefined> {
    return db.row<OrderHere>(
      `select so_id, so_number, so.status, customer_name,
              (select coalesce(json_agg(json_build_object('sku', sku, 'quantity', quantity_ordered,
                                                          'line_number', line_number) order by line_number), '[]')
               from sales_order_lines join items using (item_id) where so_id = so.so_id) as lines
       from sales_orders so join cross_system_mappings m on m.canonical_id = so.external_id
       where m.source_system = $1 and m.source_type = 'sales_order' and m.source_id = $2`,
      [sourceSystemOf("shopify", this.warehouse_id), String(id)],
    );
  }

  /** What was refused and is tried again. */
  refusals(): Promise<{ external_id: string; error_kind: string; attempts: number }[]> {
    return db.rows(
      `select external_id, error_kind, attempts from connector_refusals where warehouse_id = $1 order by external_id`,
      [this.warehouse_id],
    );
  }

  close(): Promise<void> {
    return this.shop.close();
  }
}

/** The id of a document of the shop, and those of its variants. */
export const idOf = (document: Record<string, unknown>): number => document.id as number;
export const variantsOf = (product: Record<string, unknown>): { id: number; sku: string | null }[] =>
  product.variants as { id: number; sku: string | null }[];
