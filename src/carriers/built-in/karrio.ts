import { z } from "zod";
import { readerOf } from "../../connectors/alone.js";
import {
  type ReceivedWebhook,
  type Source,
  type SourceAnswer,
  SourceError,
  WebhookRefused,
} from "../../connectors/connector.js";
import { documentIn } from "../../connectors/signed.js";
import { isSame } from "../../platform/is-same.js";
import { amountOf } from "../../platform/minor-units.js";
import type { ContentKind } from "../../shipping/customs/shapes.js";
import type { TrackingStatus } from "../../shipping/parcels/tracking-statuses.js";
import { centimetres, kilograms, kilogramsInside, minorUnits } from "../amounts.js";
import {
  type Bought,
  CarrierRefused,
  type CustomsOfParcel,
  defineCarrier,
  type FieldFault,
  type PostalAddress,
} from "../carrier.js";
import { asOf, expectedDay, scanTime, type Tracked } from "../tracking.js";

/**
 * A karrio gateway of one's own, by its API (docs.karrio.io). A shipment is made as a draft with its rates, and
 * purchased once: a second purchase of it is refused (409). There is no key by which a repeated request is recognised,
 * so the shipment is read again before a purchase is repeated.
 */

const Config = z.strictObject({
  api_url: z.url().meta({
    label: "Address of the gateway",
    description: "Such as https://karrio.example.com: what stands before /v1.",
  }),
  api_token: z.string().trim().min(1).meta({ label: "API token", description: "Of a user of the gateway." }),
  webhook_secret: z.string().trim().min(1).optional().meta({
    label: "Secret of webhooks",
    description: "What the gateway shows where the webhook was made; it sends it with each.",
  }),
  manifest_limit: z
    .string()
    .trim()
    .regex(/^[1-9]\d{0,3}$/, "Expected a number from 1 to 9999")
    .optional()
    .meta({
      label: "Most parcels of a manifest",
      description: "Of the carrier behind the gateway; more go onto further manifests. Without it all go onto one.",
      plain: true,
    }),
});
type Config = z.output<typeof Config>;

const Rate = z.object({
  id: z.string(),
  carrier_name: z.string(),
  service: z.string(),
  /** A JSON number, whose digits are read as they are. */
  total_charge: z.number().nonnegative(),
  currency: z.string(),
  transit_days: z.int().nullish(),
});

const Shipment = z.object({
  id: z.string(),
  status: z.string(),
  rates: z.array(Rate).nullish(),
  messages: z.array(z.object({ carrier_name: z.string().nullish(), message: z.unknown().optional() })).nullish(),
  selected_rate: Rate.nullish(),
  tracking_number: z.string().nullish(),
  label_url: z.string().nullish(),
});
type Shipment = z.infer<typeof Shipment>;

const Tracker = z.object({
  tracking_number: z.string(),
  status: z.string().nullish(),
  estimated_delivery: z.string().nullish(),
  /** The newest first. */
  events: z
    .array(
      z.object({
        ...{ date: z.string().nullish(), time: z.string().nullish(), timestamp: z.string().nullish() },
        ...{ description: z.string().nullish(), location: z.string().nullish(), status: z.string().nullish() },
      }),
    )
    .nullish(),
});
const TrackerEvent = z.object({ data: Tracker });

/** "TrackerStatus"; `unknown` says nothing. */
const statuses: Record<string, TrackingStatus> = {
  ...{ pending: "pre_transit", picked_up: "in_transit", in_transit: "in_transit", delivery_delayed: "in_transit" },
  ...{ out_for_delivery: "out_for_delivery", ready_for_pickup: "available_for_pickup", delivered: "delivered" },
  ...{ delivery_failed: "exception", on_hold: "exception", incident: "exception", return_to_sender: "returned" },
};
const Manifest = z.object({ id: z.string(), reference: z.string().nullish() });
const Manifests = z.object({ results: z.array(Manifest) });
const Document = z.object({ base64: z.string() });

const Refused = z.object({
  errors: z
    .array(z.object({ code: z.string().nullish(), message: z.unknown().optional(), details: z.unknown().optional() }))
    .min(1),
});

const read = readerOf("karrio");

/** What the gateway refuses for good; 424 is what the carrier behind it refuses. */
const SAID_NO = [400, 402, 404, 409, 422, 424];

const headersOf = ({ api_token }: Config) => ({ authorization: `Token ${api_token}` });

