import type { z } from "zod";
import type { VersionCompare } from "../inbound/versions.js";

/**
 * What a connector is (docs/interface.md, Connectors): one file in `built-in/` whose default export is made with
 * `defineConnector`. docs/connectors.md shows how one is written. A connector reads and translates; it writes nothing
 * and keeps nothing.
 */

export const syncTypes = ["orders", "items", "inventory", "fulfillment"] as const;
export type SyncType = (typeof syncTypes)[number];

export const capabilities = ["sync_orders", "sync_items", "sync_inventory", "push_fulfillment"] as const;
export type Capability = (typeof capabilities)[number];

/** The fields of a connector's configuration. All are text, and all are stored encrypted. */
export type ConfigSchema = z.ZodObject<Record<string, z.ZodType<unknown, string | undefined>>>;

/** Whether a field of a configuration leads to the source. */
export const isUrlField = (name: string): boolean => name.toLowerCase().endsWith("url");

/** Whether a field of a configuration is secret: all are but addresses and those that are declared as `plain`. */
export const isSecretField = ({ config }: Connector, name: string): boolean =>
  !isUrlField(name) && config.shape[name]?.meta()?.plain !== true;

/** The field whose address names the shop that ids are of; none where several lead to the source. */
export function shopFieldOf({ config }: Connector): string | undefined {
  const [field, another] = Object.keys(config.shape).filter(isUrlField);
  return another === undefined ? field : undefined;
}

export interface Connector<C extends ConfigSchema = ConfigSchema> {
  /** Lower-case letters, digits and dashes, at most 48: its source systems are called `<name>-<warehouse id>`. */
  name: string;
  /**
   * What has to be known to reach the source. Each field has `.meta({ label, description?, plain? })`. A field whose
   * name ends in `url` may only lead to the public internet, and holds no user name or password. All others are secret,
   * and are not sent to an address that was stored without them, unless they are `plain`. Where one field alone is such
   * an address, its host and path name the shop, which ids are of.
   */
  config: C;
  /** Optional fields that a sync of a type needs all the same; a test of the connection needs those of one type. */
  needs?: Partial<Record<SyncType, string[]>>;
  /** It asks nobody: whatever is stored of its configuration, it works. */
  asksNobody?: true;
  /** The hosts of its sources all end so, such as `.myshopify.com`; requests to others are not made. */
  hosts?: string;
  /** How the versions of its records are compared. */
  versions: VersionCompare;
  syncOrders?(source: Source<z.output<C>>, from: SyncFrom): Promise<Page<SourceRecord>>;
  syncItems?(source: Source<z.output<C>>, from: SyncFrom): Promise<Page<SourceRecord>>;
  /**
   * Reads one document again that could not be read before; without records when the source has it no more. Without
   * this operation it stays refused until it comes by itself.
   */
  readAgain?(source: Source<z.output<C>>, resource: SourceRecord["resource"], id: string): Promise<SourceRecord[]>;
  syncInventory?(source: Source<z.output<C>>, from: SyncFrom): Promise<Page<SourceStock>>;
  /**
   * Tells the source of a shipment. It is called again where nobody knows whether the source took it, as after a kill:
   * it looks whether the source has the fulfilment already.
   */
  pushFulfillment?(source: Source<z.output<C>>, shipment: Shipment): Promise<Pushed>;
  /** Takes a pushed fulfilment back, unless it was; without it, a void here is not told to the source. */
  voidFulfillment?(source: Source<z.output<C>>, shipment: Shipment & { external_id: string | null }): Promise<void>;
  /** Resolves with a text for people when the source answers and accepts the credentials; otherwise throws. */
  testConnection(source: Source<z.output<C>>): Promise<string>;
  /**
   * Verifies and translates a webhook of the source. Throws `WebhookRefused` for a wrong signature. An empty list for
   * whatever does not concern us, such as a ping.
   */
  receive?(config: z.output<C>, webhook: ReceivedWebhook): SourceRecord[];
  /**
   * Whether a form is what the source sends, unsigned, when a webhook is made. It is answered alike everywhere, so that
   * nobody learns which warehouses have a connector.
   */
  isPing?(webhook: ReceivedWebhook): boolean;
  /** Asks the source for what the document of a webhook does not tell of an `incomplete` record. */
  complete?(source: Source<z.output<C>>, record: SourceRecord): Promise<SourceRecord>;
}

