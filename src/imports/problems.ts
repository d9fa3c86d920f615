import { problem } from "../platform/problem.js";

export const UnsupportedEntityType = problem("unsupported_entity_type", 400, "Unsupported entity type: {entity_type}");
export const NothingToImport = problem("nothing_to_import", 400, "No records to import");
export const TooManyRecords = problem("too_many_records", 400, "At most {max} records can be imported at once");
