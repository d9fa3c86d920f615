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
import { centimetres, kilograms, kilogramsInside, minorUnits } from "../amounts.js";
import {
  type Bought,
  CarrierRefused,
  type CustomsOfParcel,
  defineCarrier,
  type FieldFault,
  type ParcelToSend,
} from "../carrier.js";
import { asOf, expectedDay, scanTime } from "../tracking.js";

/**
 * Sendcloud, by its panel API v2 (sendcloud.dev). A parcel is made without a label, under a reference of which there is
 * one parcel at most, and gets its label by an update: a parcel has one label, so it is read again before that is asked
 * for once more.
 */

const Config = z.strictObject({
  api_url: z.url().default("https://panel.sendcloud.sc").meta({
    label: "Address of the panel",
    description: "Without it https://panel.sendcloud.sc.",
  }),
  public_key: z.string().trim().min(1).meta({ label: "Public key", description: "Of an API integration." }),
  secret_key: z.string().trim().min(1).meta({ label: "Secret key", description: "Of the same integration." }),
});
type Config = z.output<typeof Config>;

/** Prices are in euros, as numbers whose digits are read as they are. */
const CURRENCY = "EUR";
const Methods = z.object({
  shipping_methods: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      carrier: z.string(),
      min_weight: z.string(),
      max_weight: z.string(),
      countries: z.array(
        z.object({ iso_2: z.string(), price: z.number().nonnegative(), lead_time_hours: z.number().nullish() }),
      ),
    }),
  ),
});

const Parcel = z.object({
  parcel: z.object({
    id: z.int(),
    tracking_number: z.string().nullish(),
    status: z.object({ id: z.int(), message: z.string() }),
    errors: z.unknown().optional(),
    carrier: z.object({ code: z.string().nullish() }).nullish(),
    shipment: z.object({ id: z.int(), name: z.string() }).nullish(),
    label: z.object({ label_printer: z.string().nullish() }).nullish(),
    documents: z.array(z.object({ type: z.string(), link: z.string() })).nullish(),
  }),
});
type Parcel = z.infer<typeof Parcel>["parcel"];

const Known = z.object({ parcels: z.array(z.object({ id: z.int() })) });

const Tracking = z.object({
  expected_delivery_date: z.string().nullish(),
  statuses: z.array(
    z.object({
      carrier_update_timestamp: z.string(),
      parent_status: z.string(),
      carrier_message: z.string().nullish(),
    }),
  ),
});

const StatusChange = z.object({
  timestamp: z.number(),
  carrier_status_change_timestamp: z.number().nullish(),
  parcel: z.object({ tracking_number: z.string().nullish(), status: z.object({ message: z.string() }) }),
});

/**
 * "Tracking statuses" by their names, as webhooks have them (`Driver en route`), and as tracking does
 * (`driver-on-route`). Others are told and change nothing.
 */
const statuses: Record<string, TrackingStatus> = {
  ...as("pre_transit", ["announced", "announced-not-collected", "being-announced", "ready-to-send"]),
  ...as("in_transit", ["at-customs", "at-sorting-centre", "being-sorted", "sorted", "not-sorted", "delivery-delayed"]),
  ...as("in_transit", ["en-route-to-sorting-center", "parcel-en-route", "shipment-on-route", "shipment-picked-up"]),
  ...as("in_transit", ["shipment-picked-up-by-driver", "delivery-date-changed", "delivery-method-changed"]),
  ...as("in_transit", ["delivery-address-changed"]),
  ...as("out_for_delivery", ["driver-en-route", "driver-on-route"]),
  ...as("available_for_pickup", ["awaiting-customer-pickup"]),
  ...as("delivered", ["delivered", "shipment-collected-by-customer"]),
  ...as("exception", ["address-invalid", "delivery-attempt-failed", "error-collecting", "exception"]),
  ...as("exception", ["refused-by-recipient", "unable-to-deliver"]),
  ...as("returned", ["returned-to-sender"]),
};

function as(status: TrackingStatus, names: string[]): Record<string, TrackingStatus> {
  return Object.fromEntries(names.map((name) => [name, status]));
}

const statusNamed = (name: string): TrackingStatus | null =>
  statuses[name.toLowerCase().replace(/[^a-z]+/g, "-")] ?? null;

const Refused = z.object({ error: z.object({ message: z.string().default("") }) });

const read = readerOf("Sendcloud");

const SAID_NO = [400, 402, 404, 409, 410, 412, 422];
/** "Parcel statuses". */
const ANNOUNCEMENT_FAILED = 1002;
const CANCELLED_FOR_GOOD = 2000;
/** "Cancellation requested", "Submitting cancellation request". */
const CANCELLED = [1999, 2001, CANCELLED_FOR_GOOD];

const headersOf = ({ public_key, secret_key }: Config) => ({
  authorization: `Basic ${Buffer.from(`${public_key}:${secret_key}`).toString("base64")}`,
});

