import type { Actor } from "../src/actor.js";
import { checkStrength, hashPassword } from "../src/auth/password.js";
import {
  CannotDeactivateSelf,
  CannotDeleteSelf,
  CannotDemoteSelf,
  LastAdmin,
  UserNotFound,
} from "../src/users/problems.js";
import { USER, type UserRecord } from "../src/users/queries.js";
import { command, type Tx } from "./command.js";
import { auditEdit, type Changes, edited } from "./edit.js";
import {
  grantPages,
  refuseMoreThanOwn,
  refuseUnknownWarehouses,
} from "./user-rights.js";

/** What an edit may change of a user, and its password; the name stays. */
export type UserChanges = Changes<
  Pick<
    UserRecord,
    | "full_name"
    | "role"
    | "warehouse_id"
    | "warehouse_ids"
    | "allowed_functions"
    | "is_active"
    | "page_keys"
  >
> & { password?: string | undefined };

/** Changes what is sent of a user (reference 03 §5). A new password ends every session that the user has. */
export async function updateUser(
  user_id: number,
  { password, ...changes }: UserChanges,
  by: Actor,
): Promise<UserRecord> {
  if (password !== undefined) checkStrength(password);
  const hash = password === undefined ? null : await hashPassword(password);
  return command("users.update", by, { user_id, ...changes }, async (tx) => {
    const { user: before, isLastAdmin } = await lockUser(tx, user_id);
    await refuseMoreThanOwn(tx, before, by);
    const after = afterEdit(before, changes);
    refuseLockout(before, after, isLastAdmin, by);
    if (changes.warehouse_ids ?? changes.warehouse_id)
      await refuseUnknownWarehouses(tx, after.warehouse_ids);
    await refuseMoreThanOwn(tx, after, by);
    await tx.run(
      `update users
       set full_name = $2, role = $3, warehouse_id = $4, warehouse_ids = $5, allowed_functions = $6, is_active = $7,
           password_hash = coalesce($8, password_hash),
           password_changed_at = case when $8::text is null then password_changed_at else clock_timestamp() end
       where user_id = $1`,
      [
        user_id,
        after.full_name,
        after.role,
        after.warehouse_id,
        after.warehouse_ids,
        after.allowed_functions,
        after.is_active,
        hash,
      ],
    );
    await grantPages(tx, user_id, after.page_keys, by);
    tellEdit(tx, before, after, hash !== null);
    return after;
  });
}

/** Deletes a user; what the user did stays under the user's name (reference 03 §5). */
export function deleteUser(
  user_id: number,
  by: Actor,
): Promise<{ message: string }> {
  return command("users.delete", by, { user_id }, async (tx) => {
    const { user, isLastAdmin } = await lockUser(tx, user_id);
    await refuseMoreThanOwn(tx, user, by);
    if (user_id === by.userId) throw CannotDeleteSelf();
    if (isLastAdmin) throw LastAdmin();
    await tx.run("delete from users where user_id = $1", [user_id]);
    const { username, role } = user;
    tx.audit({
      action: "DELETE",
      entity: "USER",
      entityId: user_id,
      warehouseId: user.warehouse_id,
      details: { username, role },
    });
    return { message: `User ${username} deleted` };
  });
}

/** Locks a user, and all active admins with it: of two who demote each other at once, the second finds itself the last one. */
async function lockUser(tx: Tx, userId: number) {
  const locked = await tx.rows<{ user_id: number; is_admin: boolean }>(
    `select user_id, role = 'ADMIN' and is_active as is_admin from users
     where user_id = $1 or (role = 'ADMIN' and is_active) order by user_id for update`,
    [userId],
  );
  const user = await tx.row<UserRecord>(
    `select ${USER} from users u where user_id = $1`,
    [userId],
  );
  if (!user) throw UserNotFound();
  const admins = locked.filter(({ is_admin }) => is_admin);
  const isLastAdmin = admins.length === 1 && admins[0]?.user_id === userId;
  return { user, isLastAdmin };
}

/** Nobody saws at the branch that everybody sits on. */
function refuseLockout(
  before: UserRecord,
  after: UserRecord,
  isLastAdmin: boolean,
  by: Actor,
): void {
  const itself = before.user_id === by.userId;
  const demoted = before.role === "ADMIN" && after.role !== "ADMIN";
  if (itself && !after.is_active) throw CannotDeactivateSelf();
  if (itself && demoted) throw CannotDemoteSelf();
  if (isLastAdmin && (demoted || !after.is_active)) throw LastAdmin();
}

/** `warehouse_ids` say it all; a lone `warehouse_id` becomes the first of those that the user has. */
function afterEdit(before: UserRecord, changes: UserChanges): UserRecord {
  const after = edited(before, changes);
  const { warehouse_id, warehouse_ids } = changes;
  const moved = warehouse_id ? [warehouse_id] : [];
  const ids = once(warehouse_ids ?? [...moved, ...before.warehouse_ids]);
  return {
    ...after,
    warehouse_id: ids[0] ?? null,
    warehouse_ids: ids,
    allowed_functions: once(after.allowed_functions),
    page_keys: once(after.page_keys).sort(),
  };
}

const once = <T>(values: T[]) => [...new Set(values)];

/** The audit row of an edit; a password is told as changed, never itself. */
function tellEdit(
  tx: Tx,
  before: UserRecord,
  after: UserRecord,
  password: boolean,
): void {
  const { user_id, username, warehouse_id } = after;
  const entry = {
    entity: "USER",
    entityId: user_id,
    warehouseId: warehouse_id,
    details: { username },
  };
  auditEdit(
    tx,
    entry,
    { ...before, password: "" },
    { ...after, password: password ? "changed" : "" },
  );
}
