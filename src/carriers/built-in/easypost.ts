import { z } from "zod";
import { readerOf } from "../../connectors/alone.js";
import {
  type ReceivedWebhook,
  type Source,
  type SourceAnswer,
  SourceError,
  WebhookRefused,
} from "../../connectors/connector.js";
import { documentIn, isSigned } from "../../connectors/signed.js";
import { amountOf } from "../../platform/minor-units.js";
import type { ContentKind } from "../../shipping/customs/shapes.js";
import type { TrackingStatus } from "../../shipping/parcels/tracking-statuses.js";
import { minorUnits, ounces, ouncesInside } from "../amounts.js";
import {
  type Bought,
  CarrierRefused,
  type CustomsOfParcel,
  defineCarrier,
  type FieldFault,
  ManifestNotMade,
  type PostalAddress,
  type Refusal,
} from "../carrier.js";
import { asOf, expectedDay, type Scan, scanTime, type Tracked } from "../tracking.js";

/**
 * EasyPost, by its API v2 (docs.easypost.com). A shipment is made with the addresses and the parcel, has rates, and is
 * bought once: a second purchase of it is refused. There is no key by which a repeated request is recognised, so the id
 * of the shipment is what may be bought, and it is read again before a purchase is repeated.
 */

const Config = z.strictObject({
  api_url: z.url().default("https://api.easypost.com").meta({
    label: "Address of the API",
    description: "Without it https://api.easypost.com.",
  }),
  api_key: z.string().trim().min(1).meta({ label: "API key", description: "A test or a production key." }),
  webhook_secret: z.string().trim().min(1).optional().meta({
    label: "Secret of webhooks",
    description: "The secret with which the webhook was created at EasyPost.",
  }),
});
type Config = z.output<typeof Config>;

const Rate = z.object({
  id: z.string(),
  carrier: z.string(),
  service: z.string(),
  rate: z.string(),
  currency: z.string(),
  delivery_days: z.int().nullish(),
});

const Shipment = z.object({
  id: z.string(),
  rates: z.array(Rate).default([]),
  messages: z.array(z.object({ carrier: z.string().nullish(), message: z.unknown().optional() })).default([]),
  selected_rate: Rate.nullish(),
  tracking_code: z.string().nullish(),
  refund_status: z.string().nullish(),
  scan_form: z.object({ id: z.string() }).nullish(),
  /** In the format that the shipment's options name. */
  postage_label: z.object({ label_url: z.string().nullish() }).nullish(),
});
type Shipment = z.infer<typeof Shipment>;

const TrackerStatus = z.string().nullish();
const Tracker = z.object({
  tracking_code: z.string(),
  status: TrackerStatus,
  updated_at: z.string().nullish(),
  est_delivery_date: z.string().nullish(),
  tracking_details: z
    .array(
      z.object({
        datetime: z.string(),
        status: TrackerStatus,
        message: z.string().nullish(),
        tracking_location: z
          .object({ city: z.string().nullish(), state: z.string().nullish(), country: z.string().nullish() })
          .nullish(),
      }),
    )
    .default([]),
});
const Tracking = z.object({ tracker: Tracker.nullish() });
const TrackerEvent = z.object({ result: Tracker });

/** "Trackers": its statuses; `unknown` says nothing, and `cancelled` is of a label that was taken back. */
const statuses: Record<string, TrackingStatus> = {
  ...{ pre_transit: "pre_transit", in_transit: "in_transit", out_for_delivery: "out_for_delivery" },
  ...{ available_for_pickup: "available_for_pickup", delivered: "delivered", return_to_sender: "returned" },
  ...{ failure: "exception", error: "exception" },
};
/** `creating` until it is drawn; one that was not made says why in `message`. */
const ScanForm = z.object({
  id: z.string(),
  status: z.string(),
  message: z.string().nullish(),
  tracking_codes: z.array(z.string()).default([]),
  form_url: z.string().nullish(),
});

const Verified = z.object({
  verifications: z.object({
    delivery: z.object({
      success: z.boolean(),
      errors: z.array(z.object({ field: z.string().nullish(), message: z.string() })).default([]),
    }),
  }),
});

