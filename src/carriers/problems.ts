import { openProblem, problem } from "../platform/problem.js";

export const UnknownCarrier = problem("unknown_carrier", 400, "There is no carrier {carrier}");
export const CarrierAccountNotFound = problem("carrier_account_not_found", 404, "Carrier account not found");
export const CarrierAccountExists = problem(
  "carrier_account_exists",
  409,
  "The warehouse has a carrier account {account_name} already",
);
export const CarrierAccountUsed = problem(
  "carrier_account_used",
  409,
  "Labels were bought with this account: it can be taken out of use, and not deleted",
);
export const CarrierAccountInactive = problem("carrier_account_inactive", 409, "Account {account_name} is not in use");
/** With `missing` and `invalid`. */
export const CarrierNotConfigured = openProblem("carrier_not_configured", 400, "{why}");
export const CarrierSecretsNeeded = problem(
  "carrier_secrets_needed",
  409,
  "{field} leads to another server: send {keys} in the same request",
);

export const CarrierRuleNotFound = problem("carrier_rule_not_found", 404, "Rule not found");
export const CarrierRuleWeights = problem(
  "carrier_rule_weights",
  400,
  "min_weight_lbs has to be below max_weight_lbs, and that above 0",
);

export const NoCarrierAccount = problem("no_carrier_account", 404, "No carrier account is in use in this warehouse");
export const ParcelNotClosed = openProblem("parcel_not_closed", 409, "The parcel is {status}, not closed");
export const ParcelNotWeighed = problem("parcel_not_weighed", 409, "The parcel has no weight");
export const AlreadyLabelled = openProblem("already_labelled", 409, "The parcel has a label already: {status}");
/** With `faults`, by field of the order. */
export const AddressIncomplete = problem("address_incomplete", 400, "The order's shipping address is incomplete");
/** With `faults`, by field of the order. */
export const AddressRefused = openProblem("address_refused", 400, "{why}");
export const ServiceNotAvailable = openProblem("service_not_available", 400, "{why}");
export const CarrierRefusedIt = openProblem("carrier_refused", 400, "{why}");
export const CarrierAway = openProblem("carrier_away", 503, "{why}");
export const TrackingNumberNeeded = problem(
  "tracking_number_needed",
  400,
  "A label that was bought by hand needs its tracking number",
);
export const TrackingNumberGiven = problem(
  "tracking_number_given",
  400,
  "{carrier} gives the tracking number: only labels that are bought by hand take one",
);

/** Of a parcel whose label was bought by hand, or that has none. */
export const ParcelNotTracked = problem("parcel_not_tracked", 404, "Nobody says where the parcel is");
export const TrackingEnded = openProblem("tracking_ended", 409, "The parcel is {status}: there is nothing to close");

export const LabelNotFound = problem("label_purchase_not_found", 404, "Label not found");
export const LabelNotStored = openProblem("label_not_stored", 409, "There is no label yet: it is {status}");
export const LabelEnded = openProblem("label_ended", 409, "The label is {status}");
export const LabelNotRefused = openProblem(
  "label_not_refused",
  409,
  "The label is {status}: only one that its carrier does not take back is written off",
);
export const LabelledParcelShipped = problem(
  "labelled_parcel_shipped",
  409,
  "The parcel is shipped: void its shipment first",
);
/** Of a print job: printers do not turn one into the other. */
export const LabelOfOtherFormat = openProblem(
  "label_of_other_format",
  409,
  "The label is {format}, which the printer does not take",
);
