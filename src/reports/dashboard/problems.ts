import { problem } from "../../platform/problem.js";

/** What is asked for or sent is wrong: `details` say what, field by field (docs/interface.md, Dashboards). */
export const InvalidFields = problem("validation_error", 422, "validation_error");
/** The same in one sentence, as the operations views say it. */
export const InvalidView = problem("invalid_view", 422, "{fault}");
export const RangeTooLarge = problem("range_too_large", 422, "range_too_large");
export const NoFieldsToUpdate = problem("no_fields_to_update", 422, "no_fields_to_update");