async function ask(
  { config, request }: Source<Config>,
  path: string,
  more: { method?: "POST"; body?: unknown } = {},
): Promise<SourceAnswer> {
  const url = `${config.api_url.replace(/\/+$/, "")}/v1/${path}`;
  const answer = await request({ url, headers: headersOf(config), answered: SAID_NO, ...more });
  if (answer.status >= 300) throw refusalIn(answer);
  return answer;
}

const shipmentFrom = async (asked: Promise<SourceAnswer>): Promise<Shipment> =>
  read(Shipment, (await asked).json(), "a shipment");

const readShipment = (account: Source<Config>, id: string) =>
  shipmentFrom(ask(account, `shipments/${encodeURIComponent(id)}`));

const textOf = (said: unknown): string => (typeof said === "string" ? said : JSON.stringify(said));

const columns: Record<string, string> = {
  ...{ person_name: "name", address_line1: "line1", address_line2: "line2", city: "city", state_code: "state" },
  ...{ postal_code: "postal_code", country_code: "country", phone_number: "phone" },
};

/** Fields of `recipient` that the gateway finds fault with, by the columns of an order. */
function faultsIn(details: unknown): FieldFault[] {
  const recipient = z.object({ recipient: z.record(z.string(), z.unknown()) }).safeParse(details).data?.recipient ?? {};
  return Object.entries(recipient).map(([field, message]) => ({
    field: columns[field] ? `shipping_address_${columns[field]}` : field,
    message: textOf(Array.isArray(message) ? message[0] : message),
  }));
}

function refusalIn(answer: SourceAnswer): CarrierRefused {
  const parsed = Refused.safeParse(answer.json());
  if (!parsed.success) return new CarrierRefused(`karrio answered with HTTP status ${answer.status}`);
  const said = parsed.data.errors.map(({ message }) => textOf(message)).join("; ");
  const faults = parsed.data.errors.flatMap(({ details }) => faultsIn(details));
  return new CarrierRefused(`karrio: ${said}`, faults.length > 0 ? "address_refused" : "refused", faults);
}

const addressOf = ({ name, line1, line2, city, state, postal_code, country, phone, email }: PostalAddress) => ({
  ...{ person_name: name, address_line1: line1, address_line2: line2, city, state_code: state, postal_code },
  ...{ country_code: country, phone_number: phone, email },
});

const contentTypes: Record<ContentKind, string> = {
  ...{ sale_of_goods: "merchandise", gift: "gift", documents: "documents", commercial_sample: "sample" },
  ...{ returned_goods: "return_merchandise", other: "other" },
};

/** "Customs": of each commodity, what one unit weighs and is worth. The recipient pays what customs ask. */
const customsOf = ({ contents, invoice_number: invoice, signer, currency, items }: CustomsOfParcel) => ({
  ...{
    content_type: contentTypes[contents],
    incoterm: "DDU",
    invoice,
    commercial_invoice: true,
    certify: true,
    signer,
  },
  duty: { paid_by: "recipient", currency },
  commodities: items.map(({ sku, description, quantity, hs_code, origin_country, ...unit }) => ({
    ...{ sku, title: description, description, quantity, hs_code, origin_country },
    ...{ weight: Number(kilogramsInside(unit.unit_weight_lbs)), weight_unit: "KG" },
    ...{ value_amount: Number(amountOf(unit.unit_value_minor, currency)), value_currency: currency },
  })),
});

const costOf = ({ total_charge, currency }: z.infer<typeof Rate>) => minorUnits(`${total_charge}`, currency);

/** What was bought of a shipment; undefined while it is a draft. */
function boughtOf({ selected_rate: rate, tracking_number, label_url }: Shipment): Bought | undefined {
  if (!rate || !tracking_number) return undefined;
  return {
    ...{ tracking_number, carrier: rate.carrier_name, service: rate.service, currency: rate.currency },
    ...{ cost_minor: costOf(rate), label_ref: label_url ?? null },
  };
}

function trackedOf({ status, estimated_delivery, events }: z.infer<typeof Tracker>): Tracked {
  const scans = (events ?? []).flatMap((event, at) => {
    const time = scanTime(event.timestamp ?? `${event.date}T${event.time ?? "00:00"}`);
    // Carriers that have no status for each event have one for the newest, which is the tracker's.
    const said = event.status ?? (at === 0 ? status : null);
    const told = { message: event.description || null, place: event.location || null };
    return time ? { at: time, status: statuses[said ?? ""] ?? null, ...told } : [];
  });
  return { scans, expected_day: expectedDay(estimated_delivery), as_of: asOf(scans) };
}

