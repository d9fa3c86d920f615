// A local karrio (a self-hosted gateway to carriers, API 2026.1), written from its public documents alone; see
// README.md for how to drive it.
//
//   node examples/carriers/karrio.mjs --port 0 [--data <file>]
//
// The test key is key_test_local, the live key key_live_local. Behind each behaviour stands what says so: "OpenAPI" is
// karrio's OpenAPI document, "tests" are the answers that its published server tests expect, "source" is its published
// server; what none of them says is marked "assumed".
import { randomBytes, randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { labelFile, pdf } from "./label-files.mjs";
import { credentials, isInUnion, runAlone, startCarrier } from "./local-server.mjs";

const KEYS = { key_test_local: "test", key_live_local: "live" };
const LABEL_TYPES = { PDF: "application/pdf", ZPL: "application/zpl", PNG: "image/png" };
const COUNTRIES = ["AT", "BE", "CA", "CH", "DE", "ES", "FR", "GB", "IT", "NL", "PL", "US"];
const MOST_KILOGRAMS = 30;
const CARRIERS = [
  { carrier_name: "dhl_parcel_de", carrier_id: "dhl_parcel_de", service: "dhl_parcel_de_paket", cents: 619, days: 2 },
  { carrier_name: "ups", carrier_id: "ups", service: "ups_standard", cents: 1_129, days: 1 },
];
const WEBHOOK_FAILURES = 5;
const TRACKER_STATUSES = [
  "pending",
  "in_transit",
  "out_for_delivery",
  "delivered",
  "delivery_failed",
  "on_hold",
].concat([...["picked_up", "delivery_delayed", "ready_for_pickup", "return_to_sender", "unknown"]]);
const EVENTS = ["shipment_purchased", "shipment_cancelled", "shipment_fulfilled", "shipment_out_for_delivery"].concat([
  "shipment_needs_attention",
  "shipment_delivery_failed",
  "tracker_created",
  "tracker_updated",
  "all",
]);

const newId = (prefix) => `${prefix}_${randomUUID().replaceAll("-", "")}`;
const now = () => new Date().toISOString();

/** OpenAPI, "ErrorResponse": what karrio itself refuses. Tests: the level of a fault is "error", of a 404 "warning". */
const refusal = (status, code, message, details) => ({
  status,
  body: { errors: [{ code, message, ...(details && { details }), level: status === 404 ? "warning" : "error" }] },
});
/** OpenAPI, "ErrorMessages": what a carrier refused, with the carrier's name. It comes with 424. */
const carrierRefusal = (carrier, code, message) => ({
  status: 424,
  body: { messages: [{ ...{ carrier_name: carrier.carrier_name, carrier_id: carrier.carrier_id }, code, message }] },
});
const notFound = (what) => refusal(404, "not_found", `${what} not found`);
/** Django REST framework: the fields with their texts stand in `details` (source: the exception handler). */
const invalid = (details) => ({ status: 400, body: { errors: [{ code: "validation", details, level: "error" }] } });
const REQUIRED = ["This field is required."];
const FAILURES = {
  400: ["parse_error", "JSON parse error"],
  401: ["authentication_failed", "Invalid token."],
  404: ["not_found", "Not found."],
  429: ["throttled", "Request was throttled."],
};
const failure = (status) => refusal(status, ...(FAILURES[status] ?? ["error", "A server error occurred."]));

function addressFaults(address) {
  if (!address || Object.keys(address).length === 0) return { country_code: REQUIRED };
  if (!address.country_code) return { country_code: REQUIRED };
  if (!COUNTRIES.includes(address.country_code))
    return { country_code: [`"${address.country_code}" is not a valid choice.`] };
  return undefined;
}

function newAddress(given) {
  const fields = ["postal_code", "city", "federal_tax_id", "state_tax_id", "person_name", "company_name"].concat([
    "country_code",
    "email",
    "phone_number",
    "state_code",
    "street_number",
    "address_line1",
    "address_line2",
  ]);
  return {
    ...{ id: `adr_${randomBytes(6).toString("hex")}`, object_type: "address" },
    ...Object.fromEntries(fields.map((field) => [field, given[field] ?? null])),
    ...{ residential: given.residential ?? false, validate_location: given.validate_location ?? false },
    ...{ validation: given.validate_location ? validated(given) : null, meta: {} },
  };
}

/** OpenAPI, "validate_location": the carrier's validator says `success`. Which addresses exist is assumed. */
function validated({ address_line1: street, city, postal_code: postalCode }) {
  const fields = { address_line1: /[1-9]/.test(street ?? ""), city: Boolean(city), postal_code: Boolean(postalCode) };
  const faults = Object.keys(fields).filter((field) => !fields[field]);
  return { success: faults.length === 0, meta: faults.length > 0 ? { invalid_fields: faults } : {} };
}

function shipmentFaults(body) {
  const faults = {};
  for (const side of ["shipper", "recipient"]) {
    const fault = addressFaults(body[side]);
    if (fault) faults[side] = fault;
  }
  if (!Array.isArray(body.parcels)) faults.parcels = REQUIRED;
  else if (body.parcels.length === 0) faults.parcels = ["This list may not be empty."];
  else if (body.parcels.some(({ weight }) => !(Number(weight) > 0))) faults.parcels = [{ weight: REQUIRED }];
  if (body.label_type && !LABEL_TYPES[body.label_type])
    faults.label_type = [`"${body.label_type}" is not a valid choice.`];
  return Object.keys(faults).length > 0 ? faults : undefined;
}

/**
 * OpenAPI, "customs": "required for the shipment of an international Dutiable parcel". Which fields the carriers behind
 * ask for, and in which words, is assumed.
 */
function customsFault({ shipper, recipient, customs }) {
  const [from, to] = [shipper?.country_code, recipient?.country_code];
  if (from === to || (isInUnion(from) && isInUnion(to))) return undefined;
  const fields = ["description", "quantity", "weight", "value_amount", "value_currency", "hs_code", "origin_country"];
  const commodities = customs?.commodities ?? [];
  const isDeclared = commodities.length > 0 && commodities.every((one) => fields.every((field) => one[field]));
  return isDeclared ? undefined : { code: "customs", message: "Customs information is required." };
}

/** Tests: rates carry their charges, the sum is a number. A carrier that has none says so in `messages`. */
function ratesOf(body, mode) {
  const weight = (body.parcels ?? []).reduce(
    (sum, { weight: amount, weight_unit: unit = "KG" }) => sum + (unit === "G" ? amount / 1_000 : Number(amount)),
    0,
  );
  const asked = CARRIERS.filter(
    ({ carrier_id: id, service }) =>
      (!body.carrier_ids?.length || body.carrier_ids.includes(id)) &&
      (!body.services?.length || body.services.includes(service)),
  );
  const fault =
    weight > MOST_KILOGRAMS
      ? { code: "weight", message: `The parcel is heavier than ${MOST_KILOGRAMS} KG.` }
      : customsFault(body);
  if (fault) {
    const messages = asked.map(({ carrier_name, carrier_id }) => ({ carrier_name, carrier_id, ...fault }));
    return { rates: [], messages };
  }
  const rates = asked.map(({ carrier_name, carrier_id, service, cents, days }) => ({
    ...{ id: newId("rat"), object_type: "rate", carrier_name, carrier_id, currency: "EUR", service },
    ...{ total_charge: cents / 100, transit_days: days, estimated_delivery: null },
    extra_charges: [{ name: "Base charge", amount: cents / 100, currency: "EUR", id: null }],
    meta: {
      ext: carrier_name,
      carrier: carrier_name,
      rate_provider: carrier_name,
      service_name: service.toUpperCase(),
    },
    test_mode: mode === "test",
  }));
  return { rates, messages: [] };
}

function makeKarrio({ state, base, next, save, deliver, purchased, voided }) {
  const own = (records, id, mode) => (records[id]?.mode === mode ? records[id] : undefined);
  const shown = ({ mode, label, ...record }) => record;

  // --- the proxy: nothing is kept

  function proxyRates({ body, mode }) {
    const faults = shipmentFaults(body);
    if (faults) return invalid(faults);
    const { rates, messages } = ratesOf(body, mode);
    // OpenAPI: 424 when no carrier answers with a rate; with some rates, the others' messages stand beside them.
    return rates.length === 0 ? { status: 424, body: { messages } } : { body: { rates, messages } };
  }

  function proxyShipping({ body, mode, refused }) {
    const faults = shipmentFaults(body);
    if (faults) return invalid(faults);
    const rate = (body.rates ?? []).find(({ id }) => id === body.selected_rate_id);
    if (!rate) return invalid({ selected_rate_id: ["The selected rate is not one of the rates."] });
    if (refused) return carrierRefusal(rate, "refused", "The carrier refused the shipment.");
    const shipment = draft(body, mode, [rate]);
    label(shipment, rate, "proxy");
    state.proxied[shipment.shipment_identifier] = { id: shipment.id, carrier: rate.carrier_name };
    const docs = { label: shipment.label, invoice: null };
    return { body: { ...shown(shipment), docs } };
  }

  /** Tests: 202 with a confirmation; a number that the carrier does not know is a 424 with the carrier's own code. */
  function proxyCancel({ body, params }) {
    if (!body.shipment_identifier) return invalid({ shipment_identifier: REQUIRED });
    const known = state.proxied[body.shipment_identifier];
    const carrier = CARRIERS.find(({ carrier_name }) => carrier_name === params.carrier);
    if (!carrier) return notFound("No active carrier connection");
    if (known?.carrier !== params.carrier) return carrierRefusal(carrier, "404", "Not Found");
    voided(known.id);
    const { carrier_name, carrier_id } = carrier;
    const confirmation = { carrier_name, carrier_id, operation: "Cancel Shipment", success: true };
    return { status: 202, body: { messages: [], confirmation } };
  }

  // --- shipments

  function draft(body, mode, rates, messages = []) {
    return {
      ...{ id: newId("shp"), object_type: "shipment", mode, status: "draft", label: null },
      ...{ carrier_name: null, carrier_id: null, label_type: body.label_type ?? "PDF", label_url: null },
      ...{ invoice_url: null, meta: {}, metadata: body.metadata ?? {}, tracking_number: null },
      ...{ shipment_identifier: null, selected_rate: null, selected_rate_id: null, rates, messages },
      ...{ tracking_url: null, tracker_id: null, shipper: newAddress(body.shipper) },
      recipient: newAddress(body.recipient),
      parcels: body.parcels.map((parcel) => ({
        ...{ id: `pcl_${randomBytes(6).toString("hex")}`, object_type: "parcel", weight_unit: "KG", ...parcel },
        ...{ items: parcel.items ?? [], reference_number: parcel.reference_number ?? null },
      })),
      payment: { paid_by: "sender", currency: "EUR", account_number: null, ...body.payment },
      ...{ return_address: null, billing_address: null, customs: body.customs ?? null, options: body.options ?? {} },
      ...{ services: body.services ?? [], carrier_ids: body.carrier_ids ?? [], service: null, is_return: false },
      ...{ reference: body.reference ?? null, order_id: body.order_id ?? null, created_at: now() },
      ...{ test_mode: mode === "test", shipping_documents: [], return_shipment: null },
    };
  }

  /** Buys: the carrier gives a number and a label, and a tracker begins (tests: `test_purchase_shipment`). */
  function label(shipment, rate, kind) {
    const number = `KL${`${next()}`.padStart(10, "0")}`;
    const {
      person_name: name,
      address_line1: street,
      postal_code: code,
      city,
      country_code: country,
    } = shipment.recipient;
    const lines = [number, `${shipment.reference}`, `${name}`, `${street}`, `${code} ${city} ${country}`];
    const link = `${base()}/v1/shipments/${shipment.id}/label.${shipment.label_type.toLowerCase()}`;
    const file = labelFile(LABEL_TYPES[shipment.label_type], lines).toString("base64");
    Object.assign(shipment, {
      ...{ status: "created", carrier_name: rate.carrier_name, carrier_id: rate.carrier_id, service: rate.service },
      ...{ tracking_number: number, shipment_identifier: number, selected_rate: rate, selected_rate_id: rate.id },
      ...{ label: file, label_url: link, tracking_url: `/v1/trackers/${rate.carrier_name}/${number}` },
      meta: { ...rate.meta, ...shipment.meta },
      shipping_documents: [{ category: "label", format: shipment.label_type, url: link, base64: file }],
    });
    const charge = rate.total_charge.toFixed(2);
    purchased({
      id: shipment.id,
      reference: shipment.reference,
      tracking: number,
      service: rate.service,
      price: charge,
    });
    if (kind !== "proxy") {
      const tracker = newTracker(number, rate, shipment.mode);
      tracker.shipment_id = shipment.id;
      shipment.tracker_id = tracker.id;
    }
  }

  /**
   * OpenAPI, "Create a shipment"; tests, "single call label purchase": with a `service` the label is bought at once.
   * No document knows an idempotency key, and `reference` may come again: whoever creates anew buys anew.
   */
  async function createShipment({ body, mode, refused, headers }) {
    const faults = shipmentFaults(body);
    if (faults) return invalid(faults);
    const services = body.service ? [body.service] : body.services;
    const { rates, messages } = ratesOf({ ...body, services }, mode);
    if (body.service && rates.length === 0)
      return messages.length > 0 ? { status: 424, body: { messages } } : notFound("No active carrier connection");
    // Source: the shipment and its purchase are one transaction; a refused purchase leaves no shipment behind.
    if (body.service && refused) return carrierRefusal(rates[0], "refused", "The carrier refused the shipment.");
    const shipment = draft(body, mode, rates, messages);
    shipment.meta.request_id = headers["x-request-id"] ?? randomUUID();
    state.shipments[shipment.id] = shipment;
    if (body.service) {
      label(shipment, rates[0]);
      await notify("shipment_purchased", shown(shipment), mode);
    }
    return { status: 201, body: shown(shipment) };
  }

  const withShipment = (run) => (call) => {
    const shipment = own(state.shipments, call.params.id, call.mode);
    return shipment ? run(shipment, call) : notFound("Shipment");
  };

  /** Source, `can_mutate_shipment`: 409 with these texts, word for word. */
  const conflict = (message) => refusal(409, "state_error", message);

  async function purchase(shipment, { body, mode, refused }) {
    // The source asks for "purchased" here, whose value in this version is "created".
    if (shipment.status === "created")
      return conflict(`The shipment is '${shipment.status}' and cannot be purchased again`);
    if (shipment.status !== "draft") return conflict(`Shipment is ${shipment.status} and cannot be updated anymore...`);
    if (!body.selected_rate_id && !body.service)
      return refusal(400, "validation_error", "Either 'selected_rate_id' or 'service' must be provided.");
    const rate = shipment.rates.find(({ id, service }) => id === body.selected_rate_id || service === body.service);
    if (!rate) return invalid({ selected_rate_id: ["The selected rate is not one of the rates."] }); // assumed
    if (body.label_type && !LABEL_TYPES[body.label_type])
      return invalid({ label_type: [`"${body.label_type}" is not a valid choice.`] });
    if (refused) return carrierRefusal(rate, "refused", "The carrier refused the shipment.");
    const { label_type: type = shipment.label_type, reference = shipment.reference } = body;
    Object.assign(shipment, { label_type: type, reference, metadata: { ...shipment.metadata, ...body.metadata } });
    label(shipment, rate);
    await notify("shipment_purchased", shown(shipment), mode);
    return { body: shown(shipment) };
  }

  function updateShipment(shipment, { body }) {
    const onlyMetadata = Object.keys(body).every((key) => key === "metadata");
    if (!onlyMetadata && shipment.status !== "draft")
      return conflict(`Shipment is ${shipment.status} and cannot be updated anymore...`);
    for (const field of ["label_type", "reference", "payment", "options", "order_id"])
      if (field in body) shipment[field] = body[field];
    Object.assign(shipment.metadata, body.metadata);
    return { body: shown(shipment) };
  }

  function newRates(shipment, { body, mode }) {
    if (shipment.status !== "draft") return conflict(`Shipment is ${shipment.status} and cannot be updated anymore...`);
    Object.assign(shipment, ratesOf({ ...shipment, ...body }, mode));
    return { body: shown(shipment) };
  }

  /** Source: cancelling twice is a 202 with the shipment (OpenAPI: 304); under way or delivered it is a 409. */
  async function cancelShipment(shipment, { mode }) {
    if (shipment.status === "cancelled") return { status: 202, body: shown(shipment) };
    if (!["draft", "created"].includes(shipment.status))
      return conflict(`The shipment is '${shipment.status}' and can not be cancelled anymore...`);
    shipment.status = "cancelled";
    voided(shipment.id);
    delete state.trackers[shipment.tracker_id]; // tests: the tracker is gone
    await notify("shipment_cancelled", shown(shipment), mode);
    return { body: shown(shipment) };
  }

  /** OpenAPI, "List all shipments": these filters, newest first; `limit` from 1 to 100, 20 unless said otherwise. */
  function listShipments({ query, mode, path }) {
    const keys = ["reference", "order_id", "tracking_number", "status", "carrier_name", "service", "id"];
    const [metaKey, metaValue] = [query.get("metadata_key"), query.get("metadata_value")];
    const all = Object.values(state.shipments).filter(
      (shipment) =>
        shipment.mode === mode &&
        keys.every((key) => !query.get(key) || `${shipment[key]}` === query.get(key)) &&
        (!metaKey || (metaKey in shipment.metadata && (!metaValue || `${shipment.metadata[metaKey]}` === metaValue))),
    );
    return page(all.reverse().map(shown), query, path);
  }

  function page(all, query, path) {
    const limit = Math.min(Math.max(Number(query.get("limit") ?? 20), 1), 100);
    const offset = Number(query.get("offset") ?? 0);
    const link = (to) => `${base()}${path}?limit=${limit}&offset=${to}`;
    const next = offset + limit < all.length ? link(offset + limit) : null;
    const previous = offset > 0 ? link(Math.max(offset - limit, 0)) : null;
    return { body: { count: all.length, next, previous, results: all.slice(offset, offset + limit) } };
  }

  function shipmentDocument(shipment, { params }) {
    const [document] = shipment.shipping_documents.filter(({ category }) => category === params.doc);
    return document ? { body: document } : notFound("Document");
  }

  function labelFileOf({ params }) {
    const shipment = state.shipments[params.id];
    if (!shipment?.label) return notFound("Shipment");
    return {
      body: Buffer.from(shipment.label, "base64"),
      headers: { "Content-Type": LABEL_TYPES[shipment.label_type] },
    };
  }

  // --- trackers, manifests, addresses, webhooks

  function newTracker(number, carrier, mode) {
    const tracker = {
      ...{ id: newId("trk"), object_type: "tracker", mode, carrier_id: carrier.carrier_id },
      ...{ carrier_name: carrier.carrier_name, tracking_number: number, test_mode: mode === "test", delivered: false },
      ...{ status: "pending", estimated_delivery: null, delivery_image_url: null, signature_image_url: null },
      ...{ events: [], messages: [], meta: {}, metadata: {}, info: {}, shipment_id: null },
    };
    state.trackers[tracker.id] = tracker;
    return tracker;
  }

  const trackerOf = (key, mode) =>
    Object.values(state.trackers).find(
      ({ id, tracking_number: number, mode: own }) => own === mode && [id, number].includes(key),
    );

  /** Source: creates the tracker or gives the one that is there, with 202 (the OpenAPI document says 200). */
  function createTracker({ body, params, mode }) {
    const number = params.number ?? body.tracking_number;
    const name = params.carrier ?? body.carrier_name;
    const faults = { ...(!number && { tracking_number: REQUIRED }), ...(!name && { carrier_name: REQUIRED }) };
    if (Object.keys(faults).length > 0) return invalid(faults);
    const carrier = CARRIERS.find(({ carrier_name }) => carrier_name === name);
    if (!carrier) return invalid({ carrier_name: [`"${name}" is not a valid choice.`] });
    const tracker = trackerOf(number, mode) ?? newTracker(number, carrier, mode);
    return { status: 202, body: shown(tracker) };
  }

  /** `{ tracking | reference, status, times?, at?, expected? }`: a scan of the parcel, and the webhook of it. */
  async function step({ tracking, reference, status, description = status, location = null, times = 1, ...more }) {
    const tracker = Object.values(state.trackers)
      .reverse()
      .find(
        ({ tracking_number: number, shipment_id: id }) =>
          number === tracking || (reference && state.shipments[id]?.reference === reference),
      );
    if (!tracker || !TRACKER_STATUSES.includes(status)) return { error: "There is no such tracker or status." };
    const { at = now(), expected } = more;
    if (expected !== undefined) tracker.estimated_delivery = expected;
    const place = { latitude: null, longitude: null, reason: null, status, timestamp: at };
    const when = { date: at.slice(0, 10), time: at.slice(11, 16) };
    tracker.events.unshift({ code: status, ...when, description, location, ...place }); // newest first: assumed
    Object.assign(tracker, { status, delivered: status === "delivered" });
    const shipment = state.shipments[tracker.shipment_id];
    // Source: a shipment follows its tracker, under the name that it has for the same.
    if (shipment && status !== "pending") shipment.status = status === "on_hold" ? "needs_attention" : status;
    save();
    const sent = [];
    for (let i = 0; i < times; i += 1) sent.push(...(await notify("tracker_updated", shown(tracker), tracker.mode)));
    return { tracker: tracker.id, sent };
  }

  /** OpenAPI, "Create a manifest": of shipments whose labels are bought, of one carrier. There is no way back. */
  function createManifest({ body, mode }) {
    const faults = {};
    for (const field of ["carrier_name", "shipment_ids"]) if (!body[field]) faults[field] = REQUIRED;
    const address = addressFaults(body.address);
    if (address) faults.address = address;
    if (Object.keys(faults).length > 0) return invalid(faults);
    const shipments = body.shipment_ids.map((id) => own(state.shipments, id, mode));
    const unfit = shipments.some((shipment) => shipment?.carrier_name !== body.carrier_name || !shipment?.label);
    if (unfit || shipments.length === 0)
      return invalid({ shipment_ids: ["Every shipment must have a label of this carrier."] }); // the text is assumed
    // That a carrier refuses a parcel which is on a manifest already is assumed.
    if (shipments.some(({ meta }) => meta.manifest_id))
      return carrierRefusal(shipments[0], "manifested", "A shipment is on a manifest already.");
    const id = newId("manf");
    for (const shipment of shipments) shipment.meta.manifest_id = id;
    const manifest = {
      ...{ id, object_type: "manifest", mode, carrier_name: body.carrier_name, carrier_id: shipments[0].carrier_id },
      ...{ meta: {}, test_mode: mode === "test", address: newAddress(body.address), options: body.options ?? {} },
      ...{ reference: body.reference ?? null, metadata: body.metadata ?? {}, messages: [] },
      shipment_identifiers: shipments.map(({ shipment_identifier: number }) => number),
      manifest_url: `${base()}/v1/manifests/${id}/manifest.pdf`,
    };
    state.manifests[id] = manifest;
    return { status: 201, body: shown(manifest) };
  }

  const manifestFile = ({ shipment_identifiers: numbers }) => pdf(["Manifest", ...numbers]);

  function createWebhook({ body, mode }) {
    if (!body.url) return invalid({ url: REQUIRED });
    const unknown = (body.enabled_events ?? []).find((event) => !EVENTS.includes(event));
    if (unknown || !body.enabled_events?.length)
      return invalid({ enabled_events: unknown ? [`"${unknown}" is not a valid choice.`] : REQUIRED });
    const { url, description = null, enabled_events: events } = body;
    const webhook = {
      ...{ id: newId("wbh"), object_type: "webhook", mode, url, description, enabled_events: events },
      ...{ disabled: false, test_mode: mode === "test", secret: `whsec_${randomBytes(16).toString("hex")}` },
      ...{ last_event_at: null, failures: 0 },
    };
    state.webhooks[webhook.id] = webhook;
    return { status: 201, body: shownHook(webhook) };
  }
  const shownHook = ({ failures, ...webhook }) => shown(webhook);

  /**
   * Source, the task `notify_webhook_subscribers`: the body is the event and its data, and the webhook's secret itself
   * is sent as `X-Event-Id`; there is no signature, whatever the pages say of one. More than five failures in a row
   * disable a webhook.
   */
  async function notify(event, data, mode) {
    const hooks = Object.values(state.webhooks).filter(
      (hook) =>
        hook.mode === mode && !hook.disabled && hook.enabled_events.some((name) => [event, "all"].includes(name)),
    );
    const sent = [];
    for (const hook of hooks) {
      const delivery = await deliver(hook.url, { "X-Event-Id": hook.secret }, JSON.stringify({ event, data }));
      const good = delivery.status >= 200 && delivery.status < 400;
      hook.failures = good ? 0 : hook.failures + 1;
      if (good) hook.last_event_at = now();
      hook.disabled = hook.failures > WEBHOOK_FAILURES;
      sent.push(delivery);
    }
    return sent;
  }

  function changeWebhook({ params, mode, method, body }) {
    const webhook = own(state.webhooks, params.id, mode);
    if (!webhook) return notFound("Webhook");
    if (method === "DELETE") delete state.webhooks[webhook.id];
    for (const field of ["url", "description", "enabled_events", "disabled"])
      if (field in body) webhook[field] = body[field];
    return { body: shownHook(webhook) };
  }

  function createAddress({ body, mode }) {
    const faults = addressFaults(body);
    if (faults) return invalid(faults);
    const address = { mode, ...newAddress(body) };
    state.addresses[address.id] = address;
    return { status: 201, body: shown(address) };
  }

  const byId =
    (name, records, show = (record) => ({ body: shown(record) })) =>
    ({ params, mode }) => {
      const record = own(records(), params.id, mode);
      return record ? show(record) : notFound(name);
    };
  const listOf =
    (records, show = shown) =>
    ({ query, path, mode }) => {
      const all = Object.values(records()).filter((record) => record.mode === mode);
      return page(all.reverse().map(show), query, path);
    };
  const tracked = ({ params, mode }) => {
    const tracker = trackerOf(params.id, mode);
    return tracker ? { body: shown(tracker) } : notFound("Tracker");
  };
  const base64Manifest = (manifest) => ({
    ...{ category: "manifest", format: "PDF", url: manifest.manifest_url },
    base64: manifestFile(manifest).toString("base64"),
  });

  return {
    initial: { shipments: {}, trackers: {}, manifests: {}, webhooks: {}, addresses: {}, proxied: {} },
    failure,
    routes: [
      ["POST", "/v1/proxy/rates", proxyRates],
      ["POST", "/v1/proxy/shipping", proxyShipping],
      ["POST", "/v1/proxy/shipping/:carrier/cancel", proxyCancel],
      ["POST", "/v1/shipments", createShipment],
      ["GET", "/v1/shipments", listShipments],
      ["GET", "/v1/shipments/:id/:file", labelFileOf, true],
      ["GET", "/v1/shipments/:id", withShipment((shipment) => ({ body: shown(shipment) }))],
      ["PUT", "/v1/shipments/:id", withShipment(updateShipment)],
      ["POST", "/v1/shipments/:id/rates", withShipment(newRates)],
      ["POST", "/v1/shipments/:id/purchase", withShipment(purchase)],
      ["POST", "/v1/shipments/:id/cancel", withShipment(cancelShipment)],
      ["POST", "/v1/shipments/:id/documents/:doc", withShipment(shipmentDocument)],
      ["POST", "/v1/trackers", createTracker],
      ["GET", "/v1/trackers", listOf(() => state.trackers)],
      ["GET", "/v1/trackers/:id", tracked],
      ["GET", "/v1/trackers/:carrier/:number", createTracker],
      ["POST", "/v1/manifests", createManifest],
      ["GET", "/v1/manifests", listOf(() => state.manifests)],
      ["GET", "/v1/manifests/:id", byId("Manifest", () => state.manifests)],
      [
        "POST",
        "/v1/manifests/:id/document",
        byId(
          "Manifest",
          () => state.manifests,
          (one) => ({ body: base64Manifest(one) }),
        ),
      ],
      ["POST", "/v1/addresses", createAddress],
      ["GET", "/v1/addresses/:id", byId("Address", () => state.addresses)],
      ["POST", "/v1/webhooks", createWebhook],
      ["GET", "/v1/webhooks", listOf(() => state.webhooks, shownHook)],
      [
        "GET",
        "/v1/webhooks/:id",
        byId(
          "Webhook",
          () => state.webhooks,
          (hook) => ({ body: shownHook(hook) }),
        ),
      ],
      ["PATCH", "/v1/webhooks/:id", changeWebhook],
      ["DELETE", "/v1/webhooks/:id", changeWebhook],
    ],
    // OpenAPI, "TokenBasic" and "Token": the key as Basic user name, or after the word Token. It decides the mode, and
    // an object of the other mode is not found. The texts of the refusals are Django REST framework's.
    authorize: (call) => {
      const { scheme, user } = credentials(call.headers);
      if (!user) return refusal(401, "not_authenticated", "Authentication credentials were not provided.");
      if (!["basic", "token"].includes(scheme)) return failure(401);
      call.mode = KEYS[user];
      return call.mode ? undefined : failure(401);
    },
    // No document names a limit, nor a 429; whoever runs karrio may set one. The form is Django REST framework's.
    limits: () => undefined,
    throttled: (_, seconds) => ({
      ...refusal(429, "throttled", `Request was throttled. Expected available in ${seconds} seconds.`),
      headers: { "Retry-After": `${seconds}` },
    }),
    doors: { step },
  };
}

/** Starts a local karrio; see startCarrier for the options. */
export const start = (options) => startCarrier(makeKarrio, options);

await runAlone(fileURLToPath(import.meta.url), start);
