import { createHash } from "node:crypto";
import { gtinOf } from "../../platform/barcodes/gtin.js";
import { text } from "../../platform/db/columns.js";
import { db } from "../../platform/db/db.js";
import type { Lot } from "../shapes.js";
import { everyStep, parametersOf } from "./steps.js";
import { TrackedStep, WHOLE_LIFE } from "./tracked.js";

/**
 * The life of a lot as an EPCIS 2.0 document in JSON-LD (docs/recall.md). Records are named by their external ids, as
 * events name them; what people know them by stands beside them, in the namespace `wes`.
 */

const CONTEXT = [
  "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",
  { wes: "urn:warehouse-execution-service:" },
];

/** The document, some events at a time. */
export async function* epcisOf(lot: Lot, warehouses: number[] | null): AsyncGenerator<string, void> {
  const epcClass = await classOf(lot);
  const document = {
    ...{ "@context": CONTEXT, type: "EPCISDocument", schemaVersion: "2.0", creationDate: new Date().toISOString() },
    epcisHeader: { epcisMasterData: { vocabularyList: [aboutLot(lot, epcClass)] } },
    epcisBody: { eventList: [] },
  };
  const end = "]}}";
  yield JSON.stringify(document).slice(0, -end.length);
  let comma = "";
  for await (const steps of everyStep(TrackedStep, WHOLE_LIFE, parametersOf(lot, warehouses))) {
    const events = steps.flatMap((step) => eventsOf(lot, epcClass, step));
    yield comma + events.map((event) => JSON.stringify(event)).join(",");
    comma = ",";
  }
  yield end;
}

const Labelled = { upc: text.nullable() };
/** Lots that a GS1 label can carry (AI 10). */
const OF_A_LABEL = /^[\w!"%&'()*+,\-./:;<=>?]{1,20}$/;

/** What the units are: the GTIN and the lot where the item has one, else the lot's own id. */
async function classOf({ item_id, lot_number, external_id }: Lot): Promise<string> {
  const item = await db.row(Labelled, "select upc from items where item_id = $1", [item_id]);
  const gtin = item?.upc ? gtinOf(item.upc) : undefined;
  if (!gtin || !OF_A_LABEL.test(lot_number)) return urn(external_id);
  return `https://id.gs1.org/01/${gtin}/10/${encodeURIComponent(lot_number)}`;
}

const urn = (uuid: string) => `urn:uuid:${uuid}`;

function aboutLot({ lot_number, sku, item_name, production_date, expiry_date }: Lot, epcClass: string) {
  const known = {
    ...{ "urn:epcglobal:cbv:mda:lotNumber": lot_number, "urn:epcglobal:cbv:mda:descriptionShort": item_name },
    ...{ "urn:epcglobal:cbv:mda:productionDate": production_date, "wes:sku": sku },
    "urn:epcglobal:cbv:mda:itemExpirationDate": expiry_date,
  };
  const attributes = Object.entries(known)
    .filter(([, attribute]) => attribute !== null)
    .map(([id, attribute]) => ({ id, attribute }));
  return {
    type: "urn:epcglobal:epcis:vtype:EPCClass",
    vocabularyElementList: [{ id: epcClass, attributes }],
  };
}

/** The events that a step is: what was picked and shipped is picked first and shipped later. */
function eventsOf(lot: Lot, epcClass: string, step: TrackedStep): object[] {
  const about = (what: string, eventTime: string, more: object) => ({
    ...{ type: "ObjectEvent", eventID: urn(idOf(lot, step, what)), eventTime, eventTimeZoneOffset: "+00:00" },
    ...{ action: "OBSERVE", ...more, quantityList: [{ epcClass, quantity: step.quantity }], ...namesOf(step) },
  });
  const here = placeOf("readPoint", step.bin_external_id);
  const stays = placeOf("bizLocation", step.bin_external_id);
  const by = (type: string) => transactions([type, step.document_external_id]);
  switch (step.kind) {
    case "receipt":
    case "return": {
      const isReturn = step.kind === "return";
      const how = { bizStep: "receiving", disposition: isReturn ? "returned" : "in_progress" };
      const from = step.party_external_id && {
        sourceList: [{ type: "owning_party", source: urn(step.party_external_id) }],
      };
      return [about("receiving", step.at, { ...how, ...here, ...stays, ...by(isReturn ? "rma" : "po"), ...from })];
    }
    case "move":
      return [
        about("storing", step.at, {
          ...{ bizStep: "storing", ...here, ...placeOf("bizLocation", step.to_bin_external_id) },
        }),
      ];
    case "pick": {
      const picked = about("picking", step.at, { bizStep: "picking", ...here, ...by("po") });
      if (step.shipped_at === null) return [picked];
      const papers = transactions(["po", step.document_external_id], ["desadv", step.shipment_external_id]);
      const how = { bizStep: "shipping", disposition: "in_transit" };
      return [picked, about("shipping", step.shipped_at, { ...how, ...here, ...papers })];
    }
    case "sale":
      return [about("selling", step.at, { bizStep: "retail_selling", disposition: "retail_sold", ...by("po") })];
    case "destruction":
      return [
        about("destroying", step.at, {
          ...{ action: "DELETE", bizStep: "destroying", disposition: "destroyed", ...here },
        }),
      ];
  }
}

const placeOf = (name: "readPoint" | "bizLocation", externalId: string | null) =>
  externalId && { [name]: { id: urn(externalId) } };

function transactions(...papers: [type: string, externalId: string | null][]) {
  const known = papers.flatMap(([type, id]) => (id ? [{ type, bizTransaction: urn(id) }] : []));
  return known.length > 0 && { bizTransactionList: known };
}

/** The id of an event, the same in each document: a UUID (of version 8) made from what it is of. */
function idOf({ external_id }: Lot, { kind, a, b, c }: TrackedStep, what: string): string {
  const hex = createHash("sha256").update([external_id, kind, a, b, c, what].join(" ")).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** What people know the records by. */
function namesOf(step: TrackedStep): object {
  const names = {
    ...{ "wes:warehouse": step.warehouse_code, "wes:bin": step.bin_code, "wes:document": step.document_number },
    ...{ "wes:to_warehouse": step.to_warehouse_code, "wes:to_bin": step.to_bin_code, "wes:party": step.party_name },
    ...{ "wes:carrier": step.carrier, "wes:tracking_number": step.tracking_number, "wes:user": step.username },
  };
  return Object.fromEntries(Object.entries(names).filter(([, name]) => name !== null));
}