/** `errors` is a list of objects or of texts ("Error object"). */
const Refused = z.object({
  error: z.object({
    code: z.string().default(""),
    message: z.unknown().optional(),
    errors: z
      .array(z.union([z.string(), z.object({ field: z.string().nullish(), message: z.unknown().optional() })]))
      .default([]),
  }),
});

const read = readerOf("EasyPost");

/** What EasyPost refuses for good; 404 is a shipment that this key does not have. */
const SAID_NO = [400, 402, 404, 409, 422];

const ask = (
  { config, request }: Source<Config>,
  path: string,
  more: { method?: "POST"; body?: unknown } = {},
): Promise<SourceAnswer> =>
  request({
    url: `${config.api_url.replace(/\/+$/, "")}/v2/${path}`,
    headers: { authorization: `Basic ${Buffer.from(`${config.api_key}:`).toString("base64")}` },
    answered: SAID_NO,
    ...more,
  });

async function shipmentFrom(asked: Promise<SourceAnswer>): Promise<Shipment> {
  const answer = await asked;
  if (answer.status >= 300) throw refusalIn(answer);
  return read(Shipment, answer.json(), "a shipment");
}

function refusalIn(answer: SourceAnswer): CarrierRefused {
  const parsed = Refused.safeParse(answer.json());
  if (!parsed.success) return new CarrierRefused(`EasyPost answered with HTTP status ${answer.status}`);
  const { code, message, errors } = parsed.data.error;
  const faults = errors.map((one) =>
    typeof one === "string" ? { field: "", message: one } : { field: one.field ?? "", message: textOf(one.message) },
  );
  return new CarrierRefused(`EasyPost: ${textOf(message)}`, kindOf(code, answer.status), named(faults));
}

const textOf = (said: unknown): string => (typeof said === "string" ? said : JSON.stringify(said));

function kindOf(code: string, status: number): Refusal {
  if (code.startsWith("ADDRESS.")) return "address_refused";
  return status === 402 ? "not_paid" : "refused";
}

const addressOf = ({ name, line1, line2, city, state, postal_code, country, phone, email }: PostalAddress) => ({
  ...{ name, street1: line1, street2: line2, city, state, zip: postal_code, country, phone, email },
});

/** A line below it needs no declaration to the authorities of the United States ("Customs Guide"). */
const EXEMPT_MINOR = 250_000;
const EXEMPTION = "NOEEI 30.37(a)";

const contentsTypes: Record<ContentKind, string> = {
  ...{ sale_of_goods: "merchandise", gift: "gift", documents: "documents", commercial_sample: "sample" },
  ...{ returned_goods: "returned_goods", other: "other" },
};

/** "CustomsInfo": weights and values are those of all units of an item. */
function customsOf({ contents, signer, currency, items }: CustomsOfParcel, { country }: PostalAddress) {
  const isExempt = items.every(({ unit_value_minor, quantity }) => unit_value_minor * quantity <= EXEMPT_MINOR);
  return {
    ...{ customs_certify: true, customs_signer: signer, restriction_type: "none" },
    contents_type: contentsTypes[contents],
    // "Customs Guide": what `other` is has to be said.
    ...(contents === "other" && { contents_explanation: items.map(({ description }) => description).join(", ") }),
    non_delivery_option: "return",
    ...(country === "US" && currency === "USD" && isExempt && { eel_pfc: EXEMPTION }),
    customs_items: items.map(({ sku, description, quantity, hs_code, origin_country, ...unit }) => ({
      ...{ description, quantity, hs_tariff_number: hs_code, origin_country, code: sku, currency },
      value: Number(amountOf(unit.unit_value_minor * quantity, currency)),
      weight: Number(ouncesInside(unit.unit_weight_lbs, quantity)),
    })),
  };
}

/** What was bought of a shipment; undefined where nothing was. */
function boughtOf({ selected_rate: rate, tracking_code, postage_label: label }: Shipment): Bought | undefined {
  if (!label || !rate || !tracking_code) return undefined;
  return {
    tracking_number: tracking_code,
    ...{ carrier: rate.carrier, service: rate.service, currency: rate.currency },
    cost_minor: minorUnits(rate.rate, rate.currency),
    label_ref: label.label_url ?? null,
  };
}

const readShipment = (account: Source<Config>, id: string) =>
  shipmentFrom(ask(account, `shipments/${encodeURIComponent(id)}`));

