import type { z } from "zod";
import { type ConfigSchema, type ReceivedWebhook, type Source, SourceError } from "../connectors/connector.js";
import type { ContentKind } from "../shipping/customs/shapes.js";
import type { Tracked, TrackedParcel } from "./tracking.js";

/**
 * What a carrier service is (docs/carriers.md): one file in `built-in/` whose default export is made with
 * `defineCarrier`. It asks and translates; it writes nothing and has no state. Only `manual` has no operations.
 */

export const labelFormats = ["pdf", "zpl"] as const;
export type LabelFormat = (typeof labelFormats)[number];

/** An address, with the country as a code of two letters. */
export interface PostalAddress {
  name: string;
  line1: string;
  line2: string | null;
  city: string;
  state: string | null;
  postal_code: string | null;
  country: string;
  phone: string | null;
  email: string | null;
}

/** A parcel that is to be sent. */
export interface ParcelToSend {
  /** Ours, once for each purchase: the carrier's records are found by it. */
  key: string;
  /** What people call it: the number of the order and that of the parcel. */
  name: string;
  from: PostalAddress;
  to: PostalAddress;
  /** As text, in pounds and inches; no dimensions where nobody said them. */
  weight_lbs: string;
  dimensions: { length_in: string; width_in: string; height_in: string } | null;
  format: LabelFormat;
  /** What customs are told of it; null where it passes none. */
  customs: CustomsOfParcel | null;
}

/** What customs are told of units of one item. */
export interface CustomsItem {
  sku: string;
  description: string;
  quantity: number;
  hs_code: string;
  origin_country: string;
  /** Of one unit: exact text in pounds, and the smallest unit of the currency. */
  unit_weight_lbs: string;
  unit_value_minor: number;
}

export interface CustomsOfParcel {
  contents: ContentKind;
  invoice_number: string;
  /** Who says that it is true: the sender. */
  signer: string;
  currency: string;
  items: CustomsItem[];
}

/** What a service asks for a parcel. */
export interface Rate {
  /** The carrier service's id of it. */
  rate_id: string;
  carrier: string;
  service: string;
  cost_minor: number;
  currency: string;
  /** Days on the way; null where the carrier does not say. */
  days: number | null;
}

/** What a carrier service said to a parcel; nothing is bought by it. */
export interface Quote {
  /** The carrier service's id of the parcel, for which it sells one label; null where `register` gives it. */
  remote_id: string | null;
  rates: Rate[];
  /** Why other services have no rate, for people. */
  messages: string[];
}

/** A label to buy: of a quote, the rate that was chosen. */
export interface Chosen extends Pick<Rate, "rate_id" | "carrier" | "service"> {
  remote_id: string;
}

/** A bought label. */
export interface Bought {
  tracking_number: string;
  carrier: string;
  service: string;
  cost_minor: number;
  currency: string;
  /** Where the carrier service keeps the label: what `label` is called with. */
  label_ref: string | null;
}

/** What a carrier knows a bought label by. */
export type BoughtLabel = Pick<Chosen, "remote_id"> & Pick<Bought, "tracking_number">;

/** What a carrier is to put on one manifest: bought labels of one of its carriers, on no manifest yet. */
export interface ManifestToMake {
  /** Ours, once for each manifest. */
  key: string;
  carrier: string;
  from: PostalAddress;
  labels: BoughtLabel[];
}

/** How far a refund is: it may take weeks, and be rejected in the end. */
export const refunds = ["submitted", "refunded", "rejected"] as const;
export type Refund = (typeof refunds)[number];
/** What a carrier says to a label that is taken back. */
export type Voided = Exclude<Refund, "rejected">;

/** What is wrong with an address. */
export interface AddressCheck {
  ok: boolean;
  faults: FieldFault[];
}

export interface FieldFault {
  field: string;
  message: string;
}

