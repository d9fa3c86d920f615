import { problem } from "../../platform/problem.js";

export const AuditEntryNotFound = problem("audit_entry_not_found", 404, "Audit log entry not found");