function trackedOf(tracker: z.infer<typeof Tracker>): Tracked {
  const { status, updated_at, est_delivery_date, tracking_details: details } = tracker;
  const scans = details.flatMap(({ datetime, status, message, tracking_location: at }) =>
    scanOf(datetime, status, message, [at?.city, at?.state, at?.country].filter(Boolean).join(", ")),
  );
  // Before the first scan it says no more than its status.
  if (scans.length === 0 && updated_at) scans.push(...scanOf(updated_at, status));
  return { scans, expected_day: expectedDay(est_delivery_date), as_of: asOf(scans, updated_at) };
}

function scanOf(time: string, status?: string | null, message?: string | null, place?: string): Scan[] {
  const at = scanTime(time);
  return at ? [{ at, status: statuses[status ?? ""] ?? null, message: message || null, place: place || null }] : [];
}

/** "Webhooks": signed with the secret in its normal form. */
function receive({ webhook_secret = "" }: Config, { headers, body }: ReceivedWebhook) {
  const [, signature] = /^hmac-sha256-hex=([0-9a-f]{64})$/.exec(headers["x-hmac-signature"] ?? "") ?? [];
  if (!webhook_secret || !isSigned(webhook_secret.normalize("NFKD"), signature, body, "hex"))
    throw new WebhookRefused("The signature of the webhook is not EasyPost's");
  const event = documentIn(body, "EasyPost sent a webhook that is no document");
  if (!/^tracker\./.test(`${event.description}`)) return [];
  const tracker = read(TrackerEvent, event, "a tracker").result;
  return [{ tracking_number: tracker.tracking_code, ...trackedOf(tracker) }];
}

