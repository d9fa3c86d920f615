import { db } from "../../platform/db/db.js";
import { AuditRow, withNames } from "./names.js";
import { Activity } from "./shapes.js";

const COLUMNS = "action_type as action, user_id as user, created_at as time, entity_type, entity_id, details";
const newest = (nulls = "") => `order by created_at desc ${nulls}, log_id desc ${nulls} limit 10`;

const LatestActivityRow = { ...Activity.omit({ detail: true }).shape, ...AuditRow.shape };

/** The ten newest rows of the audit log, in words; with `warehouses`, those of these warehouses. */
export async function latestActivity(warehouses: number[] | null): Promise<Activity[]> {
  const latest = await db.rows(
    LatestActivityRow,
    warehouses
      ? `select a.action, a.user, a.time, a.entity_type, a.entity_id, a.details
         from unnest($1::int[]) as w(id)
           cross join lateral (
             select ${COLUMNS}, log_id from audit_log where warehouse_id = w.id ${newest("nulls last")}) as a
         order by a.time desc, a.log_id desc limit 10`
      : `select ${COLUMNS} from audit_log ${newest()}`,
    warehouses ? [warehouses] : [],
  );
  return (await withNames(latest)).map(({ action, user, time, ...row }) => ({
    action,
    user,
    detail: inWords(row),
    time,
  }));
}

/** `PO PO-1001: item MUG-1, quantity 5, bin A-01`. */
function inWords({ entity_type, entity_id, entity_name, details }: AuditRow & { entity_name: string | null }): string {
  const facts = Object.entries(details ?? {})
    .filter(([, value]) => value !== null && typeof value !== "object")
    .map(([key, value]) => `${key.replaceAll("_", " ")} ${value}`);
  const subject = `${entity_type} ${entity_name ?? entity_id}`;
  return facts.length > 0 ? `${subject}: ${facts.join(", ")}` : subject;
}
