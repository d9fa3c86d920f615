import { problem } from "../../platform/problem.js";

export const LinkNotFound = problem("source_link_not_found", 404, "Source link not found");
export const RecordNotFound = problem("record_not_found", 404, "No {source_type} {record} is here");
export const SourceIdLinked = problem(
  "source_id_linked",
  409,
  "{source_type} {source_id} of {source_system} is linked to a record already",
);
export const RecordLinked = problem(
  "record_linked",
  409,
  "The record is linked already, to {source_type} {source_id} of {source_system}",
);