export default defineCarrier({
  name: "easypost",
  title: "EasyPost",
  config: Config,
  formats: ["pdf", "zpl"],
  services: [
    { carrier: "USPS", service: "GroundAdvantage" },
    { carrier: "USPS", service: "Priority" },
    { carrier: "USPS", service: "Express" },
    { carrier: "UPS", service: "Ground" },
    { carrier: "UPS", service: "2ndDayAir" },
    { carrier: "FedEx", service: "FEDEX_GROUND" },
    { carrier: "FedEx", service: "FEDEX_2_DAY" },
  ],

  async testConnection(account) {
    const answer = await ask(account, "shipments?page_size=1");
    if (answer.status >= 300) throw refusalIn(answer);
    return "Connected: the key is accepted";
  },

  async rates(account, { key, name, from, to, weight_lbs, dimensions, format, customs }) {
    const { length_in: length, width_in: width, height_in: height } = dimensions ?? {};
    const shipment = await shipmentFrom(
      ask(account, "shipments", {
        body: {
          shipment: {
            reference: key,
            ...{ from_address: addressOf(from), to_address: addressOf(to) },
            parcel: { weight: Number(ounces(weight_lbs)), ...(dimensions && numbers({ length, width, height })) },
            ...(customs && { customs_info: customsOf(customs, from) }),
            options: { label_format: format.toUpperCase(), print_custom_1: name },
          },
        },
      }),
    );
    return {
      remote_id: shipment.id,
      rates: shipment.rates.map((rate) => ({
        ...{ rate_id: rate.id, carrier: rate.carrier, service: rate.service, currency: rate.currency },
        cost_minor: minorUnits(rate.rate, rate.currency),
        days: rate.delivery_days ?? null,
      })),
      messages: shipment.messages.map(({ carrier, message }) => `${carrier ?? "EasyPost"}: ${textOf(message)}`),
    };
  },

  async buy(account, chosen) {
    const path = `shipments/${encodeURIComponent(chosen.remote_id)}/buy`;
    try {
      const bought = boughtOf(await shipmentFrom(ask(account, path, { body: { rate: { id: chosen.rate_id } } })));
      if (bought) return bought;
    } catch (error) {
      // A shipment that was bought before refuses it, too.
      const before = error instanceof CarrierRefused && boughtOf(await readShipment(account, chosen.remote_id));
      if (before) return before;
      throw error;
    }
    throw new SourceError("EasyPost says that the shipment is bought, and has no label of it");
  },

  find: async (account, { remote_id }) => boughtOf(await readShipment(account, remote_id)),

  // The address of a label is signed: it is not sent the key.
  label: async ({ request }, ref) => (await request({ url: ref, headers: { accept: "*/*" } })).bytes,

  async void(account, remoteId) {
    const { refund_status: before } = await readShipment(account, remoteId);
    const status = before ?? "";
    if (isRefund(status)) return status;
    const path = `shipments/${encodeURIComponent(remoteId)}/refund`;
    const { refund_status: after } = await shipmentFrom(ask(account, path, { method: "POST" }));
    if (isRefund(after ?? "")) return after as "submitted" | "refunded";
    throw new CarrierRefused(`EasyPost does not take it back: ${after ?? "no reason given"}`, "not_refundable");
  },

  /** A label has its tracker from the beginning. */
  async track(account, { remote_id }) {
    const answer = await ask(account, `shipments/${encodeURIComponent(remote_id)}`);
    if (answer.status >= 300) throw refusalIn(answer);
    const { tracker } = read(Tracking, answer.json(), "a shipment");
    return tracker ? trackedOf(tracker) : { scans: [], expected_day: null, as_of: asOf([]) };
  },

  receive,

  async refundOf(account, remoteId) {
    const { refund_status: status } = await readShipment(account, remoteId);
    return status === "refunded" || status === "rejected" ? status : "submitted";
  },

  async manifest(account, { labels }) {
    const shipments = labels.map(({ remote_id: id }) => ({ id }));
    return (await formFrom(ask(account, "scan_forms", { body: { shipments } }))).id;
  },

  /** A shipment is on one form at most, and says which; a form with other parcels is not the one that was asked for. */
  async findManifest(account, { labels: [first, ...others] }) {
    const { scan_form: known } = await readShipment(account, first?.remote_id as string);
    if (!known) return undefined;
    const form = await readForm(account, known.id).catch((error) => {
      if (error instanceof ManifestNotMade) return undefined;
      throw error;
    });
    if (!form) return undefined;
    const wanted = new Set([first, ...others].map((label) => label?.tracking_number));
    const isOurs = form.tracking_codes.length === wanted.size && form.tracking_codes.every((code) => wanted.has(code));
    return isOurs ? form.id : undefined;
  },

  async manifestFile(account, id) {
    const { form_url } = await readForm(account, id);
    if (!form_url) throw new SourceError("EasyPost has not drawn the SCAN form yet");
    return (await account.request({ url: form_url, headers: { accept: "*/*" } })).bytes;
  },

  async verifyAddress(account, address) {
    const answer = await ask(account, "addresses", { body: { address: addressOf(address), verify: true } });
    if (answer.status >= 300) {
      const { faults, message, refusal } = refusalIn(answer);
      if (refusal !== "address_refused") throw new CarrierRefused(message, refusal, faults);
      return { ok: false, faults: faults.length > 0 ? faults : named([{ field: "address", message }]) };
    }
    const { success, errors } = read(Verified, answer.json(), "an address").verifications.delivery;
    return { ok: success, faults: named(errors.map(({ field, message }) => ({ field: field ?? "", message }))) };
  },
});

async function formFrom(asked: Promise<SourceAnswer>) {
  const answer = await asked;
  if (answer.status >= 300) throw refusalIn(answer);
  const form = read(ScanForm, answer.json(), "a SCAN form");
  if (form.status === "failed") throw new ManifestNotMade(`EasyPost: ${form.message ?? "the SCAN form was not made"}`);
  return form;
}

const readForm = (account: Source<Config>, id: string) =>
  formFrom(ask(account, `scan_forms/${encodeURIComponent(id)}`));

const isRefund = (status: string): status is "submitted" | "refunded" => ["submitted", "refunded"].includes(status);

const numbers = (texts: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Number(text)]));

const columns: Record<string, string> = {
  ...{ address: "line1", street1: "line1", street2: "line2", city: "city", state: "state", zip: "postal_code" },
  ...{ country: "country", name: "name", phone: "phone" },
};

/** Faults by the columns of an order, as far as they are of its address. */
const named = (faults: FieldFault[]): FieldFault[] =>
  faults.map(({ field, message }) => ({
    field: columns[field] ? `shipping_address_${columns[field]}` : field,
    message,
  }));
