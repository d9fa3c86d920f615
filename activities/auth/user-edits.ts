import { isMadeByProvider } from "../../src/auth/oidc/queries.js";
import { checkStrength, hashPassword } from "../../src/auth/password.js";
import { queued } from "../../src/auth/password-queue.js";
import {
  CannotDeactivateSelf,
  CannotDeleteSelf,
  CannotDemoteSelf,
  LastAdmin,
  PasswordOfProvider,
  UserNotFound,
} from "../../src/auth/problems.js";
import { USER } from "../../src/auth/users/queries.js";
import { User, type UserEdit } from "../../src/auth/users/shapes.js";
import type { Actor } from "../../src/platform/actor.js";
import { bool, int } from "../../src/platform/db/columns.js";
import { unique } from "../../src/platform/values.js";
import { command, type Tx } from "../command.js";
import { auditEdit, withChanges } from "../edit.js";
import { keepBreakGlass } from "./break-glass.js";
import { grantPages, refuseMoreThanOwn, refuseOwnRights, refuseUnknownWarehouses } from "./user-rights.js";

/** Changes the sent fields of a user (docs/interface.md, Users). A new password ends all sessions of the user. */
export async function updateUser(user_id: number, { password, ...changes }: UserEdit, by: Actor): Promise<User> {
  if (password !== undefined) checkStrength(password);
  const hash = password === undefined ? null : await queued(by.username, () => hashPassword(password));
  return command("users.update", by, { user_id, ...changes }, async (tx) => {
    const { user: before, isLastAdmin } = await lockUser(tx, user_id);
    await refuseMoreThanOwn(tx, before, by);
    if (hash !== null && (await isMadeByProvider(tx, user_id))) throw PasswordOfProvider();
    const after = afterEdit(before, changes);
    refuseLockout(before, after, isLastAdmin, by);
    if (changes.warehouse_ids ?? changes.warehouse_id) await refuseUnknownWarehouses(tx, after.warehouse_ids);
    await refuseMoreThanOwn(tx, after, by);
    refuseOwnRights(before, after, by);
    await tx.run(
      `update users
       set full_name = :full_name, role = :role, warehouse_id = :warehouse_id, warehouse_ids = :warehouse_ids,
           allowed_functions = :allowed_functions, is_active = :is_active,
           password_hash = coalesce(:hash, password_hash),
           password_changed_at = case when :hash::text is null then password_changed_at else clock_timestamp() end
       where user_id = :user_id`,
      { ...after, hash },
    );
    await grantPages(tx, user_id, after.page_keys, by);
    await keepBreakGlass(tx);
    auditUserEdit(tx, before, after, hash !== null);
    return after;
  });
}

/** Deletes a user; records keep the user's name (docs/interface.md, Users), so the name is not used again. */
export function deleteUser(user_id: number, by: Actor): Promise<{ message: string }> {
  return command("users.delete", by, { user_id }, async (tx) => {
    const { user, isLastAdmin } = await lockUser(tx, user_id);
    await refuseMoreThanOwn(tx, user, by);
    if (user_id === by.userId) throw CannotDeleteSelf();
    if (isLastAdmin) throw LastAdmin();
    const { username, role } = user;
    await tx.run("delete from users where user_id = $1", [user_id]);
    await keepBreakGlass(tx);
    await tx.run("insert into former_usernames (username) values ($1) on conflict (username) do nothing", [username]);
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

/**
 * Locks a user and all active admins, so that of two admins who demote each other at the same time, one is refused as
 * the last.
 */
export async function lockUser(tx: Tx, userId: number) {
  const locked = await tx.rows(
    { user_id: int, is_admin: bool },
    `select user_id, role = 'ADMIN' and is_active as is_admin from users
     where user_id = $1 or (role = 'ADMIN' and is_active) order by user_id for update`,
    [userId],
  );
  const user = await tx.row(User, `select ${USER} from users u where user_id = $1`, [userId]);
  if (!user) throw UserNotFound();
  const admins = locked.filter(({ is_admin }) => is_admin);
  const isLastAdmin = admins.length === 1 && admins[0]?.user_id === userId;
  return { user, isLastAdmin };
}

/** Refuses edits that lock out their author, and those that leave no active ADMIN. */
function refuseLockout(before: User, after: User, isLastAdmin: boolean, by: Actor): void {
  const isSelf = before.user_id === by.userId;
  const demoted = before.role === "ADMIN" && after.role !== "ADMIN";
  if (isSelf && !after.is_active) throw CannotDeactivateSelf();
  if (isSelf && demoted) throw CannotDemoteSelf();
  if (isLastAdmin && (demoted || !after.is_active)) throw LastAdmin();
}

/** The user after the edit. Without `warehouse_ids`, a `warehouse_id` becomes the first of the user's warehouses. */
function afterEdit(before: User, changes: Omit<UserEdit, "password">): User {
  const after = withChanges(before, changes);
  const { warehouse_id, warehouse_ids } = changes;
  const moved = warehouse_id ? [warehouse_id] : [];
  const ids = unique(warehouse_ids ?? [...moved, ...before.warehouse_ids]);
  return {
    ...after,
    warehouse_id: ids[0] ?? null,
    warehouse_ids: ids,
    allowed_functions: unique(after.allowed_functions),
    page_keys: unique(after.page_keys).sort(),
  };
}

/** Writes the audit row of an edit; it shows that the password changed, but not the password. */
function auditUserEdit(tx: Tx, before: User, after: User, password: boolean): void {
  const { user_id, username, warehouse_id } = after;
  const entry = { entity: "USER", entityId: user_id, warehouseId: warehouse_id, details: { username } };
  auditEdit(tx, entry, { ...before, password: "" }, { ...after, password: password ? "changed" : "" });
}
