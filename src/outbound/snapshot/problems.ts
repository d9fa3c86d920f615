import { problem } from "../../platform/problem.js";

// Of the inventory snapshot (docs/interface.md, Snapshot).
export const InvalidCursor = problem("invalid_cursor", 400, "invalid_cursor");
export const CursorScopeViolation = problem("cursor_scope_violation", 403, "cursor_scope_violation");
export const SnapshotNotFound = problem("snapshot_not_found", 404, "snapshot_not_found");
export const SnapshotExpired = problem("snapshot_expired", 410, "snapshot_expired");
export const SnapshotInFlight = problem("snapshot_in_flight", 429, "snapshot_in_flight");
