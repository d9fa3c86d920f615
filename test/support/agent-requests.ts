import { randomUUID } from "node:crypto";
import { APPROVALS } from "./agents.js";
import type { Change, Floor } from "./change.js";
import { db } from "./db.js";
import { until } from "./until.js";

/** How the routes of agents' approvals are asked. */

interface Asked {
  warehouse_ids?: number[] | null;
  operation?: string;
  page_key?: string | null;
  request?: object;
}

/** What the agent of a user of its own asked for, as its row; a decision starts its workflow. */
export async function insertApproval(asked: Asked = {}): Promise<number> {
  const { warehouse_ids = null, operation = "createVendor", page_key = "vendors" } = asked;
  const { request = { body: { vendor_name: randomUUID() } } } = asked;
  return (await db.value<number>(
    `with asker as (
       insert into users (username, password_hash, full_name, role, warehouse_ids)
       values ('agent-' || gen_random_uuid(), 'set by nobody', 'Agent', 'ADMIN', '{}') returning user_id)
     insert into agent_approvals (external_id, user_id, agent, operation, summary, page_key, warehouse_ids, request,
       request_hash, idempotency_key, expires_at)
     select gen_random_uuid(), user_id, 'test-agent 1.2.0', $1, 'Does something', $2, $3, $4, repeat('0', 64),
       'key-' || gen_random_uuid(), now() + interval '1 day' from asker
     returning approval_id`,
    [operation, page_key, warehouse_ids, request],
  )) as number;
}

/** It runs once it is approved, by itself. */
async function decided({ by, warehouse_id }: Floor, how: "approve" | "reject"): Promise<Change> {
  const move = { operation: "moveStock", page_key: null, request: { body: {} } };
  const path = `${APPROVALS}/${await insertApproval({ ...move, warehouse_ids: [warehouse_id] })}`;
  return { by, path: `${path}/${how}`, body: { reason: "looked at" }, other: { reason: "not looked at" } };
}

export const agentChanges: Record<string, (at: Floor) => Promise<Change>> = {
  [`post ${APPROVALS}/:approval_id/approve`]: async (at) => {
    const change = await decided(at, "approve");
    const path = change.path?.replace("/approve", "") ?? "";
    return {
      ...change,
      settled: () => until(async () => (await at.by.ok("GET", path)).status !== "APPROVED"),
    };
  },
  [`post ${APPROVALS}/:approval_id/reject`]: (at) => decided(at, "reject"),
};