async function ask(
  { config, request }: Source<Config>,
  path: string,
  more: { method?: "POST" | "PUT"; body?: unknown; headers?: Record<string, string> } = {},
): Promise<SourceAnswer> {
  const { headers, ...message } = more;
  const url = `${config.api_url.replace(/\/+$/, "")}/api/v2/${path}`;
  const answer = await request({ url, headers: { ...headersOf(config), ...headers }, answered: SAID_NO, ...message });
  if (answer.status >= 300) throw refusalIn(answer);
  return answer;
}

const columns: Record<string, string> = {
  ...{ name: "name", address: "line1", house_number: "line1", address_2: "line2", city: "city" },
  ...{ postal_code: "postal_code", country: "country", country_state: "state", telephone: "phone" },
};

/** Its messages are like `house_number: "This field may not be blank."`, one for each field. */
function refusalIn(answer: SourceAnswer): CarrierRefused {
  const parsed = Refused.safeParse(answer.json());
  const message = parsed.success ? parsed.data.error.message : `HTTP status ${answer.status}`;
  const faults: FieldFault[] = Object.entries(columns)
    .filter(([field]) => new RegExp(`(^|\\W)${field}\\W+:`).test(message) || message.startsWith(`${field}:`))
    .map(([, column]) => ({ field: `shipping_address_${column}`, message }));
  return new CarrierRefused(`Sendcloud: ${message}`, faults.length > 0 ? "address_refused" : "refused", faults);
}

const parcelFrom = async (asked: Promise<SourceAnswer>): Promise<Parcel> =>
  read(Parcel, (await asked).json(), "a parcel").parcel;

const readParcel = (account: Source<Config>, id: string) =>
  parcelFrom(ask(account, `parcels/${encodeURIComponent(id)}`));

/** What was bought of a parcel; undefined where it has no label. */
function boughtOf({ status, tracking_number, shipment, carrier, ...of }: Parcel, rateId: string): Bought | undefined {
  if (!tracking_number || status.id === ANNOUNCEMENT_FAILED || CANCELLED.includes(status.id)) return undefined;
  const [, price = "0"] = rateId.split(":");
  return {
    ...{ tracking_number, carrier: carrier?.code ?? "sendcloud", service: shipment?.name ?? "", currency: CURRENCY },
    ...{ cost_minor: Number(price), label_ref: of.documents?.find(({ type }) => type === "label")?.link ?? null },
  };
}

/** "International shipping": what is none of these goes as commercial goods. */
const shipmentTypes: Record<ContentKind, number> = {
  ...{ gift: 0, documents: 1, sale_of_goods: 2, other: 2, commercial_sample: 3, returned_goods: 4 },
};

/** "International shipping": of each item, what one unit weighs and is worth. */
const customsOf = ({ contents, invoice_number, currency, items }: CustomsOfParcel) => ({
  ...{ customs_invoice_nr: invoice_number, customs_shipment_type: shipmentTypes[contents] },
  total_order_value: amountOf(
    items.reduce((sum, { unit_value_minor, quantity }) => sum + unit_value_minor * quantity, 0),
    currency,
  ),
  total_order_value_currency: currency,
  parcel_items: items.map(({ sku, description, quantity, hs_code, origin_country, ...unit }) => ({
    ...{ sku, description, quantity, hs_code, origin_country },
    ...{ weight: kilogramsInside(unit.unit_weight_lbs), value: amountOf(unit.unit_value_minor, currency) },
  })),
});

const parcelOf = ({ key, name, to, weight_lbs, dimensions, customs }: ParcelToSend) => ({
  ...{ name: to.name, address: to.line1, address_2: to.line2 ?? "", city: to.city, postal_code: to.postal_code ?? "" },
  ...{ country: to.country, telephone: to.phone ?? "", email: to.email ?? "", order_number: name },
  ...(to.state !== null && { country_state: to.state }),
  ...{ external_reference: key, weight: kilograms(weight_lbs), request_label: false },
  ...(customs && customsOf(customs)),
  ...(dimensions && {
    ...{ length: centimetres(dimensions.length_in), width: centimetres(dimensions.width_in) },
    height: centimetres(dimensions.height_in),
  }),
});

/** "Webhooks": signed with the secret key. They come late and out of order, and say when the status changed. */
function receive({ secret_key }: Config, { headers, body }: ReceivedWebhook) {
  if (!isSigned(secret_key, headers["sendcloud-signature"], body, "hex"))
    throw new WebhookRefused("The signature of the webhook is not Sendcloud's");
  const message = documentIn(body, "Sendcloud sent a webhook that is no document");
  if (message.action !== "parcel_status_changed") return [];
  const { parcel, ...said } = read(StatusChange, message, "a change of a status");
  const at = scanTime(said.carrier_status_change_timestamp ?? said.timestamp);
  if (!at || !parcel.tracking_number) return [];
  const scan = { at, status: statusNamed(parcel.status.message), message: parcel.status.message, place: null };
  return [{ tracking_number: parcel.tracking_number, scans: [scan], expected_day: null, as_of: at }];
}

