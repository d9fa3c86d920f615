import { type DomainError, inboundProblem, type Problem, problem } from "../platform/problem.js";

export const MappingNotLoaded = inboundProblem(
  "mapping_document_not_loaded",
  503,
  "No mapping document of {source_system} with {resource} is loaded",
);
export const MappingApplyError = inboundProblem("mapping_apply_error", 422, "{message}");
export const StaleVersion = inboundProblem(
  "stale_version",
  409,
  "Version {external_version} is older than {current_version}, which is here already",
);
export const LockHeld = inboundProblem(
  "lock_held",
  409,
  "This record is being written by another request; send it again",
);
export const LookupMiss = inboundProblem(
  "cross_system_lookup_miss",
  409,
  "{source_system} has not sent {source_type} {source_id} yet",
);
/** For an item of a shop; it is written nevertheless, as far as possible. */
export const DuplicateKey = inboundProblem(
  "duplicate_sku",
  409,
  "{key}: {value} is also that of {other} in the shop: give each one of its own there, or link them here by hand",
);
export const LinesInFlight = inboundProblem(
  "lines_in_flight",
  409,
  "Work on the lines of {number} has begun, so they are not replaced",
);
/** To the sender it is as a shipped order whose lines it would change. */
export const OrderRetired = inboundProblem(
  LinesInFlight.kind,
  409,
  "{number} ended long ago and was retired: nothing of it is changed any more",
);
/** Two warehouses read the same shop, which does not say what is to be shipped from where. */
export const OrderInAnotherWarehouse = inboundProblem(
  "order_in_another_warehouse",
  409,
  "The shop's order is in warehouse {warehouse} already, as {number}: two warehouses need a location each",
);
/** For an order that a shop has changed: it was written, and is on hold until a person decides. */
export const DiffersFromShop = inboundProblem("differs_from_shop", 409, "{number} differs from its shop: {what}");
export const ConstraintBroken = inboundProblem("canonical_constraint_violation", 422, "{fault}");
/** The message is cut to 400 characters. */
export const constraintViolation = (fault: string): DomainError => ConstraintBroken({ fault: fault.slice(0, 400) });

export const OverrideNotAllowed = inboundProblem(
  "mapping_override_capability_required",
  403,
  "This token may not override mapped values",
);
export const OverridesInBody = inboundProblem(
  "mapping_overrides_not_supported_in_body",
  403,
  "Overrides belong to the token, not to the request",
);
export const WarehouseNotAllowed = inboundProblem(
  "warehouse_scope_violation",
  403,
  "This token was not issued for the warehouse that the record is in or goes to",
);
/** The body of a 403 has the kind as `error` too. */
export const forbidden = (refusal: Problem, detail?: string): DomainError =>
  refusal({}, { error: refusal.kind, ...(detail && { detail }) });

// For inventory_update (docs/interface.md, Inbound).
export const MissingPayloadFields = inboundProblem(
  "missing_source_payload_fields",
  422,
  "source_payload lacks {fields}",
);
export const InvalidPayloadTypes = inboundProblem("invalid_payload_types", 422, "{fault}");
export const NegativeTarget = inboundProblem("negative_target_quantity", 422, "target_quantity is below zero");
export const UnknownInboundItem = inboundProblem(
  "item_not_found",
  404,
  "{source_system} has sent no item {item_external_id}",
);
export const UnknownInboundBin = inboundProblem("bin_not_found", 404, "No bin {bin_code} in warehouse {warehouse_id}");
export const StockPromised = inboundProblem("promised_to_picks", 409, "{reason}");
/** The item asks for a lot or a last day, which the bin does not tell (docs/lots.md, What an item asks for). */
export const LotUnknown = inboundProblem("lot_required", 409, "{reason}");
export const ExpiryUnknown = inboundProblem("expiry_required", 409, "{reason}");
/** Units of an item that asks for serials come or go without a name (docs/serials.md). */
export const SerialsUnknown = inboundProblem("serials_required", 409, "{reason}");

// For the activity list (docs/interface.md, Inbound).
export const UnknownResource = problem("unknown_resource", 400, "unknown_resource");
export const UnknownStatus = problem("unknown_status", 400, "unknown_status");
export const NoSuchInbound = problem("not_found", 404, "not_found");

/** For a document that is only tried. */
export const MappingDocumentInvalid = problem(
  "mapping_document_invalid",
  422,
  "The mapping document has faults; see `faults`",
);

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
