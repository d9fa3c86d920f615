import type { z } from "zod";
import type { VersionCompare } from "../inbound/versions.js";

/**
 * What a connector is (docs/interface.md, Connectors): one file in `built-in/` whose default export is made with
 * `defineConnector`. docs/connectors.md shows how to write one. A connector reads and translates; it writes nothing and
 * has no state.
 */

export const syncTypes = ["orders", "items", "inventory", "fulfillment"] as const;
export type SyncType = (typeof syncTypes)[number];

export const capabilities = ["sync_orders", "sync_items", "sync_inventory", "push_fulfillment"] as const;
export type Capability = (typeof capabilities)[number];

/** The fields of a connector's configuration. All are text, and all are stored encrypted. */
export type ConfigSchema = z.ZodObject<Record<string, z.ZodType<unknown, string | undefined>>>;

/** Whether a field of a configuration is an address of the source. */
export const isUrlField = (name: string): boolean => name.toLowerCase().endsWith("url");

/** Whether a field of a configuration is secret: all are, except addresses and those that are declared `plain`. */
export const isSecretField = ({ config }: Pick<Connector, "config">, name: string): boolean =>
  !isUrlField(name) && config.shape[name]?.meta()?.plain !== true;

/** The field whose address identifies the shop that ids belong to; none where several fields are addresses. */
export function shopFieldOf({ config }: Connector): string | undefined {
  const [field, another] = Object.keys(config.shape).filter(isUrlField);
  return another === undefined ? field : undefined;
}

export interface Connector<C extends ConfigSchema = ConfigSchema> {
  /** Lower-case letters, digits and dashes, at most 48: its source systems are called `<name>-<warehouse id>`. */
  name: string;
  /**
   * The configuration that is needed to reach the source. Each field has `.meta({ label, description?, plain? })`. A
   * field whose name ends in `url` may only lead to the public internet, and has no user name or password in it. All
   * others are secret, and are not sent to an address that was stored without them, unless they are `plain`. Where
   * exactly one field is an address, its host and path identify the shop that ids belong to.
   */
  config: C;
  /** Optional fields that a sync of a type nevertheless needs; a test of the connection needs those of one type. */
  needs?: Partial<Record<SyncType, string[]>>;
  /** It sends no requests, so it works with any stored configuration. */
  asksNobody?: true;
  /** The ending of all hosts of its sources, such as `.myshopify.com`; requests to others are not made. */
  hosts?: string;
  /** How the versions of its records are compared. */
  versions: VersionCompare;
  syncOrders?(source: Source<z.output<C>>, from: SyncFrom): Promise<Page<SourceRecord>>;
  syncItems?(source: Source<z.output<C>>, from: SyncFrom): Promise<Page<SourceRecord>>;
  /**
   * Reads one document again that could not be read before; without records when the source does not have it any more.
   * Without this operation the record stays refused until the source sends it again.
   */
  readAgain?(source: Source<z.output<C>>, resource: SourceRecord["resource"], id: string): Promise<SourceRecord[]>;
  syncInventory?(source: Source<z.output<C>>, from: SyncFrom): Promise<Page<SourceStock>>;
  /**
   * Pushes a shipment to the source. It is called again where it is unknown whether the source got it, as after a kill:
   * so it looks whether the source has the fulfilment already.
   */
  pushFulfillment?(source: Source<z.output<C>>, shipment: Shipment): Promise<Pushed>;
  /**
   * Cancels a pushed fulfilment, unless that was done; without this operation, a void here is not pushed to the source.
   */
  voidFulfillment?(source: Source<z.output<C>>, shipment: Shipment & { external_id: string | null }): Promise<void>;
  /** Resolves with a text for people when the source answers and accepts the credentials; otherwise throws. */
  testConnection(source: Source<z.output<C>>): Promise<string>;
  /**
   * Verifies and translates a webhook of the source. Throws `WebhookRefused` for a wrong signature. Returns an empty
   * list for anything that does not concern this service, such as a ping.
   */
  receive?(config: z.output<C>, webhook: ReceivedWebhook): SourceRecord[];
  /**
   * Whether a form is what the source sends, unsigned, when a webhook is created. The answer is the same for every
   * address, so that it does not show which warehouses have a connector.
   */
  isPing?(webhook: ReceivedWebhook): boolean;
  /** The page at the source on which people see an order, by the source's id of it. */
  orderPage?(config: z.output<C>, id: string): string;
  /** Requests from the source what the webhook of an `incomplete` record does not contain. */
  complete?(source: Source<z.output<C>>, record: SourceRecord): Promise<SourceRecord>;
}

/** The source of one warehouse, as the operations of a connector see it. */
export interface Source<Config> {
  config: Config;
  /**
   * Sends a request and returns its answer when that has a status of 2xx; otherwise throws `SourceError`. Only the
   * public internet is reached; redirects are not followed. 429 and 503 are tried three times in total, with
   * `Retry-After`.
   */
  request(request: SourceRequest): Promise<SourceAnswer>;
  /** Waits, unless the reading is ended: for the limits that the source states in its answers. */
  pause(ms: number): Promise<void>;
}

export interface SourceRequest {
  url: string;
  /** By default GET, or POST with a body. */
  method?: "GET" | "POST" | "PUT" | "DELETE";
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Statuses besides 2xx whose answers are given instead of thrown, where they say what was wrong by fields. */
  answered?: number[];
}

