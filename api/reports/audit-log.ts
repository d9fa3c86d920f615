import { z } from "zod";
import { warehousesUnlessAll } from "../../src/master-data/warehouses/queries.js";
import { paged, QueryInt } from "../../src/platform/fields.js";
import { auditEntry, auditSeal } from "../../src/reports/audit/entry.js";
import { auditLog } from "../../src/reports/audit/queries.js";
import { AuditLogEntry, AuditLogFilters, AuditSeal, SealedAuditLogEntry } from "../../src/reports/audit/shapes.js";
import { AuditEntryNotFound } from "../../src/reports/problems.js";
import { page, route } from "../http/route.js";

/** The audit log: docs/interface.md, Audit. */

export const listAuditLog = route("get /api/admin/audit-log", {
  for: page("audit-log"),
  summary: "Who did what, newest first; a USER sees own warehouses, and what belongs to none only with all of them",
  query: AuditLogFilters,
  answers: { 200: paged("entries", AuditLogEntry, "The entries of the log.") },
  run: async ({ query, by }) => auditLog(query, await warehousesUnlessAll(by), by.shownWarehouseIds !== undefined),
});

export const getAuditSeal = route("get /api/admin/audit-log/seal", {
  for: page("audit-log"),
  summary: "How far the audit log is sealed; `npm run audit:verify` tests the whole chain",
  answers: { 200: AuditSeal },
  run: () => auditSeal(),
});

export const getAuditLogEntry = route("get /api/admin/audit-log/:log_id", {
  for: page("audit-log"),
  summary: "A row of the audit log with its seal",
  params: z.strictObject({ log_id: QueryInt.describe("Id of the entry of the log.") }),
  answers: { 200: SealedAuditLogEntry },
  errors: [AuditEntryNotFound],
  run: async ({ params: { log_id }, by }) => {
    const entry = await auditEntry(log_id, await warehousesUnlessAll(by));
    if (!entry) throw AuditEntryNotFound();
    return entry;
  },
});
