import { arrayOf, int, object, text } from "../platform/db/columns.js";
import { db, type Sql } from "../platform/db/db.js";
import { builder } from "../platform/db/list.js";
import { listPage } from "../platform/db/listing.js";
import { setting } from "../system/settings/queries.js";
import { ApprovalNotFound } from "./problems.js";
import { AgentApproval, AgentApprovalDetail, type ApprovalFilters, approvalList } from "./shapes.js";
import type { ApprovalState } from "./workflow.js";

/** Who reads approvals: of an ADMIN, warehouses and pages are null. */
export interface ApprovalReader {
  userId: number;
  warehouses: number[] | null;
  pages: string[] | null;
}

/** Approvals that somebody may have to decide about, or whose program works for the reader. */
const VISIBLE = `(a.user_id = :userId or (
    (:pages::text[] is null or a.page_key is null or a.page_key = any(:pages))
    and (:warehouses::int[] is null or a.warehouse_ids <@ :warehouses)))`;

const COLUMNS = `
  a.approval_id, a.external_id, agent, username as asked_by, operation, summary, status, asked_at, expires_at,
  decided_by, decided_at, reason, ended_at, http_status, a.user_id = :userId as is_own`;

/** Approvals, the newest first. */
export function approvals(filters: ApprovalFilters, reader: ApprovalReader) {
  const query = builder("agent_approvals as a")
    .join("users as u", "u.user_id", "a.user_id")
    .select(builder.raw(COLUMNS, { userId: reader.userId }))
    .whereRaw(VISIBLE, reader as never)
    .orderBy("a.approval_id", "desc");
  if (filters.status) query.where("a.status", filters.status);
  return listPage(AgentApproval, "approvals", query, filters, approvalList);
}

/** An approval that the reader may see, with its request and answer. */
export const approval = (id: number, reader: ApprovalReader): Promise<AgentApprovalDetail | undefined> =>
  db.row(
    AgentApprovalDetail,
    `select ${COLUMNS}, request, idempotency_key, answer
     from agent_approvals a join users u using (user_id) where a.approval_id = :id and ${VISIBLE}`,
    { ...reader, id },
  );

const Asked = { approval_id: int, request_hash: text };

/** The approval of the same call before, if there is one. */
export const askedBefore = (key: string) =>
  db.row(Asked, "select approval_id, request_hash from agent_approvals where external_id = $1", [key]);

const State = {
  approval_id: int,
  operation: text,
  agent: text,
  username: text,
  status: AgentApproval.shape.status,
  warehouse_id: int.nullable(),
  warehouse_code: text.nullable(),
  expires_ms: int,
  decided_by: text.nullable(),
  reason: text.nullable(),
  http_status: int.nullable(),
  as_of: text,
};

/** The state of an approval for its workflow; 404 when there is none. */
export async function approvalState(sql: Sql, key: string): Promise<ApprovalState> {
  const found = await sql.row(
    State,
    `select approval_id, operation, agent, username, status, w.warehouse_id, warehouse_code,
       greatest(0, ceil(extract(epoch from expires_at - clock_timestamp()) * 1000))::bigint as expires_ms,
       decided_by, reason, http_status,
       to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') as as_of
     from agent_approvals a join users u using (user_id)
     left join warehouses w on array[w.warehouse_id] = a.warehouse_ids
     where a.external_id = $1`,
    [key],
  );
  if (!found) throw ApprovalNotFound();
  return found;
}

const ToPerform = {
  approval_id: int,
  user_id: int,
  agent: text,
  operation: text,
  request: object,
  idempotency_key: text,
  status: AgentApproval.shape.status,
  decided_by: text.nullable(),
};

/** What was approved, for the worker that runs it; 404 when there is none. */
export async function callToPerform(key: string) {
  const found = await db.row(
    ToPerform,
    `select approval_id, user_id, agent, operation, request, idempotency_key, status, decided_by
     from agent_approvals where external_id = $1`,
    [key],
  );
  if (!found) throw ApprovalNotFound();
  return found;
}

const Open = { key: text, warehouse_ids: arrayOf(int).nullable() };

/** For the job `reconcile`. */
export const openApprovals = () =>
  db.rows(
    Open,
    `select external_id as key, warehouse_ids from agent_approvals where status in ('WAITING', 'APPROVED')
     order by approval_id`,
    [],
  );

/** The warehouse of an approval that is open, null where it is of several; undefined where it has ended. */
export async function openApprovalIn(key: string): Promise<number | null | undefined> {
  const found = await db.row(
    Open,
    `select external_id as key, warehouse_ids from agent_approvals
     where external_id = $1 and status in ('WAITING', 'APPROVED')`,
    [key],
  );
  return found && warehouseOf(found);
}

/** The one warehouse of an approval; null where it is of several. */
export const warehouseOf = ({ warehouse_ids: ids }: { warehouse_ids: number[] | null }): number | null =>
  ids?.length === 1 ? (ids[0] as number) : null;

/** What agents may write (`agent_writes`); by default what a person approves. */
export type AgentWrites = "never" | "approve" | "allow";
export async function agentWrites(sql: Sql): Promise<AgentWrites> {
  const set = await setting(sql, "agent_writes");
  return set === "never" || set === "allow" ? set : "approve";
}

/** Whether users may approve what their own agents ask for (`agent_self_approval`); by default not. */
export async function mayApproveOwn(sql: Sql): Promise<boolean> {
  return (await setting(sql, "agent_self_approval")) === "true";
}

/** How long somebody may approve (`agent_approval_hours`). */
export async function approvalHours(sql: Sql): Promise<number> {
  return Number((await setting(sql, "agent_approval_hours")) ?? 24);
}