export interface Carrier<C extends ConfigSchema = ConfigSchema> {
  /** Lower-case letters. */
  name: string;
  /** What people call it. */
  title: string;
  /** As for connectors: all fields but addresses and those that are `plain` are secret. */
  config: C;
  formats: readonly LabelFormat[];
  /** Services that a form offers; others that its rates name can be asked for, too. */
  services: readonly Pick<Rate, "carrier" | "service">[];
  /** Resolves with a text for people when it answers and accepts the credentials; otherwise throws. */
  testConnection?(account: Source<z.output<C>>): Promise<string>;
  /** Asks what each service costs. */
  rates?(account: Source<z.output<C>>, parcel: ParcelToSend): Promise<Quote>;
  /** Registers the parcel, where asking for rates does not: under its key, and so at most once. Nothing is bought. */
  register?(account: Source<z.output<C>>, parcel: ParcelToSend): Promise<string>;
  /**
   * Buys the label of a quote. Whatever is asked twice, at most one label is bought for its `remote_id`; throws
   * `CarrierRefused` where it says that nothing was bought.
   */
  buy?(account: Source<z.output<C>>, chosen: Chosen): Promise<Bought>;
  /** The label that was bought for a quote; undefined where none was. */
  find?(account: Source<z.output<C>>, chosen: Chosen): Promise<Bought | undefined>;
  label?(account: Source<z.output<C>>, ref: string, format: LabelFormat): Promise<Buffer>;
  /** Takes a bought label back, unless that was done; throws `CarrierRefused` where it is too late. */
  void?(account: Source<z.output<C>>, remoteId: string): Promise<Voided>;
  /** Says where the parcel of a bought label is. */
  track?(account: Source<z.output<C>>, label: BoughtLabel): Promise<Tracked>;
  /**
   * Verifies a webhook, then reads what it says of parcels; throws `WebhookRefused` where it is not signed. Without the
   * field `webhook_secret`, where the configuration may have one, webhooks are refused.
   */
  receive?(config: z.output<C>, webhook: ReceivedWebhook): TrackedParcel[];
  /** How far the refund of a label is that was taken back; where it is not known at once. */
  refundOf?(account: Source<z.output<C>>, remoteId: string): Promise<Refund>;
  /** Makes a manifest, and gives its id there; throws `CarrierRefused` where it says that none was made. */
  manifest?(account: Source<z.output<C>>, wanted: ManifestToMake): Promise<string>;
  /** The most labels of a manifest; without it, or undefined, as many as there are. */
  manifestLimit?(config: z.output<C>): number | undefined;
  /** The id of the manifest that was made of these labels; undefined where none was. */
  findManifest?(account: Source<z.output<C>>, wanted: ManifestToMake): Promise<string | undefined>;
  /** A manifest as the carrier draws it, PDF; throws where it is not drawn yet, `ManifestNotMade` where it never is. */
  manifestFile?(account: Source<z.output<C>>, manifestId: string): Promise<Buffer>;
  /** Whether a carrier would find the address; without it, only what is missing is found. */
  verifyAddress?(account: Source<z.output<C>>, address: PostalAddress): Promise<AddressCheck>;
}

export const refusals = ["address_refused", "service_not_available", "not_paid", "not_refundable", "refused"] as const;
export type Refusal = (typeof refusals)[number];

/** The carrier service says no: asked again, it would say the same. Nothing was bought, or taken back. */
export class CarrierRefused extends SourceError {
  override name = "CarrierRefused";
  constructor(
    message: string,
    readonly refusal: Refusal = "refused",
    readonly faults: FieldFault[] = [],
  ) {
    super(message);
  }
}

/** There is no manifest, whatever was said before: it may be asked for anew. */
export class ManifestNotMade extends CarrierRefused {
  override name = "ManifestNotMade";
}

/** Makes a carrier; its operations get the types of its configuration. */
export const defineCarrier = <C extends ConfigSchema>(carrier: Carrier<C>): Carrier => carrier as unknown as Carrier;

/** The operations that a carrier may have. */
export const operations = [
  ...(["rates", "buy", "find", "label", "void", "manifest", "track", "receive"] as const),
  ...(["verifyAddress", "testConnection"] as const),
] as const;
export type Operation = (typeof operations)[number];