export interface SourceAnswer {
  status: number;
  /** With names in lower case. */
  headers: Record<string, string>;
  text: string;
  /** The bytes, for answers that are not one text, such as a part of a file. */
  bytes: Buffer;
  /** The parsed body; throws `SourceError` when it is not JSON. */
  json(): unknown;
}

/** A source does not do what it was asked for. The message is shown to people, so it never contains a secret. */
export class SourceError extends Error {
  override name = "SourceError";
  constructor(
    message: string,
    /** The status of the answer, where there was one. */
    readonly status: number | null = null,
  ) {
    super(message);
  }
}

/** A source cannot be asked now: it does not answer, fails, or asks to wait. It may work later. */
export class SourceAway extends SourceError {
  override name = "SourceAway";
  constructor(
    message: string,
    status: number | null = null,
    /**
     * After which time it may be asked again, in ms: where the source said so, or the circuit is open; null where that
     * is unknown.
     */
    readonly wait_ms: number | null = null,
  ) {
    super(message, status);
  }
}

/** The source was not asked at all: it is left alone for now, or it allows no more requests. */
export class NotAsked extends SourceAway {
  override name = "NotAsked";
}

/** The stored configuration is at fault, or the source does not accept it: asking again would give the same error. */
export class SourceMisconfigured extends SourceError {
  override name = "SourceMisconfigured";
}

/** A webhook whose signature is wrong or missing. */
export class WebhookRefused extends Error {
  override name = "WebhookRefused";
}

/** The beginning of a page. */
export interface SyncFrom {
  /** What changed at this time or later, by the source's clock, as RFC 3339; null for everything. */
  since: string | null;
  /** `next` of the page before; null for the first one. */
  cursor: string | null;
}

export interface Page<Record> {
  records: Record[];
  /** The beginning of the next page; null on the last one. */
  next: string | null;
  /** The newest time of a change on this page, by the source's clock; the next sync begins there. */
  newest?: string | null;
}

/**
 * A record of the source, translated to the canonical model (docs/interface.md, Answers and errors; docs/mappings.md
 * lists the columns).
 */
export interface SourceRecord {
  resource: "items" | "sales_orders";
  external_id: string;
  /** Increases with each change, as compared by the connector's `versions`. */
  external_version: string;
  /** By column (src/inbound/columns.ts). A column that is left out stays as it is. */
  values: Record<string, unknown>;
  lines?: SourceLine[];
  /** The document of the source, stored so that people can see where a value comes from. */
  payload: Record<string, unknown>;
  /** The reason for which it cannot be read, for people: it is stored as a refused record, and read again later. */
  unreadable?: string;
  /** Skipped unless the record was synced before: a cancelled order that never came needs no cancellation. */
  onlyIfKnown?: boolean;
  /**
   * For an item whose SKU another item of the source has, too: the SKU that it gets here. By default the connector's
   * name with the id.
   */
  own_sku?: string;
  /**
   * The source has no versions, and `external_version` is a `contentVersion`: skipped while the newest version here has
   * the same content.
   */
  byContent?: boolean;
  /**
   * For an order: the fulfilments in the source, whoever made them; then the lines are what is open besides these.
   * Without this field the lines are everything that was ordered.
   */
  fulfilled?: SourceFulfilment[];
  /** For an order: whether the source has put it on hold. Left out where the source does not say. */
  held?: boolean;
  /** For an order: the source says that nothing is left to ship, whatever its lines are. */
  nothingLeft?: boolean;
  /** For an order: only the part that the source assigned to this warehouse; other warehouses may have others. */
  assigned?: boolean;
  /** For a webhook: the source has to be asked for the rest of the record (`complete`). */
  incomplete?: boolean;
}

/** Units of an order that were shipped, according to the source. */
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
  /**
   * The source does not know the item any more, so it is matched by its SKU alone, even if another id is linked to that
   * item.
   */
  sku_alone?: boolean;
  /** By column of lines: `quantity_ordered`, `line_number`, `properties`. */
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
  /** The source has no versions: skipped while it is equal to what was read last. */
  byContent?: boolean;
}

/** A shipment of an order that came from the source: of the order itself, or of a backorder that was split off it. */
export interface Shipment {
  /** The source's id of the order, also where its backorder was shipped. */
  order_id: string;
  /** The number of the order or of the backorder, whichever was shipped. */
  so_number: string;
  /** The payload of the order's newest version, as the source sent it. */
  order: Record<string, unknown> | null;
  tracking_numbers: string[];
  carrier: string;
  service_level: string | null;
  shipped_at: string;
  /** The shipped units, each item once. */
  lines: ShippedLine[];
  /** The units of the order that are still to come, each item once; none for a void. */
  to_come: ShippedLine[];
  /** Whether it is less than the whole order: the order was split, or a line was picked short. */
  part: boolean;
  /**
   * Whether nothing more of the order is to come: the order and its live backorders are shipped, in full. Evaluated
   * when the push is made, so more than one shipment may be the last one; false for a void.
   */
  complete: boolean;
  /**
   * The source's ids of the order's other shipments that are not voided: none of these is this shipment, even where it
   * looks the same, as without a tracking number.
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

/** The capabilities of a connector: the operations that it has. */
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
