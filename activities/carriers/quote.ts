import { randomUUID } from "node:crypto";
import { CarrierRefused } from "../../src/carriers/carrier.js";
import type { ParcelRates, RatesWanted } from "../../src/carriers/label-shapes.js";
import { readyParcel } from "../../src/carriers/parcel.js";
import { AddressRefused, CarrierAway, CarrierRefusedIt, ServiceNotAvailable } from "../../src/carriers/problems.js";
import { parcelToSend } from "../../src/carriers/queries.js";
import { SourceError, SourceMisconfigured } from "../../src/connectors/connector.js";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import type { DomainError } from "../../src/platform/problem.js";
import { ParcelNotFound } from "../../src/shipping/parcels/problems.js";
import { type CarrierOptions, opensAccounts } from "./account.js";
import { askRates, notOffered } from "./rates.js";

/** What the services ask for a parcel, and which one would be bought now; nothing is bought and nothing written. */
export async function quoteParcel(
  parcelId: number,
  { customs_contents: contents, ...wanted }: RatesWanted,
  options: CarrierOptions,
  by: Actor,
): Promise<ParcelRates> {
  const parcel = await parcelToSend(parcelId);
  if (!parcel) throw ParcelNotFound();
  checkWarehouse(by, parcel.warehouse_id);
  // A person waits for the answer: this is longer than one slow request, and shorter than all retries.
  const signal = AbortSignal.timeout(2 * options.connectorHttpTimeoutMs);
  const { warehouse_id } = parcel;
  const asked = { key: randomUUID(), parcel: { ...readyParcel(parcel), contents }, warehouse_id, wanted };
  try {
    const { rates, choice, messages } = await askRates(asked, opensAccounts(options, signal));
    if (!choice) throw notOffered(wanted, messages);
    return {
      rates: rates.map(({ account_id, account_name, carrier, service, cost_minor, currency, days, ...rate }) => ({
        ...{ account_id, account_name, carrier, service, cost_minor, cost_currency: currency, days },
        chosen: rate.rate_id === choice.rate.rate_id,
      })),
      ...{ reason: choice.reason, messages },
    };
  } catch (error) {
    if (signal.aborted) throw CarrierAway({ why: "The carrier did not answer in time" });
    throw error instanceof SourceError ? problemOf(error) : error;
  }
}

function problemOf(error: SourceError): DomainError {
  const why = error.message;
  if (!(error instanceof CarrierRefused))
    return error instanceof SourceMisconfigured ? CarrierRefusedIt({ why }) : CarrierAway({ why });
  if (error.refusal === "address_refused") return AddressRefused({ why }, { faults: error.faults });
  return error.refusal === "service_not_available" ? ServiceNotAvailable({ why }) : CarrierRefusedIt({ why });
}