/** The gateway signs nothing: it sends the secret itself, so its webhooks have to come by https. */
function receive({ webhook_secret = "" }: Config, { headers, body }: ReceivedWebhook) {
  if (!webhook_secret || !isSame(Buffer.from(headers["x-event-id"] ?? ""), Buffer.from(webhook_secret)))
    throw new WebhookRefused("The webhook has not the gateway's secret");
  const message = documentIn(body, "karrio sent a webhook that is no document");
  if (!/^tracker_/.test(`${message.event}`)) return [];
  const tracker = read(TrackerEvent, message, "a tracker").data;
  return [{ tracking_number: tracker.tracking_number, ...trackedOf(tracker) }];
}

export default defineCarrier({
  name: "karrio",
  title: "karrio",
  config: Config,
  formats: ["pdf", "zpl"],
  services: [],

  async testConnection(account) {
    await ask(account, "shipments?limit=1");
    return "Connected: the token is accepted";
  },

  async rates(account, { key, from, to, weight_lbs, dimensions, format, customs }) {
    const size = dimensions && {
      ...{ length: Number(centimetres(dimensions.length_in)), width: Number(centimetres(dimensions.width_in)) },
      ...{ height: Number(centimetres(dimensions.height_in)), dimension_unit: "CM" },
    };
    const shipment = await shipmentFrom(
      ask(account, "shipments", {
        body: {
          ...{ shipper: addressOf(from), recipient: addressOf(to), reference: key, label_type: format.toUpperCase() },
          ...(customs && { customs: customsOf(customs) }),
          parcels: [{ weight: Number(kilograms(weight_lbs)), weight_unit: "KG", ...size }],
        },
      }),
    );
    return {
      remote_id: shipment.id,
      rates: (shipment.rates ?? []).map((rate) => ({
        ...{ rate_id: rate.id, carrier: rate.carrier_name, service: rate.service, currency: rate.currency },
        ...{ cost_minor: costOf(rate), days: rate.transit_days ?? null },
      })),
      messages: (shipment.messages ?? []).map(
        ({ carrier_name, message }) => `${carrier_name ?? "karrio"}: ${textOf(message)}`,
      ),
    };
  },

  async buy(account, { remote_id, rate_id }) {
    const path = `shipments/${encodeURIComponent(remote_id)}/purchase`;
    try {
      const bought = boughtOf(await shipmentFrom(ask(account, path, { body: { selected_rate_id: rate_id } })));
      if (bought) return bought;
    } catch (error) {
      // A shipment that was purchased before refuses it, too.
      const before = error instanceof CarrierRefused && boughtOf(await readShipment(account, remote_id));
      if (before) return before;
      throw error;
    }
    throw new SourceError("karrio says that the shipment is purchased, and has no number of it");
  },

  find: async (account, { remote_id }) => boughtOf(await readShipment(account, remote_id)),

  /** The token is sent to the gateway alone. */
  async label({ config, request }, ref) {
    const url = new URL(ref, config.api_url);
    const isOurs = url.origin === new URL(config.api_url).origin;
    return (await request({ url: url.href, headers: { accept: "*/*", ...(isOurs && headersOf(config)) } })).bytes;
  },

  async track(account, { tracking_number }) {
    const answer = await ask(account, `trackers/${encodeURIComponent(tracking_number)}`);
    return trackedOf(read(Tracker, answer.json(), "a tracker"));
  },

  receive,

  async void(account, remoteId) {
    if ((await readShipment(account, remoteId)).status === "cancelled") return "refunded";
    try {
      await ask(account, `shipments/${encodeURIComponent(remoteId)}/cancel`, { method: "POST" });
    } catch (error) {
      throw error instanceof CarrierRefused ? new CarrierRefused(error.message, "not_refundable") : error;
    }
    return "refunded";
  },

  manifestLimit: ({ manifest_limit }) => (manifest_limit === undefined ? undefined : Number(manifest_limit)),

  async manifest(account, { key, carrier, from, labels }) {
    const shipment_ids = labels.map(({ remote_id }) => remote_id);
    const body = { carrier_name: carrier, address: addressOf(from), reference: key, shipment_ids };
    return read(Manifest, (await ask(account, "manifests", { body })).json(), "a manifest").id;
  },

  /** By our reference, among the newest: it was asked for some minutes ago. */
  async findManifest(account, { key }) {
    const newest = (await ask(account, "manifests?limit=100")).json();
    return read(Manifests, newest, "manifests").results.find(({ reference }) => reference === key)?.id;
  },

  async manifestFile(account, id) {
    const path = `manifests/${encodeURIComponent(id)}/document`;
    const { base64 } = read(Document, (await ask(account, path, { method: "POST" })).json(), "a document");
    return Buffer.from(base64, "base64");
  },
});
