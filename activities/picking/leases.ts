import { randomUUID } from "node:crypto";
import { IS_HELD } from "../../src/picking/held-lease.js";
import { BatchLeased, BatchOfAnother, LeaseLost, NoLease } from "../../src/picking/leases/problems.js";
import {
  type EndedLease,
  type LeaseRequest,
  type LeaseToGiveBack,
  TakenLease,
} from "../../src/picking/leases/shapes.js";
import { BatchWaits } from "../../src/picking/problems.js";
import type { Actor } from "../../src/platform/actor.js";
import { bool, int, text, time } from "../../src/platform/db/columns.js";
import { pickLeaseMinutes } from "../../src/system/settings/queries.js";
import { command, type Tx } from "../command.js";
import { lockOwnBatch, refuseEnded } from "./lock-batch.js";

/** Leases of waves: docs/offline.md. Each change of one happens under the lock of its batch. */

const Lease = {
  lease_id: text,
  device: text,
  username: text,
  user_id: int.nullable(),
  is_held: bool,
  taken_at: time,
  ended_at: time.nullable(),
  ended_by: text.nullable(),
  /** Who picks the batch, where that is not who has the lease. */
  other_picker: text.nullable(),
};

type HeldByDevice = NonNullable<Awaited<ReturnType<typeof leaseOf>>>;

const leaseOf = (tx: Tx, batchId: number) =>
  tx.row(
    Lease,
    `select lease_id, device, username, user_id, ${IS_HELD} as is_held, taken_at, ended_at, ended_by,
            case when user_id is distinct from assigned_user_id then assigned_to end as other_picker
     from pick_leases l join pick_batches p using (batch_id) where batch_id = $1`,
    [batchId],
  );

const TAKEN =
  "lease_id, batch_id, :batch_number::text as batch_number, device, username, taken_at, heard_at, expires_at";
const RENEWED = "heard_at = now(), expires_at = now() + make_interval(mins => minutes)";

/**
 * Gives a batch to a device of the caller, who picks it, or renews what it has. Another device, or another picker, is
 * left it only where the caller says so. Audit UPDATE of the batch where it changes hands.
 *
 * Refusals: 404 `batch_not_found`, 409 `batch_not_active`, `batch_waits`, `batch_leased`, `batch_of_another`.
 */
export function takeLease(batchId: number, { device, take_over }: LeaseRequest, by: Actor): Promise<TakenLease> {
  return command("picking.takeLease", by, { batchId, device, take_over }, async (tx) => {
    const batch = await lockOwnBatch(tx, batchId, by);
    refuseEnded(batch);
    const { batch_number, warehouse_id, assigned_to, assigned_user_id } = batch;
    if (assigned_to === null) throw BatchWaits({ batch_number });
    const before = await leaseOf(tx, batchId);
    const isPicker = assigned_user_id === by.userId;
    const isHere = before?.device === device && before.user_id === by.userId && before.ended_at === null;
    if (isHere && isPicker) return (await renewed(tx, batchId, batch_number)) as TakenLease;
    if (!take_over) {
      if (before?.is_held) throw BatchLeased({ batch_number, device: before.device, username: before.username });
      if (!isPicker) throw BatchOfAnother({ batch_number, assigned_to });
    }
    if (!isPicker)
      tx.later.run("update pick_batches set assigned_to = $2, assigned_user_id = $3 where batch_id = $1", [
        batchId,
        by.username,
        by.userId,
      ]);
    const old = before?.is_held ? { username: before.username, device: before.device } : null;
    tx.audit({
      ...{ action: "UPDATE", entity: "PICK_BATCH", entityId: batchId, warehouseId: warehouse_id },
      details: {
        ...{ batch_number, device: { old: old?.device ?? null, new: device } },
        ...(!isPicker && { assigned_to: { old: assigned_to, new: by.username } }),
      },
    });
    return (await taken(tx, batchId, batch_number, device, by)) as TakenLease;
  });
}

const renewed = (tx: Tx, batchId: number, batch_number: string) =>
  tx.row(TakenLease, `update pick_leases set ${RENEWED} where batch_id = :batchId returning ${TAKEN}`, {
    batchId,
    batch_number,
  });

