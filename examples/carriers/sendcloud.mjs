// A local Sendcloud (panel API v2, and the shipments of v3), written from its public documents alone; see README.md for
// how to drive it.
//
//   node examples/carriers/sendcloud.mjs --port 0 [--data <file>]
//
// The public key is local_public, the secret key local_secret. Behind each behaviour stands the page that says so, by
// its name in Sendcloud's developer documents ("v2 Parcels", "v3 Shipments" … are its OpenAPI documents); what no
// page says is marked "assumed".
import { createHmac, randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { labelFile } from "./label-files.mjs";
import { credentials, isInUnion, runAlone, startCarrier } from "./local-server.mjs";

const PUBLIC_KEY = "local_public";
const SECRET_KEY = "local_secret";
const CANCEL_DAYS = 42;
const HIGHEST_SYNC_PARCELS = 15;
const COUNTRIES = {
  ...{ NL: ["NLD", "Netherlands"], DE: ["DEU", "Germany"], BE: ["BEL", "Belgium"], FR: ["FRA", "France"] },
  ...{ AT: ["AUT", "Austria"], GB: ["GBR", "United Kingdom"], US: ["USA", "United States"] },
};
// "Creating test labels": the unstamped letter has the id 8, the option sendcloud:letter, and costs nothing. Ids are
// volatile, say the pages. That DHL queues a cancellation and PostNL cancels at once is assumed: pages leave it open.
const METHODS = [
  { id: 8, code: "sendcloud:letter", carrier: "sendcloud", name: "Unstamped letter", grams: [1, 31_500], cents: 0 },
  { id: 1, code: "postnl:standard", carrier: "postnl", name: "PostNL Standard 0-23kg", grams: [1, 23_001], cents: 675 },
  { id: 8_021, code: "dhl:standard", carrier: "dhl", name: "DHLForYou 0-23kg", grams: [1, 23_001], cents: 1_001 },
];
const CARRIER_NAMES = { sendcloud: "Sendcloud", postnl: "PostNL", dhl: "DHL" };
// v2 Parcel statuses (the id and the message), v2 Tracking (`parent_status`) and v3 (the code).
const STATUSES = {
  announcing: [12, "Being announced", "announcing", "ANNOUNCING"],
  ready: [1_000, "Ready to send", "ready-to-send", "READY_TO_SEND"],
  unannounced: [999, "No label", "no-label", "NO_LABEL"],
  failed: [1_002, "Announcement failed", "announcement-failed", "ANNOUNCEMENT_FAILED"],
  in_transit: [3, "En route to sorting center", "shipment-on-route", "EN_ROUTE_TO_SORTING_CENTER"],
  out_for_delivery: [92, "Driver en route", "driver-on-route", "DRIVER_EN_ROUTE"],
  delivered: [11, "Delivered", "delivered", "DELIVERED"],
  // The names of these are the page's; their ids are assumed.
  pickup: [62_995, "Awaiting customer pickup", "awaiting-customer-pickup", "AWAITING_CUSTOMER_PICKUP"],
  exception: [80, "Unable to deliver", "unable-to-deliver", "UNABLE_TO_DELIVER"],
  returned: [62_992, "Returned to sender", "returned-to-sender", "RETURNED_TO_SENDER"],
  cancelling: [1_999, "Cancellation requested", "cancellation-requested", "CANCELLATION_REQUESTED"],
  cancelled: [2_000, "Cancelled", "cancelled", "CANCELLED"],
};
const TYPES = ["application/pdf", "application/zpl", "image/png"];

const money = (cents) => `${Math.trunc(cents / 100)}.${`${cents % 100}`.padStart(2, "0")}`;
const kilograms = (grams) => `${Math.trunc(grams / 1_000)}.${`${grams % 1_000}`.padStart(3, "0")}`;
const grams = (text) => Math.round(Number(text) * 1_000);
/** v2 Parcels: 01-01-2018 21:45:30. */
const v2Date = (iso) => iso && `${iso.slice(8, 10)}-${iso.slice(5, 7)}-${iso.slice(0, 4)} ${iso.slice(11, 19)}`;
const isV3 = ({ path }) => path.startsWith("/api/v3/");

/** v3 Shipments, "errors": a status as text, a code, a detail, and a pointer into the body. */
const v3Error = (status, code, detail, pointer) => ({
  status,
  body: { errors: [{ status: `${status}`, code, detail, ...(pointer && { source: { pointer } }) }] },
});
/** Handling parcel errors: the code, the path and one text which names the fields. */
const v2Error = (status, path, message) => ({
  status,
  body: { error: { code: status, request: path.replace(/^\//, ""), message } },
});
const FAILURES = {
  400: ["invalid", "Malformed request."],
  401: ["authentication_failed", "Invalid username/password."],
  404: ["not_found", "Not found."],
  429: ["throttled", "Request was throttled."],
};
function failure(status, call) {
  const [code, text] = FAILURES[status] ?? ["error", "A server error occurred."];
  return isV3(call) ? v3Error(status, code, text) : v2Error(status, call.path, text);
}

/**
 * International shipping: what is required of a parcel that leaves the European Union, where all that is sent from here
 * comes from. The words are assumed.
 */
function customsFaults({ country, country_state: region, parcel_items: items }) {
  const required = ["This field is required."];
  const state = ["AU", "CA", "IT", "US"].includes(country) && !region ? { country_state: required } : {};
  if (!country || isInUnion(country)) return state;
  const fields = ["description", "quantity", "weight", "value", "hs_code", "origin_country"];
  const isDeclared = items?.length > 0 && items.every((item) => fields.every((field) => item[field]));
  return isDeclared ? state : { ...state, parcel_items: required };
}

function makeSendcloud({ state, options, base, next, save, deliver, purchased, voided }) {
  const secret = options.secret ?? SECRET_KEY;

  const methodOf = ({ shipment, ship_with: shipWith }) =>
    METHODS.find(({ id, code }) => id === shipment?.id || code === shipWith?.properties?.shipping_option_code);

  // --- parcels of v2

  /** What is wrong with a parcel: v2 Parcels names the required fields; a blank house number is that page's example. */
  function parcelFaults(given) {
    const faults = {};
    for (const field of ["name", "address", "city", "postal_code", "country"])
      if (!given[field]) faults[field] = [field in given ? "This field may not be blank." : "This field is required."];
    if (given.house_number === "") faults.house_number = ["This field cannot be blank."];
    if (given.country && !COUNTRIES[given.country]) faults.country = ["This country is not known."]; // assumed
    Object.assign(faults, customsFaults(given));
    if (!given.request_label) return faults;
    const method = methodOf(given);
    // That these are the texts is assumed; that a label needs a method and a weight that it takes follows from v2
    // Shipping methods (`min_weight`, `max_weight`).
    if (!method) faults.shipment = ["Shipping method is not known."];
    else if (!(grams(given.weight ?? "1.000") >= method.grams[0] && grams(given.weight ?? "1.000") < method.grams[1]))
      faults.weight = [`The weight must be between ${kilograms(method.grams[0])} and ${kilograms(method.grams[1])}.`];
    return faults;
  }

  function newParcel(given) {
    const at = new Date().toISOString();
    const method = methodOf(given);
    const { request_label: _, country, id: __, ...fields } = given;
    const id = 3_170 + next();
    state.parcels[id] = {
      ...{ id, ...fields, country, weight: kilograms(grams(given.weight ?? "1.000")) },
      ...{ method: method?.code ?? null, at, updated: at, announced: null, tracking: "", status: "unannounced" },
      ...{ history: [], errors: null, external_reference: given.external_reference ?? null, shipmentId: null },
      shipmentUuid: randomUUID(),
    };
    return state.parcels[id];
  }

  function setStatus(parcel, status, at = new Date().toISOString()) {
    parcel.status = status;
    parcel.updated = new Date().toISOString();
    parcel.history.push({ at, status, id: `${next()}` });
  }

  /** Announces a parcel to its carrier: the moment at which a label is bought. */
  function announce(parcel, refused) {
    const method = METHODS.find(({ code }) => code === parcel.method);
    setStatus(parcel, "announcing");
    if (refused) {
      setStatus(parcel, "failed");
      parcel.errors = [`${CARRIER_NAMES[method.carrier]} service error: the carrier refused the parcel.`];
      return false;
    }
    parcel.errors = null;
    parcel.announced = new Date().toISOString();
    parcel.tracking = `3SLOC${`${parcel.id}`.padStart(9, "0")}`;
    setStatus(parcel, "ready");
    const reference = parcel.external_reference ?? parcel.order_number ?? null;
    purchased({
      id: parcel.id,
      reference,
      tracking: parcel.tracking,
      service: method.code,
      price: money(method.cents),
    });
    return true;
  }

  /** v2 Parcels, "Parcel Object". */
  function shownParcel(parcel) {
    const { at, updated, announced, tracking, status, method, history, errors, shipmentId, shipmentUuid, ...fields } =
      parcel;
    const [iso3, name] = COUNTRIES[parcel.country];
    const known = METHODS.find(({ code }) => code === method);
    const labelled = announced !== null;
    const normal = [0, 1, 2, 3].map((n) => `${base()}/api/v2/labels/normal_printer/${parcel.id}?start_from=${n}`);
    return {
      ...fields,
      address_divided: { street: parcel.address, house_number: parcel.house_number ?? "" },
      country: { iso_2: parcel.country, iso_3: iso3, name },
      ...{ date_created: v2Date(at), date_updated: v2Date(updated), date_announced: v2Date(announced) },
      ...{ tracking_number: tracking, tracking_url: labelled ? `${base()}/track/${tracking}` : null },
      label: labelled
        ? { normal_printer: normal, label_printer: `${base()}/api/v2/labels/label_printer/${parcel.id}` }
        : { normal_printer: null, label_printer: null },
      documents: labelled
        ? [{ type: "label", size: "a6", link: `${base()}/api/v2/parcels/${parcel.id}/documents/label` }]
        : [],
      status: { id: STATUSES[status][0], message: STATUSES[status][1] },
      shipment: known ? { id: known.id, name: known.name } : null,
      carrier: { code: known?.carrier ?? null },
      ...{
        shipment_uuid: shipmentUuid,
        collo_nr: 0,
        collo_count: 1,
        is_return: false,
        reference: fields.reference ?? "0",
      },
      ...(errors && { errors: { non_field_errors: errors } }),
    };
  }

  /**
   * v2 Parcels, "external_reference": unique across parcels, "used to create idempotence". That the same reference
   * answers with the parcel of the first time, whatever the rest of the body says, is assumed; started with
   * `{ duplicates: "refuse" }` it refuses it with 400 instead. An order number may come as often as it likes.
   */
  function knownParcel({ external_reference: reference }) {
    return reference && Object.values(state.parcels).find((parcel) => parcel.external_reference === reference);
  }

  function createParcels({ body, path, query, refused }) {
    const single = body.parcel !== undefined;
    const given = single ? [body.parcel] : (body.parcels ?? []);
    if (given.length === 0) return v2Error(400, path, "parcel: 'This field is required.'");
    const verbose = query.get("errors") ?? "";
    const failed = [];
    const good = [];
    for (const parcel of given) {
      const faults = parcelFaults(parcel);
      if (options.duplicates === "refuse" && knownParcel(parcel))
        faults.external_reference = ["Parcel with this external reference already exists."];
      if (Object.keys(faults).length > 0) failed.push({ parcel, errors: faults });
      else good.push(parcel);
    }
    // Handling parcel errors: without `errors=`, one fault refuses the whole request; with it, the rest is processed.
    if (failed.length > 0 && !verbose) {
      const [[field, [text]]] = Object.entries(failed[0].errors);
      return v2Error(400, path, `${field}: '${text}'`);
    }
    const made = good.map((parcel) => {
      const known = knownParcel(parcel);
      // That a parcel whose announcement failed is announced anew is assumed.
      const record = known ?? newParcel(parcel);
      if (parcel.request_label && (!known || known.status === "failed")) announce(record, refused);
      return record;
    });
    // v2 Parcels, "Carrier returned an error": one parcel that the carrier refuses is a 400; it stays, as failed.
    const refusedOne = made.length === 1 && made[0].status === "failed";
    if (refusedOne && verbose !== "verbose") return v2Error(400, path, `non_field_errors: '${made[0].errors[0]}'`);
    if (failed.length > 0) return { body: { parcels: made.map(shownParcel), failed_parcels: failed } };
    return { body: single ? { parcel: shownParcel(made[0]) } : { parcels: made.map(shownParcel) } };
  }

  /** v2 Parcels, "Update a parcel": only while it is not announced; `request_label: true` announces it. */
  function updateParcel({ body, path, refused }) {
    const parcel = state.parcels[body.parcel?.id];
    if (!parcel) return v2Error(404, path, "No Parcel matches the given query.");
    if (parcel.announced) return v2Error(400, path, "This parcel is announced and cannot be changed."); // assumed
    const next = { ...parcel, ...body.parcel };
    const faults = parcelFaults({ ...next, shipment: next.shipment ?? { id: methodByCode(parcel.method)?.id } });
    if (Object.keys(faults).length > 0) {
      const [[field, [text]]] = Object.entries(faults);
      return v2Error(400, path, `${field}: '${text}'`);
    }
    const { request_label: label, ...fields } = body.parcel;
    Object.assign(parcel, fields, { method: methodOf(fields)?.code ?? parcel.method });
    if (label && !announce(parcel, refused)) return v2Error(400, path, `non_field_errors: '${parcel.errors[0]}'`);
    return { body: { parcel: shownParcel(parcel) } };
  }
  const methodByCode = (wanted) => METHODS.find(({ code }) => code === wanted);

  /** v2 Parcels, "Retrieve parcels": these filters, and a cursor (here simply the id to go on below). */
  function listParcels({ query, path }) {
    const ids = query.get("ids")?.split(",");
    const fits = (parcel) =>
      (!ids || ids.includes(`${parcel.id}`)) &&
      ["external_reference", "order_number"].every((key) => !query.get(key) || parcel[key] === query.get(key)) &&
      (!query.get("tracking_number") || parcel.tracking === query.get("tracking_number")) &&
      (!query.get("parcel_status") || `${STATUSES[parcel.status][0]}` === query.get("parcel_status"));
    const cursor = query.get("cursor");
    if (cursor && !/^\d+$/.test(cursor)) return v2Error(404, path, "Invalid cursor");
    const all = Object.values(state.parcels)
      .filter((parcel) => fits(parcel) && (!cursor || parcel.id < Number(cursor)))
      .reverse();
    const page = all.slice(0, 100);
    const next = all.length > page.length ? `${page.at(-1).id}` : null;
    return { body: { next, previous: null, parcels: page.map(shownParcel) } };
  }

  const withParcel = (run) => (call) => {
    const parcel = state.parcels[call.params.id];
    return parcel ? run(parcel, call) : v2Error(404, call.path, "No Parcel matches the given query.");
  };

  /**
   * v2 "Cancel a parcel" and v3 "Cancel a shipment": at once or queued, as the carrier does; refused when it is
   * cancelled, delivered or older than 42 days. Returns what happened.
   */
  function cancel(parcel) {
    if (!parcel.announced) return "deleted";
    const age = (Date.now() - Date.parse(parcel.announced)) / 86_400_000;
    if (["cancelled", "cancelling", "delivered"].includes(parcel.status) || age > CANCEL_DAYS) return "refused";
    const queued = methodByCode(parcel.method).carrier === "dhl";
    setStatus(parcel, queued ? "cancelling" : "cancelled");
    if (!queued) voided(parcel.id);
    return queued ? "queued" : "cancelled";
  }

  function cancelParcel(parcel) {
    const failed = parcel.status === "failed";
    const came = cancel(parcel);
    if (came === "deleted") delete state.parcels[parcel.id];
    const answers = {
      cancelled: [200, "Parcel has been cancelled"],
      queued: [202, "Parcel cancellation has been queued"],
      refused: [400, "This parcel cannot be cancelled"],
      // 410 is said of a failed announcement; of a parcel that never was announced, 200 and this body are assumed.
      deleted: [failed ? 410 : 200, "Parcel has been deleted"],
    };
    const [status, message] = answers[came];
    return { status, body: { status: came === "refused" ? "failed" : came, message } };
  }

  // --- labels

  const linesOf = (parcel) => [
    parcel.tracking,
    `${parcel.external_reference ?? parcel.order_number ?? ""}`,
    `${parcel.name}`,
    `${parcel.address} ${parcel.house_number ?? ""}`,
    `${parcel.postal_code} ${parcel.city} ${parcel.country}`,
  ];

  function document(parcel, call) {
    // v2 Parcel documents, v3 Parcel documents: the format is asked for by Accept, and is PDF otherwise.
    if (!parcel.announced || call.params.type !== "label")
      return isV3(call) ? v3Error(404, "not_found", "Not found.") : v2Error(404, call.path, "Not found.");
    const type = TYPES.find((known) => call.headers.accept?.includes(known)) ?? TYPES[0];
    return { body: labelFile(type, linesOf(parcel)), headers: { "Content-Type": type } };
  }

  function labelLinks(parcel, call) {
    if (!parcel.announced) return v2Error(404, call.path, "No label available for this parcel.");
    return { body: { label: shownParcel(parcel).label } };
  }

  const printerLabel = (parcel, call) => document(parcel, { ...call, params: { type: "label" }, headers: {} });

  /** v2 Tracking: the newest status first; of an unknown number the answer is XML. */
  function tracking({ params }) {
    const parcel = Object.values(state.parcels).find((one) => one.tracking === params.number);
    if (!parcel)
      return {
        status: 404,
        body: "<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message></Error>",
        headers: { "Content-Type": "application/xml" },
      };
    const { carrier } = methodByCode(parcel.method);
    const statuses = parcel.history.map(({ at, status, id }) => ({
      ...{ carrier_update_timestamp: at, parcel_status_history_id: id, parent_status: STATUSES[status][2] },
      ...{ carrier_code: carrier, carrier_message: STATUSES[status][1] },
    }));
    const urls = { carrier_tracking_url: `${base()}/track/${params.number}`, sendcloud_tracking_url: null };
    const kind = { is_return: false, is_to_service_point: false, is_mail_box: false };
    return {
      body: {
        ...{ parcel_id: `${parcel.id}`, carrier_code: carrier, created_at: parcel.at, ...urls, ...kind },
        expected_delivery_date: parcel.expected ?? null,
        statuses: statuses.reverse(),
      },
    };
  }

  // --- shipments of v3

  const ADDRESS_FIELDS = ["name", "address_line_1", "postal_code", "city", "country_code"];

  function v3Fault(body) {
    const required = (pointer) => v3Error(400, "required", "This field is required.", pointer);
    for (const side of ["to_address", "from_address"]) {
      if (!body[side]) return required(`/${side}`);
      if (side === "from_address" && body[side].sender_address_id) continue;
      for (const field of ADDRESS_FIELDS) if (!body[side][field]) return required(`/${side}/${field}`);
    }
    if (!body.ship_with) return required("/ship_with");
    if (!body.parcels?.length) return required("/parcels");
    if (!methodOf(body))
      return v3Error(400, "invalid", "Unknown option.", "/ship_with/properties/shipping_option_code"); // assumed
    for (const [i, { weight }] of body.parcels.entries()) if (!weight) return required(`/parcels/${i}/weight`);
    if (!COUNTRIES[body.to_address.country_code])
      return v3Error(400, "invalid", "Unknown country.", "/to_address/country_code"); // assumed
    return undefined;
  }

  const shipmentByReference = (reference) =>
    reference && Object.values(state.shipments).find((shipment) => shipment.external_reference_id === reference);

  function createShipment({ body, refused, path }) {
    const sync = path.endsWith("/announce");
    const fault = v3Fault(body);
    if (fault) return fault;
    if (sync && body.parcels.length > HIGHEST_SYNC_PARCELS)
      return v3Error(400, "max_length", `At most ${HIGHEST_SYNC_PARCELS} parcels.`, "/parcels");
    // v3 Shipments, "external_reference_id": used a second time it is a 409 "and the associated object being returned".
    const known = shipmentByReference(body.external_reference_id);
    if (known) return { status: 409, body: { data: shownShipment(known) } };
    const shipment = { id: randomUUID(), external_reference_id: null, ...body, parcelIds: [], errors: [] };
    state.shipments[shipment.id] = shipment;
    for (const { weight } of body.parcels) {
      const to = body.to_address;
      const parcel = newParcel({
        ...{ name: to.name, address: to.address_line_1, house_number: to.house_number, city: to.city },
        ...{ postal_code: to.postal_code, country: to.country_code, order_number: body.order_number },
        ...{ weight: kilograms(weight.unit === "g" ? Number(weight.value) : grams(weight.value)) },
        ship_with: body.ship_with,
      });
      parcel.shipmentId = shipment.id;
      shipment.parcelIds.push(parcel.id);
      const label = state.purchases.length;
      // "Create a shipment": a refused announcement is a 201 all the same; its parcel says so, and `errors` says why.
      if (!announce(parcel, refused))
        shipment.errors.push({ status: "500", code: "parcel_announcement_error", detail: parcel.errors[0] });
      else if (body.external_reference_id) state.purchases[label].reference = body.external_reference_id;
    }
    const shown = shownShipment(shipment, sync);
    // The asynchronous way answers before the carrier has: no documents, no number, being announced.
    if (!sync)
      for (const parcel of shown.parcels)
        Object.assign(parcel, {
          ...{ status: { code: "ANNOUNCING", message: "Being announced" }, documents: [], tracking_number: "" },
          ...{ tracking_url: null, announced_at: null },
        });
    return { status: 201, body: { data: sync ? shown : { ...shown, errors: [] } } };
  }

  function shownShipment(shipment, withFile = false) {
    const { parcelIds, parcels: given, ...fields } = shipment;
    const { carrier } = methodOf(shipment);
    const type = shipment.label_details?.mime_type ?? TYPES[0];
    const parcels = parcelIds.map((id, i) => {
      const parcel = state.parcels[id];
      const [, message, , code] = STATUSES[parcel.status];
      const link = `${base()}/api/v3/parcels/${id}/documents/label`;
      return {
        ...{ ...given[i], id, status: { code, message }, created_at: parcel.at, updated_at: parcel.updated },
        ...{ announced_at: parcel.announced, tracking_number: parcel.tracking },
        tracking_url: parcel.announced ? `${base()}/track/${parcel.tracking}` : null,
        documents: parcel.announced ? [{ type: "label", size: "a6", link }] : [],
        additional_carrier_data: { awb_tracking_number: null, box_number: null },
        // "Print your labels": with one parcel, the synchronous answer carries the file itself (base64).
        ...(withFile && parcelIds.length === 1 && parcel.announced
          ? { label_file: labelFile(type, linesOf(parcel)).toString("base64") }
          : {}),
      };
    });
    return { ...fields, carrier: { code: carrier, name: CARRIER_NAMES[carrier] }, parcels };
  }

  function listShipments({ query }) {
    const keys = ["external_reference_id", "order_number"];
    const data = Object.values(state.shipments)
      .filter((shipment) => keys.every((key) => !query.get(key) || shipment[key] === query.get(key)))
      .reverse();
    return { body: { data: data.map((shipment) => shownShipment(shipment)) } };
  }

  const withShipment = (run) => (call) => {
    const shipment = state.shipments[call.params.id];
    return shipment ? run(shipment, call) : v3Error(404, "not_found", "Not found");
  };

  function cancelShipment(shipment) {
    const came = shipment.parcelIds.map((id) => cancel(state.parcels[id]));
    if (came.includes("refused")) return v3Error(409, "invalid", "This shipment is already being cancelled.");
    if (came.includes("queued"))
      return { status: 202, body: { data: { status: "queued", message: "Shipment cancellation has been queued" } } };
    return { body: { data: { status: "cancelled", message: "Shipment has been cancelled" } } };
  }

  /** v3 Shipping options: every option that fits, with a quote when one is asked for and both countries are known. */
  function shippingOptions({ body }) {
    const to = body.to_address?.country_code ?? body.to_country_code;
    const from = body.from_address?.country_code ?? body.from_country_code;
    const weight = (body.parcels ?? []).reduce((sum, parcel) => sum + grams(parcel.weight?.value ?? "0"), 0);
    const fitting = METHODS.filter(
      (method) =>
        (!body.carrier_code || method.carrier === body.carrier_code) &&
        (weight === 0 || (weight >= method.grams[0] && weight < method.grams[1])) &&
        (!to || COUNTRIES[to]),
    );
    const data = fitting.map(({ code, name, carrier, cents }) => ({
      ...{ code, name, carrier: { code: carrier, name: CARRIER_NAMES[carrier] }, product: { code, name } },
      ...{ functionalities: { tracked: cents > 0 }, requirements: { fields: [] } },
      quotes:
        body.calculate_quotes && to && from
          ? [{ price: { total: { value: money(cents), currency: "EUR" } }, lead_time: 24 }]
          : null,
    }));
    return { body: { data } };
  }

  /** v3 Address validation: the reasons are that page's; that only numbers and texts are looked at is assumed. */
  function validateAddress({ body }) {
    for (const field of ["address", "carrier_code"])
      if (!body[field]) return v3Error(400, "required", "This field is required.", `/${field}`);
    const { address } = body;
    const reasons = [];
    if ((address.address_line_1 ?? "").length > 35) reasons.push("ADDRESS_TOO_LONG");
    if ((address.house_number ?? "").length > 20) reasons.push("HOUSE_NUMBER_TOO_LONG");
    if (!address.house_number && !/\d/.test(address.address_line_1 ?? "")) reasons.push("HOUSE_NUMBER_TOO_SHORT");
    if (!address.country_code) reasons.push("COUNTRY_CODE_MISSING");
    if (!address.postal_code) reasons.push("POSTAL_CODE_MISSING");
    if (/unknown/i.test(`${address.address_line_1} ${address.city}`)) reasons.push("ADDRESS_NOT_VALID");
    const valid = reasons.length === 0;
    const analysis = { validation_result: { is_valid: valid, reasons }, changed_attributes: [] };
    return { body: { input_address_is_valid: valid, results: [{ address, recommended: valid, analysis }] } };
  }

  /** v2 Shipping methods: prices stand with the countries; the method's own price is 0. */
  function shippingMethods({ query }) {
    const to = query.get("to_country");
    const methods = METHODS.map(({ id, name, carrier, grams: [least, most], cents }) => ({
      ...{ id, name, carrier, min_weight: kilograms(least), max_weight: kilograms(most) },
      ...{ service_point_input: "none", price: 0 },
      countries: Object.entries(COUNTRIES)
        .filter(([code]) => !to || code === to)
        .map(([code, [iso3, country]], i) => ({
          ...{ id: i + 1, name: country, price: cents / 100, iso_2: code, iso_3: iso3, lead_time_hours: 24 },
          price_breakdown: [{ type: "price_without_insurance", label: "Label", value: cents / 100 }],
        })),
    }));
    return { body: { next: null, previous: null, shipping_methods: methods } };
  }

  /**
   * v2 Webhooks: the address is a setting of the integration (here the side door `webhook`). The body is signed as
   * `Sendcloud-Signature`: the HMAC-SHA256 in hex, under the secret key. They may come late and out of order, and each
   * carries a timestamp in milliseconds.
   */
  async function step({ tracking: number, reference, status, times = 1, at, timestamp = Date.now(), expected }) {
    const changed = at === undefined ? timestamp : Date.parse(at);
    const parcel = Object.values(state.parcels)
      .reverse()
      .find(
        (one) =>
          (number && one.tracking === number) ||
          (reference &&
            [one.external_reference, one.order_number, state.shipments[one.shipmentId]?.external_reference_id].includes(
              reference,
            )),
      );
    if (!parcel || !STATUSES[status]) return { error: "There is no such parcel, or no such status." };
    setStatus(parcel, status, new Date(changed).toISOString());
    if (expected !== undefined) parcel.expected = expected;
    if (status === "cancelled") voided(parcel.id);
    save();
    const content = JSON.stringify({
      ...{ action: "parcel_status_changed", timestamp, carrier_status_change_timestamp: changed },
      parcel: shownParcel(parcel),
    });
    const signature = createHmac("sha256", secret).update(content).digest("hex");
    const sent = [];
    for (let i = 0; state.webhook && i < times; i += 1)
      sent.push(await deliver(state.webhook, { "Sendcloud-Signature": signature }, content));
    return { parcel: parcel.id, sent };
  }

  return {
    initial: { parcels: {}, shipments: {}, webhook: options.webhook ?? null },
    failure,
    routes: [
      ["GET", "/api/v2/shipping_methods", shippingMethods],
      ["POST", "/api/v2/parcels", createParcels],
      ["PUT", "/api/v2/parcels", updateParcel],
      ["GET", "/api/v2/parcels", listParcels],
      ["GET", "/api/v2/parcels/:id", withParcel((parcel) => ({ body: { parcel: shownParcel(parcel) } }))],
      ["POST", "/api/v2/parcels/:id/cancel", withParcel(cancelParcel)],
      ["GET", "/api/v2/parcels/:id/documents/:type", withParcel(document)],
      ["GET", "/api/v2/labels/label_printer/:id", withParcel(printerLabel)],
      ["GET", "/api/v2/labels/normal_printer/:id", withParcel(printerLabel)],
      ["GET", "/api/v2/labels/:id", withParcel(labelLinks)],
      ["GET", "/api/v2/tracking/:number", tracking],
      ["POST", "/api/v3/shipping-options", shippingOptions],
      ["POST", "/api/v3/shipments/announce", createShipment],
      ["POST", "/api/v3/shipments", createShipment],
      ["GET", "/api/v3/shipments", listShipments],
      ["GET", "/api/v3/shipments/:id", withShipment((shipment) => ({ body: { data: shownShipment(shipment) } }))],
      ["POST", "/api/v3/shipments/:id/cancel", withShipment(cancelShipment)],
      ["GET", "/api/v3/parcels/:id/documents/:type", withParcel(document)],
      ["POST", "/api/v3/addresses/validate", validateAddress],
    ],
    // Authentication: the public key is the user name, the secret key the password. The refusals' texts are assumed.
    authorize: (call) => {
      const { user, password } = credentials(call.headers);
      return user === PUBLIC_KEY && password === secret ? undefined : failure(401, call);
    },
    // Rate limits: 1000 safe and 100 unsafe requests a minute (the burst allowance of 15 a second is left out).
    limits: ({ method }) =>
      method === "GET"
        ? { name: "safe", count: 1_000, windowMs: 60_000 }
        : { name: "unsafe", count: 100, windowMs: 60_000 },
    // v2 Tracking: "an empty response with HTTP status code 429". No page names a header; Retry-After is assumed.
    throttled: (_, seconds) => ({ status: 429, body: "", headers: { "Retry-After": `${seconds}` } }),
    doors: {
      step,
      webhook: ({ url }) => {
        state.webhook = url ?? null;
        return { webhook: state.webhook };
      },
    },
  };
}

/** Starts a local Sendcloud; see startCarrier for the options, and `secret`, `webhook`, `duplicates`. */
export const start = (options) => startCarrier(makeSendcloud, options);

await runAlone(fileURLToPath(import.meta.url), start);