/** The source of one warehouse, as the operations of a connector see it. */
export interface Source<Config> {
  config: Config;
  /**
   * Sends a request and gives its answer when that has a status of 2xx; otherwise throws `SourceError`. Only the public
   * internet is reached; redirects are not followed. 429 and 503 are tried three times in all, with `Retry-After`.
   */
  request(request: SourceRequest): Promise<SourceAnswer>;
  /** Waits, unless the reading is ended meanwhile: for what the source says in its answers of how much it allows. */
  pause(ms: number): Promise<void>;
}

export interface SourceRequest {
  url: string;
  /** By default GET, or POST with a body. */
  method?: "GET" | "POST" | "PUT" | "DELETE";
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
}

export interface SourceAnswer {
  status: number;
  /** With names in lower case. */
  headers: Record<string, string>;
  text: string;
  /** What came, for what is not one text, such as a part of a file. */
  bytes: Buffer;
  /** The parsed body; throws `SourceError` when it is not JSON. */
  json(): unknown;
}

/** A source does not do what it was asked for. The message is shown to people: it never has a secret in it. */
export class SourceError extends Error {
  override name = "SourceError";
  constructor(
    message: string,
    /** Of the answer, where there was one. */
    readonly status: number | null = null,
  ) {
    super(message);
  }
}

/** A source cannot be asked now: it does not answer, fails, or asks to be left alone. Later it may do it. */
export class SourceAway extends SourceError {
  override name = "SourceAway";
  constructor(
    message: string,
    status: number | null = null,
    /** After which it may be asked again, in ms: where it said so, or is left alone; null where nobody knows. */
    readonly wait_ms: number | null = null,
  ) {
    super(message, status);
  }
}

/** The stored configuration is at fault, or the source does not accept it: asked again, it would say the same. */
export class SourceMisconfigured extends SourceError {
  override name = "SourceMisconfigured";
}

/** A webhook whose signature is wrong or missing. */
export class WebhookRefused extends Error {
  override name = "WebhookRefused";
}

/** Where a page begins. */
export interface SyncFrom {
  /** What changed at this time or later, by the source's clock, as RFC 3339; null for everything. */
  since: string | null;
  /** `next` of the page before; null for the first one. */
  cursor: string | null;
}

export interface Page<Record> {
  records: Record[];
  /** Where the next page begins; null on the last one. */
  next: string | null;
  /** The newest time of a change that this page has, by the source's clock; the next sync begins there. */
  newest?: string | null;
}

/**
 * A record of the source, translated to the canonical model (docs/interface.md, Answers and errors; docs/mappings.md
 * lists the columns).
 */
export interface SourceRecord {
  resource: "items" | "sales_orders";
  external_id: string;
  /** Rises with each change, as `versions` of the connector compares it. */
  external_version: string;
  /** By canonical column (src/inbound/columns.ts). A column that is left out stays as it is. */
  values: Record<string, unknown>;
  lines?: SourceLine[];
  /** What the source sent, kept for people who ask where a value comes from. */
  payload: Record<string, unknown>;
  /** Why it cannot be read, for people: it is kept as a refused record, and read again later. */
  unreadable?: string;
  /** Passed over unless the record was synced before: a cancelled order that never came needs no cancellation. */
  onlyIfKnown?: boolean;
  /**
   * Of an item whose SKU another item of the source has, too: the SKU that it gets here. By default the connector's
   * name with the id.
   */
  own_sku?: string;
  /**
   * The source has no versions, and `external_version` is a `contentVersion`: passed over while the newest version here
   * has the same content.
   */
  byContent?: boolean;
  /**
   * Of an order: the fulfilments that stand in the source, whoever made them; its lines are then what is open beside
   * these. Without it the lines are all that was ordered.
   */
  fulfilled?: SourceFulfilment[];
  /** Of an order: whether the source does not want it shipped for now. Left out where the source does not say. */
  held?: boolean;
  /** Of an order: the source says that nothing is left to ship, whatever its lines are. */
  nothingLeft?: boolean;
  /** Of an order: only its part that the source assigned to this warehouse; other warehouses may have others. */
  assigned?: boolean;
  /** Of a webhook: the source has to be asked for the rest of it (`complete`). */
  incomplete?: boolean;
}

