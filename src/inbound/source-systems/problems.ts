import { problem } from "../../platform/problem.js";

export const SourceSystemExists = problem(
  "duplicate_source_system",
  409,
  "Source system {source_system} is on the list already",
);
export const SourceSystemNotFound = problem("source_system_not_found", 404, "Source system not found");
export const SourceSystemInUse = problem(
  "source_system_in_use",
  409,
  "Source system {source_system} has tokens or links, or has pushed records",
);
export const MappingDocumentMissing = problem(
  "mapping_document_missing",
  409,
  "No mapping document of {source_system} is loaded: put {source_system}.yaml into " +
    "SERVICE_INBOUND_MAPPINGS_DIR, add {source_system}:{kind} to SERVICE_SOURCE_SYSTEMS and start the service " +
    "again, which puts it on the list",
);
