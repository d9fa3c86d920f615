import { text } from "../../platform/db/columns.js";
import { db } from "../../platform/db/db.js";
import { digitalLink, epcisDocument, eventId, knownBy, transactions, urn } from "../../platform/epcis.js";
import type { Lot } from "../shapes.js";
import { everyStep, parametersOf } from "./steps.js";
import { TrackedStep, WHOLE_LIFE } from "./tracked.js";

/** The life of a lot as an EPCIS 2.0 document (docs/recall.md). */

/** The document, some events at a time. */
export async function* epcisOf(lot: Lot, warehouses: number[] | null): AsyncGenerator<string, void> {
  const epcClass = await classOf(lot);
  const document = epcisDocument(epcClass, {
    ...{ "urn:epcglobal:cbv:mda:lotNumber": lot.lot_number, "urn:epcglobal:cbv:mda:descriptionShort": lot.item_name },
    ...{ "urn:epcglobal:cbv:mda:productionDate": lot.production_date, "wes:sku": lot.sku },
    "urn:epcglobal:cbv:mda:itemExpirationDate": lot.expiry_date,
  });
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

/** What the units are: the GTIN and the lot where the item has one, else the lot's own id. */
async function classOf({ item_id, lot_number, external_id }: Lot): Promise<string> {
  const item = await db.row(Labelled, "select upc from items where item_id = $1", [item_id]);
  return digitalLink(item?.upc ?? null, "10", lot_number) ?? urn(external_id);
}

/** The events that a step is: what was picked and shipped is picked first and shipped later. */
function eventsOf(lot: Lot, epcClass: string, step: TrackedStep): object[] {
  const about = (what: string, eventTime: string, more: object) => ({
    ...{ type: "ObjectEvent", eventID: idOf(lot, step, what), eventTime, eventTimeZoneOffset: "+00:00" },
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

const idOf = (lot: Lot, { kind, a, b, c }: TrackedStep, what: string) => eventId(lot.external_id, kind, a, b, c, what);

/** What people know the records by. */
const namesOf = (step: TrackedStep) =>
  knownBy({
    ...{ warehouse: step.warehouse_code, bin: step.bin_code, document: step.document_number },
    ...{ to_warehouse: step.to_warehouse_code, to_bin: step.to_bin_code, party: step.party_name },
    ...{ carrier: step.carrier, tracking_number: step.tracking_number, user: step.username },
  });
