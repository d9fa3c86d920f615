import { namedProblem, openProblem, problem } from "../../platform/problem.js";

/** Refusals of parcels: docs/parcels.md. */

export const ParcelNotFound = problem("parcel_not_found", 404, "Parcel not found");
export const ParcelWrongStatus = openProblem(
  "parcel_wrong_status",
  409,
  "Parcel {parcel_number} of {so_number} is {status}, not {wanted}",
);
export const ParcelEmpty = openProblem("parcel_empty", 400, "Nothing is in parcel {parcel_number} of {so_number}");
export const ParcelLineNotFound = problem("parcel_line_not_found", 404, "The parcel has no such units");
export const OverTakeOut = openProblem("over_take_out", 400, "Only {there} of {sku} in the parcel, {quantity} given");
export const NothingLeftToPack = openProblem(
  "nothing_left_to_pack",
  400,
  "All that was picked for {so_number} is in parcels",
);
export const ParcelLabelled = openProblem(
  "parcel_labelled",
  409,
  "Parcel {parcel_number} of {so_number} has a carrier's label: take that back first",
);
/** What a parcel of a known order may answer, whatever is done with it. */
export const unknownParcel = [ParcelNotFound, ParcelWrongStatus];

export const TooManyUnits = openProblem(
  "too_many_units",
  400,
  "Boxes are suggested for at most {most} units, {so_number} has {units} in no parcel",
);

export const NotInClosedParcel = openProblem(
  "not_in_closed_parcel",
  400,
  "{count} unit(s) of {so_number} are in no closed parcel",
);
export const OrderInParcels = openProblem(
  "order_in_parcels",
  409,
  "{so_number} is packed in parcels, {closed} closed and {open} open: it is shipped by parcel",
);
export const NoClosedParcel = openProblem("no_closed_parcel", 409, "{so_number} has no closed parcel to ship");

export const ItemTooLarge = openProblem("item_too_large", 400, "{sku} is larger than box {box_code}");
export const BoxOverfull = openProblem(
  "box_overfull",
  400,
  "What is in the parcel has more volume than box {box_code}",
);
export const OverBoxWeight = openProblem(
  "over_box_weight",
  400,
  "Box {box_code} may weigh {most} lb when it is packed, this weighs {weight_lbs} lb",
);
export const WeightBelowContents = openProblem(
  "weight_below_contents",
  400,
  "{weight_lbs} lb is less than what is in the parcel weighs: {least} lb",
);
export const WeightAboveContents = openProblem(
  "weight_above_contents",
  400,
  "{weight_lbs} lb is more than what is in the parcel allows: {most} lb",
);
export const WeightUnknown = openProblem(
  "weight_unknown",
  400,
  "The weight of {skus} is not known: weigh the parcel and say its weight",
);
/** What closing a parcel may answer about its box and its weight. */
export const unfit = [
  ...[ItemTooLarge, BoxOverfull, OverBoxWeight],
  ...[WeightBelowContents, WeightAboveContents, WeightUnknown],
];

/** Of an order a part of which has left: what left is neither stock nor picked. */
export const PartlyShipped = namedProblem(
  "partly_shipped",
  409,
  "Parcels of sales order {so_number} were shipped: void their shipments first, or ship the rest",
);
export const UnitsInParcels = namedProblem(
  "units_in_parcels",
  409,
  "Units of sales order {so_number} are packed in parcels: void these first",
);
