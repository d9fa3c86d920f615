import { problem } from "../platform/problem.js";

export const AuditEntryNotFound = problem("audit_entry_not_found", 404, "Audit log entry not found");

/** Invalid parameters: `details` say what is wrong, field by field (docs/interface.md, Dashboards). */
export const InvalidFields = problem("validation_error", 422, "validation_error");
/** The same in one sentence, for the operations views. */
export const InvalidView = problem("invalid_view", 422, "{fault}");
export const RangeTooLarge = problem("range_too_large", 422, "range_too_large");
export const NoFieldsToUpdate = problem("no_fields_to_update", 422, "no_fields_to_update");

export const BinNotFound = problem("bin_not_found", 404, "Bin not found");

export const TooShort = problem("min_length", 400, "min_length");

export const SavedViewNotFound = problem("saved_view_not_found", 404, "Saved view not found");
export const SavedViewNameTaken = problem(
  "saved_view_name_taken",
  409,
  "You have a view of this list that is called {view_name}",
);
export const SavedViewNotYours = problem("saved_view_not_yours", 403, "Only {owner} or an ADMIN deletes this view");

/** Nothing of that kind and id needs a person, or not one with the caller's pages and warehouses. */
export const InboxEntryNotFound = problem("inbox_entry_not_found", 404, "No such entry in the inbox");
export const SnoozeOutOfRange = problem(
  "snooze_out_of_range",
  400,
  "An entry is put off until a time from now on, {most_days} days at most",
);