const taken = async (tx: Tx, batchId: number, batch_number: string, device: string, by: Actor) =>
  tx.row(
    TakenLease,
    `insert into pick_leases (batch_id, lease_id, device, user_id, username, minutes, expires_at)
     values (:batchId, :lease_id, :device, :user_id, :username, :minutes, now() + make_interval(mins => :minutes))
     on conflict (batch_id) do update
     set lease_id = excluded.lease_id, device = excluded.device, user_id = excluded.user_id,
         username = excluded.username, minutes = excluded.minutes, expires_at = excluded.expires_at,
         taken_at = now(), heard_at = now(), ended_at = null, ended_by = null
     returning ${TAKEN}`,
    {
      ...{ batchId, batch_number, device, lease_id: randomUUID(), user_id: by.userId, username: by.username },
      minutes: await pickLeaseMinutes(tx),
    },
  );

/**
 * Ends the lease of a batch, whose picker keeps it: what its device sends from then on is refused until it takes the
 * batch again. Audit UPDATE of the batch.
 *
 * Refusals: 404 `batch_not_found`, 409 `batch_not_active`, `no_lease`.
 */
export function endLease(batchId: number, by: Actor): Promise<EndedLease> {
  return command("picking.endLease", by, { batchId }, (tx) => endHeld(tx, batchId, by));
}

/**
 * Gives a lease back whose device has nothing to send any more, as when its picker signs out: the next device of the
 * picker gets the wave without asking. Audit UPDATE of the batch.
 *
 * Refusals: 404 `batch_not_found`, 409 `batch_not_active`, `no_lease` where it is no lease of the caller that holds.
 */
export function giveLeaseBack(batchId: number, { lease_id }: LeaseToGiveBack, by: Actor): Promise<EndedLease> {
  return command("picking.giveLeaseBack", by, { batchId, lease_id }, (tx) =>
    endHeld(tx, batchId, by, (lease) => lease.lease_id === lease_id && lease.user_id === by.userId),
  );
}

async function endHeld(tx: Tx, batchId: number, by: Actor, isMeant: (lease: HeldByDevice) => boolean = () => true) {
  const batch = await lockOwnBatch(tx, batchId, by);
  refuseEnded(batch);
  const { batch_number, warehouse_id } = batch;
  const lease = await leaseOf(tx, batchId);
  if (!lease?.is_held || !isMeant(lease)) throw NoLease({ batch_number });
  endLeaseOf(tx, batchId, by);
  tx.audit({
    ...{ action: "UPDATE", entity: "PICK_BATCH", entityId: batchId, warehouseId: warehouse_id },
    details: { batch_number, device: { old: lease.device, new: null } },
  });
  return { message: "Lease ended", batch_id: batchId, batch_number };
}

/** Ends the lease of a locked batch, if there is one. */
export function endLeaseOf(tx: Tx, batchId: number, { username }: Actor): void {
  tx.later.run("update pick_leases set ended_at = now(), ended_by = $2 where batch_id = $1 and ended_at is null", [
    batchId,
    username,
  ]);
}

/**
 * Renews the lease with which something was done; the batch is locked. 409 `lease_lost` where another device or picker
 * has taken the batch since, or the desk has ended the lease. One that only expired still counts: nobody else went on.
 */
export async function useLease(
  tx: Tx,
  { batch_id, batch_number }: { batch_id: number; batch_number: string },
  leaseId: string | null | undefined,
  by: Actor,
): Promise<void> {
  if (!leaseId) return;
  const own = await tx.row(
    { batch_id: int },
    `update pick_leases l set ${RENEWED} from pick_batches p
     where l.batch_id = $1 and l.lease_id = $2 and l.user_id = $3 and l.ended_at is null
       and p.batch_id = l.batch_id and p.assigned_user_id = l.user_id
     returning l.batch_id`,
    [batch_id, leaseId, by.userId],
  );
  if (own) return;
  const now = await leaseOf(tx, batch_id);
  const who = now?.other_picker ?? now?.ended_by ?? now?.username ?? by.username;
  const since = now?.ended_at ?? now?.taken_at ?? null;
  throw LeaseLost({ batch_number, by: who }, { since });
}
