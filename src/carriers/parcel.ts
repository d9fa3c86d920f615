import { type SentTo, sentTo } from "../shipping/parcels/sent-to.js";
import { postalAddress } from "./address.js";
import type { ParcelToSend, PostalAddress } from "./carrier.js";
import type { ToDeclare } from "./customs.js";
import { AddressIncomplete, ParcelNotClosed, ParcelNotWeighed } from "./problems.js";
import type { SentParcel } from "./queries.js";

/** A parcel that a label can be bought for, as carriers take it. */
export interface ReadyParcel extends Pick<ParcelToSend, "name" | "weight_lbs" | "dimensions">, ToDeclare {
  ship_method: string | null;
  hazardous: boolean;
  sent_to: SentTo;
}

/**
 * Refuses a parcel that no label can be bought for: nobody is asked.
 * @param wasAsked Its label was asked for before: it may have left meanwhile, without a number.
 */
export function readyParcel(parcel: SentParcel, wasAsked = false): ReadyParcel {
  const { status, weight_lbs, length_in, width_in, height_in, so_number, parcel_number, units } = parcel;
  const isWaitedFor = wasAsked && status === "SHIPPED" && parcel.tracking_number === null;
  if (status !== "CLOSED" && !isWaitedFor) throw ParcelNotClosed({ status });
  if (weight_lbs === null || Number(weight_lbs) === 0) throw ParcelNotWeighed();
  const dimensions =
    length_in === null || width_in === null || height_in === null ? null : { length_in, width_in, height_in };
  return {
    ...{ so_number, parcel_number, units },
    name: `${so_number} / ${parcel_number}`,
    to: addressIn(parcel),
    weight_lbs,
    dimensions,
    ship_method: parcel.ship_method,
    hazardous: parcel.hazardous,
    sent_to: sentTo(parcel),
  };
}

/** Where a parcel goes; refused, by field, where that is not known. */
function addressIn(parcel: SentParcel): PostalAddress {
  const { name, line1, line2, city, state, postal_code, country, phone, email, customer_name } = parcel;
  const to = postalAddress({ name, line1, line2, city, state, postal_code, country, phone, email, customer_name });
  if (Array.isArray(to)) throw AddressIncomplete({}, { faults: to });
  return to;
}
