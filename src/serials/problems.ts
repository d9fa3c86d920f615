import { ScannedOtherItem } from "../platform/barcodes/problems.js";
import { dispatchProblem } from "../platform/dispatch-problem.js";
import { openProblem, problem } from "../platform/problem.js";

/** Refusals of serial numbers: docs/serials.md. */

export const SerialNotFound = problem("serial_not_found", 404, "Serial not found");

export const SerialsRequired = openProblem(
  "serials_required",
  400,
  "{sku} needs a serial number for each unit: {given} given for {quantity}",
);
export const SerialsNotKept = problem(
  "serials_not_kept",
  400,
  "Serial numbers of {sku} are not kept at receipt: its serial_policy is {serial_policy}",
);
export const SerialNamedTwice = problem("serial_named_twice", 400, "Serial {serial} of {sku} is named twice");
export const SerialIsItemCode = openProblem(
  "serial_is_item_code",
  400,
  "{serial} is a code of {sku}, not the serial number of a unit",
);
export const SerialKnown = openProblem(
  "serial_known",
  409,
  "Serial {serial} of {sku} is {state} already: one serial is one unit",
);
/** What naming the serials of a receipt may answer. */
export const unreceivable = [SerialsRequired, SerialsNotKept, SerialNamedTwice, SerialIsItemCode, SerialKnown];

export const SerialNotInStock = openProblem(
  "serial_not_in_stock",
  409,
  "Serial {serial} of {sku} is {state}, not in stock",
);

/** What naming the serials of units that leave stock may answer. */
export const unleaving = [
  ...[SerialsRequired, SerialsNotKept, SerialNamedTwice, SerialIsItemCode, SerialNotInStock],
  ScannedOtherItem,
];

/** What naming the serials of a correction may answer. */
export const unadjustable = [...unleaving, SerialKnown];

export const SerialRequired = openProblem(
  "serial_required",
  400,
  "{sku} is packed by serial number: scan that of the unit",
);
export const OneSerialOneUnit = problem(
  "one_serial_one_unit",
  400,
  "{sku} is packed by serial number: one unit a scan, {quantity} given",
);
export const SerialUnknown = openProblem(
  "serial_unknown",
  409,
  "Serial {serial} of {sku} was never received, and all units in stock have other serials",
);
export const SerialElsewhere = openProblem(
  "serial_elsewhere",
  409,
  "Serial {serial} of {sku} is {state}: it cannot be packed",
);
export const SerialRecalled = openProblem(
  "serial_recalled",
  409,
  "Serial {serial} of {sku} is on recall {recall_id}, which is open: it is neither packed nor sold",
);
/** What packing a unit may answer. */
export const unpackable = [
  ...[SerialRequired, OneSerialOneUnit, SerialIsItemCode, SerialUnknown, SerialElsewhere, SerialRecalled],
  ScannedOtherItem,
];

const missing = "{skus} of sales order {so_number} lack serial numbers: scan them at packing";
export const SerialsMissing = openProblem("serials_missing", 409, missing);
export const StationSerialsMissing = dispatchProblem("serials_missing", 409, missing);

export const SerialNotOfOrder = openProblem(
  "serial_not_of_order",
  409,
  "Serial {serial} of {sku} was not shipped with sales order {so_number}",
);
/** What naming the serials of a return may answer. */
export const unreturnable = [SerialsRequired, SerialsNotKept, SerialNamedTwice, SerialNotOfOrder];
