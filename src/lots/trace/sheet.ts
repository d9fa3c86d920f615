import type { Lot } from "../shapes.js";
import { everyStep, parametersOf } from "./steps.js";
import { COMING_AND_GOING, sourceOf, TrackedStep } from "./tracked.js";

/**
 * The critical tracking events of a lot with their key data elements, as 21 CFR 1 subpart S (§ 1.1340
 * shipping, § 1.1345 receiving) asks for them: what came into a warehouse and what left one (docs/recall.md).
 */

export const sheetColumns = [
  ...["tracking_event", "traceability_lot_code", "quantity", "unit_of_measure", "product_description", "sku"],
  ...["production_date", "expiry_date", "event_date", "event_time", "from_name", "from_phone", "from_address"],
  ...["to_name", "to_phone", "to_address", "tlc_source_name", "tlc_source_phone", "tlc_source_address"],
  ...["reference_document_type", "reference_document_number", "carrier", "tracking_number", "recorded_by"],
];

/** The rows of the sheet, some at a time. */
export async function* sheetOf(lot: Lot, warehouses: number[] | null): AsyncGenerator<object[]> {
  const { name, phone, address } = await sourceOf(lot);
  const ofLot = {
    ...{ traceability_lot_code: lot.lot_number, unit_of_measure: "each", product_description: lot.item_name },
    ...{ sku: lot.sku, production_date: lot.production_date, expiry_date: lot.expiry_date },
    ...{ tlc_source_name: name, tlc_source_phone: phone, tlc_source_address: address },
  };
  for await (const steps of everyStep(TrackedStep, COMING_AND_GOING, parametersOf(lot, warehouses)))
    yield steps.flatMap((step) => eventsOf(step).map((event) => ({ ...ofLot, ...event })));
}

const documents: Record<TrackedStep["kind"], string> = {
  ...{ receipt: "purchase order", return: "return authorization", move: "inter-warehouse transfer" },
  ...{ pick: "sales order", sale: "till sale", destruction: "adjustment" },
};

/** The events that a step is: a movement between warehouses leaves one and comes into the other. */
function eventsOf(step: TrackedStep): object[] {
  const { kind, quantity } = step;
  const here = { name: step.warehouse_name, phone: null, address: step.warehouse_address };
  const there =
    kind === "move"
      ? { name: step.to_warehouse_name, phone: null, address: step.to_warehouse_address }
      : { name: step.party_name, phone: step.party_phone, address: step.party_address };
  const rest = {
    ...{ quantity, recorded_by: step.username, carrier: step.carrier, tracking_number: step.tracking_number },
    ...{ reference_document_type: documents[kind], reference_document_number: step.document_number },
  };
  const happened = { event_date: step.day, event_time: step.at };
  const receiving = { tracking_event: "receiving", ...rest, ...happened };
  const shipping = { tracking_event: "shipping", ...rest };
  switch (kind) {
    case "receipt":
    case "return":
      return [{ ...receiving, ...between(there, here) }];
    case "move":
      return [shipping, receiving].map((event) => ({ ...event, ...happened, ...between(here, there) }));
    default:
      if (step.shipped_at === null) return [];
      return [{ ...shipping, ...between(here, there), event_date: step.shipped_on, event_time: step.shipped_at }];
  }
}

interface Place {
  name: string | null;
  phone: string | null;
  address: string | null;
}

const between = (from: Place, to: Place) => ({
  ...{ from_name: from.name, from_phone: from.phone, from_address: from.address },
  ...{ to_name: to.name, to_phone: to.phone, to_address: to.address },
});