/** Units of an order that were shipped, as the source has it. */
export interface SourceFulfilment {
  id: string;
  tracking_numbers: string[];
  lines: (Pick<SourceLine, "item" | "sku" | "sku_alone"> & { quantity: number })[];
}

export interface SourceLine {
  /** The source's id of the item. */
  item: string;
  /** Finds the item when it was not synced yet. */
  sku?: string | null | undefined;
  /** The source no longer knows the item: its SKU alone finds it, also where that is the item of another id. */
  sku_alone?: boolean;
  /** By canonical column of lines: `quantity_ordered`, `line_number`, `properties`. */
  values: Record<string, unknown>;
}

/** How many units of an item a bin holds, by the source. */
export interface SourceStock {
  /** The source's id of the item. */
  item: string;
  /** Finds the item when it was not synced. */
  sku?: string;
  bin_code: string;
  quantity: number;
  /** The source has no versions: passed over while it says what it said when it was read last. */
  byContent?: boolean;
}

/** A shipment of an order that came from the source: of the order itself, or of a backorder that was split off it. */
export interface Shipment {
  /** The source's id of the order, also where its backorder was shipped. */
  order_id: string;
  /** Of the order or of the backorder, whichever was shipped. */
  so_number: string;
  /** The payload of the order's newest version, as the source sent it. */
  order: Record<string, unknown> | null;
  tracking_numbers: string[];
  carrier: string;
  service_level: string | null;
  shipped_at: string;
  /** What was shipped, each item once. */
  lines: ShippedLine[];
  /** What of the order is still to come, each item once; of a void there is nothing. */
  to_come: ShippedLine[];
  /** Whether it is less than the order was for: the order was split, or a line of it was picked short. */
  part: boolean;
  /**
   * Whether nothing more of the order is to come: the order and its live backorders are shipped, in full. Asked
   * when the source is told, so more than one shipment may be the last one; of a void it is false.
   */
  complete: boolean;
  /**
   * What the order's other shipments that stand were told as, by the source's ids: none of these is this shipment, even
   * where it looks the same, as without a tracking number.
   */
  others: string[];
}

export interface ShippedLine {
  /** The source's id of the item; null where the item was never synced. */
  item: string | null;
  sku: string;
  quantity: number;
}

export interface Pushed {
  /** The source's id of the fulfilment. */
  external_id?: string | null;
}

export interface ReceivedWebhook {
  /** With names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
}

/** Makes a connector; its operations get the types of its configuration. */
export const defineConnector = <C extends ConfigSchema>(connector: Connector<C>): Connector =>
  connector as unknown as Connector;

/** The capabilities of a connector: what it has operations for. */
export const capabilitiesOf = (connector: Connector): Capability[] => {
  const has: Record<Capability, unknown> = {
    sync_orders: connector.syncOrders,
    sync_items: connector.syncItems,
    sync_inventory: connector.syncInventory,
    push_fulfillment: connector.pushFulfillment,
  };
  return capabilities.filter((capability) => has[capability]);
};

/** The source system that the records of a connector belong to, for one warehouse. */
export const sourceSystemOf = (name: string, warehouseId: number): string => `${name}-${warehouseId}`;