export default defineCarrier({
  name: "sendcloud",
  title: "Sendcloud",
  config: Config,
  formats: ["pdf", "zpl"],
  services: [],

  async testConnection(account) {
    await ask(account, "shipping_methods");
    return "Connected: the keys are accepted";
  },

  async rates(account, parcel) {
    // "International shipping": the other countries that need one are asked for it everywhere.
    if (parcel.to.country === "IT" && parcel.to.state === null)
      throw new CarrierRefused("Sendcloud: Italian addresses need their province", "address_refused", [
        { field: "shipping_address_state", message: "Sendcloud asks for the province, such as RM" },
      ]);
    const query = new URLSearchParams({ to_country: parcel.to.country });
    const answer = await ask(account, `shipping_methods?${query}`);
    const { shipping_methods } = read(Methods, answer.json(), "shipping methods");
    const weight = Number(kilograms(parcel.weight_lbs));
    const rates = shipping_methods.flatMap(({ id, name, carrier, min_weight, max_weight, countries }) => {
      const there = countries.find(({ iso_2 }) => iso_2 === parcel.to.country);
      if (!there || weight < Number(min_weight) || weight >= Number(max_weight)) return [];
      const cost_minor = minorUnits(`${there.price}`, CURRENCY);
      const days = there.lead_time_hours ? Math.ceil(there.lead_time_hours / 24) : null;
      return { rate_id: `${id}:${cost_minor}`, carrier, service: name, cost_minor, currency: CURRENCY, days };
    });
    return { remote_id: null, rates, messages: [] };
  },

  /** A parcel is in sight of people at the panel: only one that is to be bought is registered. */
  async register(account, parcel) {
    try {
      return `${(await parcelFrom(ask(account, "parcels", { body: { parcel: parcelOf(parcel) } }))).id}`;
    } catch (error) {
      const query = new URLSearchParams({ external_reference: parcel.key });
      const before = error instanceof CarrierRefused && (await ask(account, `parcels?${query}`)).json();
      const [known] = Known.safeParse(before).data?.parcels ?? [];
      if (known) return `${known.id}`;
      throw error;
    }
  },

  async buy(account, { remote_id, rate_id }) {
    const [method] = rate_id.split(":");
    const parcel = { id: Number(remote_id), request_label: true, shipment: { id: Number(method) } };
    const asked = await parcelFrom(ask(account, "parcels", { method: "PUT", body: { parcel } })).catch(
      async (error: unknown) => {
        // A parcel that has its label refuses it, too.
        const before = error instanceof CarrierRefused && (await readParcel(account, remote_id));
        if (before && boughtOf(before, rate_id)) return before;
        throw error;
      },
    );
    const bought = boughtOf(asked, rate_id);
    if (bought) return bought;
    if (asked.status.id === ANNOUNCEMENT_FAILED)
      throw new CarrierRefused(`Sendcloud: ${JSON.stringify(asked.errors ?? asked.status.message)}`);
    throw new SourceError(`Sendcloud has no label yet: ${asked.status.message}`);
  },

  find: async (account, { remote_id, rate_id }) => boughtOf(await readParcel(account, remote_id), rate_id),

  async label({ config, request }, ref, format) {
    const url = new URL(ref, config.api_url);
    const isOurs = url.origin === new URL(config.api_url).origin;
    const accept = format === "pdf" ? "application/pdf" : "application/zpl";
    return (await request({ url: url.href, headers: { accept, ...(isOurs && headersOf(config)) } })).bytes;
  },

  async track(account, { tracking_number }) {
    const answer = await ask(account, `tracking/${encodeURIComponent(tracking_number)}`);
    const tracking = read(Tracking, answer.json(), "tracking");
    const scans = tracking.statuses.flatMap(({ carrier_update_timestamp, parent_status, carrier_message }) => {
      const at = scanTime(carrier_update_timestamp);
      return at ? { at, status: statusNamed(parent_status), message: carrier_message || null, place: null } : [];
    });
    return { scans, expected_day: expectedDay(tracking.expected_delivery_date), as_of: asOf(scans) };
  },

  receive,

  /** A parcel whose cancellation the carrier does not accept goes on as it was. */
  async refundOf(account, remoteId) {
    const { id } = (await readParcel(account, remoteId)).status;
    if (id === CANCELLED_FOR_GOOD) return "refunded";
    return CANCELLED.includes(id) ? "submitted" : "rejected";
  },

  async void(account, remoteId) {
    if (CANCELLED.includes((await readParcel(account, remoteId)).status.id)) return "submitted";
    try {
      await ask(account, `parcels/${encodeURIComponent(remoteId)}/cancel`, { method: "POST" });
    } catch (error) {
      throw error instanceof CarrierRefused ? new CarrierRefused(error.message, "not_refundable") : error;
    }
    return "submitted";
  },
});
