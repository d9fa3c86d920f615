// A local EasyPost (API v2), written from its public documents alone; see README.md for how to drive it.
//
//   node examples/carriers/easypost.mjs --port 0 [--data <file>]
//
// The test key is EZTK_local, the production key EZAK_local. Behind each behaviour stands the page that says so, by its
// name ("Shipments", "Errors" … are pages of docs.easypost.com; "recordings" are the recorded answers that EasyPost
// publishes with its Python client); what no page says is marked "assumed".
import { createHmac, randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { labelFile, pdf } from "./label-files.mjs";
import { credentials, isInUnion, runAlone, startCarrier } from "./local-server.mjs";

const MODES = { EZTK_local: "test", EZAK_local: "production" };
const ACCOUNT = "ca_b25657e9896e4d63ac8151ac346ac41e";
const FORMATS = { PNG: "image/png", PDF: "application/pdf", ZPL: "application/zpl" };
const MOST_OUNCES = 1_120; // USPS takes no parcel above 70 lb
const SERVICES = [
  { service: "Express", cents: 3_125, days: 1 },
  { service: "Priority", cents: 695, days: 2 },
  { service: "GroundAdvantage", cents: 593, days: 3 },
];
// Trackers, "test tracking codes".
const TEST_CODES = {
  EZ1000000001: "pre_transit",
  EZ2000000002: "in_transit",
  EZ3000000003: "out_for_delivery",
  EZ4000000004: "delivered",
  EZ5000000005: "return_to_sender",
  EZ6000000006: "failure",
  EZ7000000007: "unknown",
};
// Errors, "common HTTP status codes". The codes of the ones that have no page of their own are assumed.
const FAILURES = {
  400: ["BAD_REQUEST", "The request was not processed due to a client error."],
  401: ["APIKEY.REQUIRED", "API key required."],
  402: ["PAYMENT_REQUIRED", "There is a lack of billing information or insufficient funds."],
  403: ["APIKEY.INACTIVE", "This api key is no longer active."],
  404: ["NOT_FOUND", "The requested resource could not be found."],
  405: ["METHOD_NOT_ALLOWED", "The request method is not supported for the requested resource."],
  422: ["UNPROCESSABLE_ENTITY", "The server was unable to process the provided data."],
  429: ["RATE_LIMITED", "Too many requests."],
  500: ["INTERNAL_SERVER_ERROR", "An unexpected error occurred on the server."],
  503: ["SERVICE_UNAVAILABLE", "The server is currently unable to handle the request."],
};

const newId = (prefix) => `${prefix}_${randomBytes(16).toString("hex")}`;
// The recordings: addresses tell time with an offset, everything else with a Z, both in whole seconds.
const now = () => `${new Date().toISOString().slice(0, 19)}Z`;
const decimal = (cents, digits = 2) =>
  `${Math.trunc(cents / 100)}.${`${cents % 100}`.padStart(2, "0")}${"0".repeat(digits - 2)}`;

/** Errors, "Error object": a code, a message, and fields (or plain strings) that say more. */
const refusal = (status, code, message, errors = []) => ({ status, body: { error: { code, message, errors } } });
const failure = (status) => refusal(status, ...(FAILURES[status] ?? FAILURES[500]));
const missing = (field, message = "cannot be blank") =>
  refusal(422, "PARAMETER.REQUIRED", "Missing required parameter.", [{ field, message }]);

/**
 * What is wrong with an address. Address Verification Guide: errors have a code, a field, a message and a suggestion.
 * Which addresses exist is assumed: those whose street has a number other than 000, with a city and a postal code.
 */
function addressFaults({ street1, city, zip }) {
  const fault = (code, field, message) => ({ code, field, message, suggestion: null });
  const number = /\d+/.exec(street1 ?? "")?.[0];
  const faults = [];
  if (!number || Number(number) === 0 || !city || !zip)
    faults.push(fault("E.ADDRESS.NOT_FOUND", "address", "Address not found"));
  if (!number) faults.push(fault("E.HOUSE_NUMBER.MISSING", "street1", "House number is missing"));
  return faults;
}

/**
 * Customs Guide: customs information is passed "whenever you are shipping between two countries"; CustomsInfo: who
 * certifies signs; CustomsItem: these are required, value and weight above zero, of all units. What is said of a
 * shipment without it, and that the European Union is one country, is assumed.
 */
function customsFault({ from_address: from, to_address: to, parcel, customs_info: customs }) {
  if (from.country === to.country || (isInUnion(from.country) && isInUnion(to.country))) return undefined;
  if (!customs) return "shipment.customs_info: field required";
  if (customs.customs_certify && !customs.customs_signer) return "customs_info.customs_signer: field required";
  const items = customs.customs_items ?? [];
  if (items.length === 0) return "customs_info.customs_items: field required";
  for (const item of items) {
    for (const field of ["description", "quantity", "value", "weight", "origin_country", "hs_tariff_number"])
      if (!item[field] || item[field] <= 0) return `customs_items.${field}: field required`;
  }
  const ounces = items.reduce((sum, { weight }) => sum + weight, 0);
  return ounces > parcel.weight ? "customs_items weigh more than the parcel" : undefined;
}

function newAddress(given, mode) {
  const at = now().replace("Z", "+00:00");
  const fields = ["name", "company", "street1", "street2", "city", "state", "zip", "country", "phone", "email"];
  const values = Object.fromEntries(fields.map((field) => [field, given[field] ?? null]));
  return {
    ...{ id: newId("adr"), object: "Address", created_at: at, updated_at: at, ...values },
    ...{ country: given.country ?? "US", mode, carrier_facility: null, residential: given.residential ?? null },
    ...{ federal_tax_id: null, state_tax_id: null, verifications: {} },
  };
}

/** Recordings: a verified address is rewritten in capitals, and says where it lies. */
function verify(address) {
  const errors = addressFaults(address);
  const success = errors.length === 0;
  if (success) {
    for (const field of ["name", "company", "street1", "street2", "city"])
      address[field] = address[field]?.toUpperCase() ?? null;
    address.residential = true;
  }
  const details = success ? { latitude: 37.77551, longitude: -122.39697, time_zone: "America/Los_Angeles" } : {};
  address.verifications = { zip4: { success, errors, details: null }, delivery: { success, errors, details } };
  return errors;
}

function makeEasypost({ state, base, next, save, deliver, purchased, voided }) {
  const own = (records, id, mode) => (records[id]?.mode === mode ? records[id] : undefined);

  /**
   * Shipments, "reference: an optional field that may be used in place of id in other API endpoints"; the API guide
   * adds that only ids are sure to be unique. That the youngest of several is meant is assumed.
   */
  function findShipment({ params, mode }) {
    const found = Object.values(state.shipments).filter(({ reference }) => reference === params.id);
    return own(state.shipments, params.id, mode) ?? found.filter((shipment) => shipment.mode === mode).at(-1);
  }

  const addressOf = (given, mode) =>
    given?.id ? own(state.addresses, given.id, mode) : given && keep(state.addresses, newAddress(given, mode));

  function keep(records, record) {
    records[record.id] = record;
    return record;
  }

  /** Shipments, "Messages": a carrier that has no rate says so in `messages`; the shipment is created all the same. */
  function ratesOf(shipment) {
    const message = (text) => ({ carrier: "USPS", carrier_account_id: ACCOUNT, type: "rate_error", message: text });
    if (shipment.parcel.weight > MOST_OUNCES) return [[], [message("Shipment cannot weigh more than 70 lb")]];
    const fault = customsFault(shipment);
    if (fault) return [[], [message(fault)]];
    const rates = SERVICES.map(({ service, cents, days }) => ({
      ...{ id: newId("rate"), object: "Rate", created_at: now(), updated_at: now(), mode: shipment.mode, service },
      ...{ carrier: "USPS", rate: decimal(cents), currency: "USD", retail_rate: decimal(cents + 300) },
      ...{ retail_currency: "USD", list_rate: decimal(cents + 100), list_currency: "USD", billing_type: "easypost" },
      ...{ delivery_days: days, delivery_date: null, delivery_date_guaranteed: false, est_delivery_days: days },
      ...{ shipment_id: shipment.id, carrier_account_id: ACCOUNT },
    }));
    return [rates, []];
  }

  function createShipment({ body, mode, refused }) {
    const given = body.shipment;
    if (!given || Object.keys(given).length === 0) return missing("shipment");
    for (const field of ["to_address", "from_address", "parcel"])
      if (!given[field]) return missing(`shipment.${field}`);
    if (!(Number(given.parcel.weight) > 0)) return missing("parcel.weight", "must be greater than 0");
    const format = given.options?.label_format ?? "PNG";
    if (!FORMATS[format])
      return refusal(
        422,
        "SHIPMENT.INVALID_PARAMS",
        "Unable to create shipment, one or more parameters were invalid.",
        [{ field: "options.label_format", message: "must be PNG, PDF or ZPL" }],
      ); // assumed
    const [to, from] = [addressOf(given.to_address, mode), addressOf(given.from_address, mode)];
    if (!to || !from) return failure(404);
    const shipment = {
      ...{ id: newId("shp"), object: "Shipment", mode, reference: given.reference ?? null, created_at: now() },
      ...{ updated_at: now(), is_return: given.is_return ?? false, status: "unknown", tracking_code: null },
      options: { currency: "USD", payment: { type: "SENDER" }, date_advance: 0, ...given.options },
      ...{ batch_id: null, batch_status: null, batch_message: null, customs_info: given.customs_info ?? null },
      ...{ insurance: null, order_id: null, postage_label: null, refund_status: null, scan_form: null },
      parcel: { id: newId("prcl"), object: "Parcel", mode, predefined_package: null, ...given.parcel },
      ...{ selected_rate: null, tracker: null, usps_zone: 4, forms: [], fees: [] },
      ...{ to_address: to, buyer_address: to, from_address: from, return_address: from },
    };
    [shipment.rates, shipment.messages] = ratesOf(shipment);
    keep(state.shipments, shipment);
    // Shipments, "one-call buy": a service and carrier accounts in the creation buy at once. That a service without a
    // rate leaves the shipment unbought is assumed.
    const rate = given.service && shipment.rates.find(({ service }) => service === given.service);
    const answer = rate ? buyRate(shipment, rate, refused) : { body: shipment };
    return answer.status ? answer : { status: 201, body: answer.body };
  }

  /**
   * Shipments, "buy a shipment". No page knows an idempotency key, and a header of that name changes nothing: whoever
   * creates the shipment anew buys anew. Buying one shipment twice is refused (Errors, list of error codes).
   */
  function buyRate(shipment, rate, refused) {
    if (shipment.postage_label)
      return refusal(422, "SHIPMENT.POSTAGE.EXISTS", "Postage already exists for this shipment.");
    if (refused)
      return refusal(422, "SHIPMENT.POSTAGE.FAILURE", "Unable to buy postage.", ["The carrier refused the shipment."]);
    const format = shipment.options.label_format ?? "PNG";
    const tracking = `94001${`${Date.now()}`.slice(-8)}${`${next()}`.padStart(9, "0")}`;
    const label = { object: "PostageLabel", id: newId("pl"), created_at: now(), updated_at: now(), date_advance: 0 };
    const urls = { label_url: fileUrl(shipment, format), label_pdf_url: null, label_zpl_url: null };
    shipment.postage_label = {
      ...{ ...label, integrated_form: "none", label_date: now(), label_resolution: 300, label_size: "4x6" },
      ...{ label_type: "default", label_file_type: FORMATS[format], ...urls, label_epl2_url: null, label_file: null },
    };
    shipment.tracking_code = tracking;
    shipment.selected_rate = rate;
    shipment.tracker = keep(state.trackers, newTracker(tracking, shipment.mode, "unknown", shipment.id));
    const fee = (type, amount) => ({ object: "Fee", type, amount, charged: true, refunded: false });
    shipment.fees = [fee("LabelFee", "0.00000"), fee("PostageFee", `${rate.rate}000`)];
    shipment.updated_at = now();
    purchased({ id: shipment.id, reference: shipment.reference, tracking, service: rate.service, price: rate.rate });
    return { body: shipment };
  }

  const fileUrl = (shipment, format) => `${base()}/files/postage_label/${shipment.id}.${format.toLowerCase()}`;

  function buy(call) {
    const shipment = findShipment(call);
    if (!shipment) return failure(404);
    if (!call.body.rate?.id) return missing("rate");
    const rate = shipment.rates.find(({ id }) => id === call.body.rate.id);
    if (!rate && !shipment.postage_label) return failure(404); // assumed
    return buyRate(shipment, rate, call.refused);
  }

  /** Shipments, "convert the label format of a shipment": `file_format` is ZPL, PDF, PNG or EPL2 (EPL2 is left out). */
  function convertLabel(call) {
    const shipment = findShipment(call);
    if (!shipment) return failure(404);
    if (!shipment.postage_label) return refusal(422, "SHIPMENT.POSTAGE.REQUIRED", "Postage is required."); // assumed
    const format = (call.query.get("file_format") ?? "").toUpperCase();
    if (!FORMATS[format]) return missing("file_format", "must be PNG, PDF or ZPL"); // assumed
    if (format !== "PNG") shipment.postage_label[`label_${format.toLowerCase()}_url`] = fileUrl(shipment, format);
    return { body: shipment };
  }

  function labelOf({ params }) {
    const [id, ending = ""] = params.file.split(".");
    const shipment = state.shipments[id];
    const type = FORMATS[ending.toUpperCase()];
    if (!shipment?.postage_label || !type) return failure(404);
    const { name, street1, city, zip, country } = shipment.to_address;
    const lines = [
      shipment.tracking_code,
      `${shipment.reference}`,
      `${name}`,
      `${street1}`,
      `${zip} ${city} ${country}`,
    ];
    return { body: labelFile(type, lines), headers: { "Content-Type": type } };
  }

  /**
   * Shipping Refund: most often "submitted" at first, later "refunded" or "rejected"; a parcel that USPS has scanned
   * does not qualify; a rejected one may be asked for again. The side door `refund` answers for the carrier. That a
   * refund which is under way is told as it stands, and that nothing bought is refused so, is assumed.
   */
  function refund(call) {
    const shipment = findShipment(call);
    if (!shipment) return failure(404);
    if (!shipment.postage_label)
      return refusal(422, "SHIPMENT.REFUND.UNAVAILABLE", "Refund is not possible for this shipment.");
    if (shipment.refund_status === null || shipment.refund_status === "rejected")
      settleRefund(shipment, ["unknown", "pre_transit"].includes(shipment.tracker.status) ? "submitted" : "rejected");
    return { body: shipment };
  }

  function settleRefund(shipment, status) {
    shipment.refund_status = status;
    shipment.updated_at = now();
    if (status !== "rejected") voided(shipment.id);
    if (status === "refunded") for (const fee of shipment.fees) fee.refunded = true;
  }

  /** Lists: `has_more` and ids to go on from. The default and the most of `page_size` are the pages' 20 and 100. */
  function list(name, records, { query, mode }, fits = () => true) {
    const size = Math.min(Number(query.get("page_size") ?? 20), 100);
    const all = Object.values(records).filter((record) => record.mode === mode && fits(record));
    const newest = all.reverse();
    const before = query.get("before_id");
    const from = before ? newest.findIndex(({ id }) => id === before) + 1 : 0;
    return { body: { [name]: newest.slice(from, from + size), has_more: newest.length > from + size } };
  }

  function newTracker(code, mode, status, shipmentId) {
    return {
      ...{ id: newId("trk"), object: "Tracker", mode, tracking_code: code, status, status_detail: "unknown" },
      ...{ created_at: now(), updated_at: now(), signed_by: null, weight: null, est_delivery_date: null },
      ...{ shipment_id: shipmentId, carrier: "USPS", tracking_details: [], fees: [], carrier_detail: null },
      ...{ finalized: status === "delivered", is_return: false, public_url: `${base()}/track/${code}` },
    };
  }

  function createTracker({ body, mode }) {
    const code = body.tracker?.tracking_code;
    if (!code) return missing("tracker.tracking_code");
    // Tracking Guide: without a carrier it is detected from the code; a code that no carrier knows is refused (the
    // error's code is assumed).
    if (!TEST_CODES[code] && !/^\d{12,}$/.test(code) && !body.tracker.carrier)
      return refusal(422, "TRACKER.CREATE.ERROR", "Unable to detect the carrier of the tracking code.");
    return { status: 201, body: keep(state.trackers, newTracker(code, mode, TEST_CODES[code] ?? "unknown", null)) };
  }

  /**
   * ScanForm: no refunded shipment, one origin address, none that is on a form already. A form that cannot be made has
   * the status "failed" and says why in `message`; that it is answered so at once is assumed.
   */
  function createScanForm({ body, mode }) {
    const given = body.scan_form ?? body;
    const asked = given.shipments ?? given.shipment ?? [];
    if (asked.length === 0) return missing("shipments");
    const shipments = asked.map(({ id }) => own(state.shipments, id, mode));
    if (shipments.some((shipment) => !shipment)) return failure(404);
    const origin = ({ from_address: { street1, zip } }) => `${street1} ${zip}`;
    const fault = shipments.some(({ postage_label }) => !postage_label)
      ? "Every shipment must have postage."
      : shipments.some(({ refund_status }) => refund_status)
        ? "Refunded shipments cannot be added."
        : shipments.some(({ scan_form }) => scan_form)
          ? "A shipment cannot be added to more than one ScanForm."
          : shipments.some((shipment) => origin(shipment) !== origin(shipments[0]))
            ? "Each shipment must have the same origin address."
            : null;
    const form = keep(state.scanForms, {
      ...{ id: newId("sf"), object: "ScanForm", mode, created_at: now(), updated_at: now() },
      tracking_codes: shipments.map(({ tracking_code }) => tracking_code),
      ...{ address: shipments[0].from_address, status: fault ? "failed" : "created", message: fault },
      ...{ form_url: null, form_file_type: null, batch_id: newId("batch"), confirmation: null },
    });
    if (fault) return { body: form };
    form.form_url = `${base()}/files/scan_form/${form.id}.pdf`;
    for (const shipment of shipments) shipment.scan_form = { id: form.id, object: "ScanForm" };
    return { body: form };
  }

  function scanFormFile({ params }) {
    const form = state.scanForms[params.file.split(".")[0]];
    if (form?.status !== "created") return failure(404);
    return { body: pdf(["SCAN Form", ...form.tracking_codes]), headers: { "Content-Type": "application/pdf" } };
  }

  function createAddress({ body, mode }) {
    if (!body.address) return missing("address");
    const address = newAddress(body.address, mode);
    // Address Verification Guide: the presence of the parameter counts, not its value; the strict one refuses.
    const strict = "verify_strict" in body;
    const errors = strict || "verify" in body ? verify(address) : [];
    if (strict && errors.length > 0) return refusal(422, "ADDRESS.VERIFY.FAILURE", "Unable to verify address.", errors);
    return { status: 201, body: keep(state.addresses, address) };
  }

  function verifyAddress({ params, mode }) {
    const address = own(state.addresses, params.id, mode);
    if (!address) return failure(404);
    const errors = verify(address);
    return errors.length > 0
      ? refusal(422, "ADDRESS.VERIFY.FAILURE", "Unable to verify address.", errors)
      : { body: { address } };
  }

  function createWebhook({ body, mode }) {
    const given = body.webhook ?? {};
    if (!given.url) return missing("webhook.url");
    const webhook = {
      id: newId("hook"),
      object: "Webhook",
      mode,
      url: given.url,
      created_at: now(),
      disabled_at: null,
    };
    keep(state.webhooks, {
      ...webhook,
      custom_headers: given.custom_headers ?? [],
      secret: given.webhook_secret ?? null,
    });
    return { status: 201, body: shown(state.webhooks[webhook.id]) };
  }
  const shown = ({ secret, ...webhook }) => webhook; // never told again

  /**
   * Events and the Webhooks Guide: an event is posted at least once to each webhook of its mode. With a secret it is
   * signed: `X-Hmac-Signature: hmac-sha256-hex=` and the HMAC-SHA256 of the body's bytes under the secret in its NFKD
   * form (as the official clients check it).
   */
  async function send(description, result, previous, times) {
    const event = keep(state.events, {
      ...{ id: newId("evt"), object: "Event", mode: result.mode, description, created_at: now(), updated_at: now() },
      ...{ previous_attributes: previous, result: structuredClone(result), status: "pending", user_id: "user_local" },
    });
    const hooks = Object.values(state.webhooks).filter(({ mode, disabled_at }) => mode === result.mode && !disabled_at);
    const content = JSON.stringify({ ...event, pending_urls: hooks.map(({ url }) => url), completed_urls: [] });
    save();
    const sent = [];
    for (const hook of hooks) {
      const headers = Object.fromEntries(hook.custom_headers.map(({ name, value }) => [name, value]));
      if (hook.secret)
        headers["X-Hmac-Signature"] = `hmac-sha256-hex=${createHmac("sha256", hook.secret.normalize("NFKD"))
          .update(content)
          .digest("hex")}`;
      for (let i = 0; i < times; i += 1) sent.push(await deliver(hook.url, headers, content));
    }
    if (sent.every(({ status }) => status >= 200 && status < 300)) event.status = "completed";
    return { event, sent };
  }

  /**
   * A step of a parcel: `{ tracking | reference, status, times?, at?, expected? }`; `times` sends the webhook so often.
   */
  async function step({ tracking, reference, status, message = status, city = null, times = 1, at = now(), expected }) {
    const tracker = Object.values(state.trackers).find(
      ({ tracking_code, shipment_id }) =>
        tracking_code === tracking || (reference && state.shipments[shipment_id]?.reference === reference),
    );
    if (!tracker) return { error: "There is no such tracker." };
    const previous = { status: tracker.status };
    const place = { object: "TrackingLocation", city, state: null, country: null, zip: null };
    const detail = { object: "TrackingDetail", message, description: null, status, status_detail: null };
    tracker.tracking_details.push({
      ...{ ...detail, datetime: at, source: "USPS", carrier_code: null, tracking_location: place },
    });
    Object.assign(tracker, { status, updated_at: now(), finalized: status === "delivered" });
    if (expected !== undefined) tracker.est_delivery_date = expected;
    const shipment = state.shipments[tracker.shipment_id];
    if (shipment) Object.assign(shipment, { status, tracker, updated_at: now() });
    return send("tracker.updated", tracker, previous, times);
  }

  const byId =
    (records, show = (record) => record) =>
    ({ params, mode }) => {
      const record = own(records(), params.id, mode);
      return record ? { body: show(record) } : failure(404);
    };

  function changeWebhook({ params, mode, method, body }) {
    const webhook = own(state.webhooks, params.id, mode);
    if (!webhook) return failure(404);
    if (method === "DELETE") {
      delete state.webhooks[webhook.id];
      return { body: {} };
    }
    // Webhooks: an update enables a disabled webhook again, and may bring a new secret.
    const { webhook_secret: secret = webhook.secret, url = webhook.url } = body.webhook ?? body;
    Object.assign(webhook, { secret, url, disabled_at: null });
    return { body: shown(webhook) };
  }

  const shipmentOf = (call) => {
    const body = findShipment(call);
    return body ? { body } : failure(404);
  };

  return {
    initial: { addresses: {}, shipments: {}, trackers: {}, scanForms: {}, webhooks: {}, events: {} },
    failure,
    routes: [
      ["POST", "/v2/addresses", createAddress],
      ["GET", "/v2/addresses/:id", byId(() => state.addresses)],
      ["GET", "/v2/addresses/:id/verify", verifyAddress],
      ["POST", "/v2/shipments", createShipment],
      ["GET", "/v2/shipments", listShipments],
      ["GET", "/v2/shipments/:id", shipmentOf],
      ["POST", "/v2/shipments/:id/rerate", rerate],
      ["POST", "/v2/shipments/:id/buy", buy],
      ["GET", "/v2/shipments/:id/label", convertLabel],
      ["POST", "/v2/shipments/:id/refund", refund],
      ["POST", "/v2/scan_forms", createScanForm],
      ["GET", "/v2/scan_forms", (call) => list("scan_forms", state.scanForms, call)],
      ["GET", "/v2/scan_forms/:id", byId(() => state.scanForms)],
      ["POST", "/v2/trackers", createTracker],
      ["GET", "/v2/trackers", listTrackers],
      ["GET", "/v2/trackers/:id", byId(() => state.trackers)],
      ["POST", "/v2/webhooks", createWebhook],
      ["GET", "/v2/webhooks", ({ mode }) => ({ body: { webhooks: modeOf(state.webhooks, mode).map(shown) } })],
      ["GET", "/v2/webhooks/:id", byId(() => state.webhooks, shown)],
      ["PATCH", "/v2/webhooks/:id", changeWebhook],
      ["DELETE", "/v2/webhooks/:id", changeWebhook],
      ["GET", "/v2/events", (call) => list("events", state.events, call)],
      ["GET", "/v2/events/:id", byId(() => state.events)],
      // Recordings: the files lie on another host, open to whoever knows the address.
      ["GET", "/files/postage_label/:file", labelOf, true],
      ["GET", "/files/scan_form/:file", scanFormFile, true],
    ],
    // Authentication: the key is the user name of Basic (or follows Bearer, as in the Python client), and decides the
    // mode. That a missing key is 401 and an unknown one 403 APIKEY.INACTIVE is what users report; the page says 401.
    authorize: (call) => {
      const { user } = credentials(call.headers);
      if (!user) return failure(401);
      call.mode = MODES[user];
      return call.mode ? undefined : failure(403);
    },
    // Rate Limiting and Backoff Guide: five requests a second over the index endpoints; the other limit follows load.
    limits: ({ method, path }) =>
      method === "GET" && /^\/v2\/(shipments|trackers|scan_forms|events)\/?$/.test(path)
        ? { name: "index", count: 5, windowMs: 1_000 }
        : undefined,
    // That guide tells clients to back off by themselves and names no header; Retry-After is assumed.
    throttled: (_, seconds) => ({ ...failure(429), headers: { "Retry-After": `${seconds}` } }),
    doors: {
      step,
      refund: ({ reference, status = "refunded" }) => {
        const shipment = Object.values(state.shipments).find((one) => one.reference === reference && one.refund_status);
        if (!shipment) return { error: "There is no such refund." };
        settleRefund(shipment, status);
        return { refund_status: status };
      },
    },
  };

  function modeOf(records, wanted) {
    return Object.values(records).filter(({ mode }) => mode === wanted);
  }

  /** Shipments, "retrieve a list": `purchased` is true unless it is said otherwise; no filter is by reference. */
  function listShipments(call) {
    const all = call.query.get("purchased") === "false";
    return list("shipments", state.shipments, call, ({ postage_label }) => all || postage_label !== null);
  }

  function listTrackers(call) {
    const code = call.query.get("tracking_code");
    return list("trackers", state.trackers, call, ({ tracking_code }) => !code || tracking_code === code);
  }

  function rerate(call) {
    const shipment = findShipment(call);
    if (!shipment) return failure(404);
    if (shipment.postage_label)
      return refusal(422, "SHIPMENT.POSTAGE.EXISTS", "Postage already exists for this shipment.");
    [shipment.rates, shipment.messages] = ratesOf(shipment);
    return { body: shipment };
  }
}

/** Starts a local EasyPost; see startCarrier for the options. */
export const start = (options) => startCarrier(makeEasypost, options);

await runAlone(fileURLToPath(import.meta.url), start);
