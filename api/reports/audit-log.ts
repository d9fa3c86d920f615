import { paged } from "../../src/fields.js";
import { wholeScopeOf } from "../../src/master-data/warehouses/scope.js";
import { auditLog } from "../../src/reports/audit/queries.js";
import { AuditLogEntry, AuditLogFilters } from "../../src/reports/audit/shapes.js";
import { page, route } from "../http/route.js";

/** The audit log: spec 4.6, reference 03 §7. */

export const listAuditLog = route("get /api/admin/audit-log", {
  for: page("audit-log"),
  summary: "Who did what, newest first; a USER sees own warehouses, and what belongs to none only with all of them",
  query: AuditLogFilters,
  answers: { 200: paged("entries", AuditLogEntry) },
  run: async ({ query, by }) => auditLog(query, await wholeScopeOf(by)),
});
