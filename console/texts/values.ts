import { time } from "../shared/format.js";
import { reasonName } from "./reasons.js";
import { typeText } from "./sales-order-fields.js";
import { statusText } from "./statuses.js";

/** A value out of the audit log's details: statuses, kinds and reasons have names, and a time is said as everywhere. */
export const valueText = (value: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:/.test(value) ? time(value) : (reasonName(value) ?? typeText(statusText(value)));
