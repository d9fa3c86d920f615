import { problem } from "../../platform/problem.js";

export const UnknownRecord = problem("unknown_record", 404, "unknown_record");
/** `source_systems` are those among which the request has to choose. */
export const AmbiguousId = problem("ambiguous_id", 409, "ambiguous_id");
