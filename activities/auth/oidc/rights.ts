import { rightsOf } from "../../../src/auth/oidc/identity.js";
import { signInMapping } from "../../../src/auth/oidc/queries.js";
import { SignInRefused } from "../../../src/auth/oidc/refused.js";
import type { Rights } from "../../../src/auth/oidc/shapes.js";
import type { User } from "../../../src/auth/users/shapes.js";
import type { Actor } from "../../../src/platform/actor.js";
import { int, text } from "../../../src/platform/db/columns.js";
import type { Tx } from "../../command.js";
import { auditEdit } from "../../edit.js";
import { lockUser } from "../user-edits.js";
import { grantPages } from "../user-rights.js";

/** The rights of the provider's users. */

/** What somebody may do whose groups are gone. */
const NOTHING: Rights = { role: "USER", warehouse_ids: [], allowed_functions: [], page_keys: [] };

/** In the place of a hash: no password matches it. */
export const NO_PASSWORD = "signs in at the identity provider";

/**
 * Gives a user what the groups give that the provider told at the last sign-in, or has provisioned, and no more;
 * returns whether they give anything.
 */
export async function applyGroups(tx: Tx, userId: number, by: Actor, name?: { full_name: string }): Promise<boolean> {
  const named = await tx.rows(
    { name: text },
    `select unnest(groups) as name from user_identities where user_id = $1
     union
     select display_name from provisioned_group_members join provisioned_groups using (group_id) where user_id = $1`,
    [userId],
  );
  const rights = rightsOf(
    named.map((group) => group.name),
    await signInMapping(tx),
  );
  await bringUpToDate(tx, userId, { ...(rights ?? NOTHING), ...name }, by);
  return rights !== undefined;
}

/** Gives a user this name, these rights and no others, with those warehouses that are still there. */
async function bringUpToDate(
  tx: Tx,
  userId: number,
  rights: Rights & { full_name?: string },
  by: Actor,
): Promise<void> {
  const { user: before, isLastAdmin } = await lockUser(tx, userId);
  // Else nobody could give the role to anybody again.
  if (isLastAdmin && rights.role !== "ADMIN") throw new SignInRefused("last_admin", before.username);
  const there = await tx.rows(
    { warehouse_id: int },
    "select warehouse_id from warehouses where warehouse_id = any($1) order by warehouse_id",
    [rights.warehouse_ids],
  );
  const warehouse_ids = there.map(({ warehouse_id }) => warehouse_id);
  const after: User = { ...before, ...rights, warehouse_ids, warehouse_id: warehouse_ids[0] ?? null };
  await tx.run(
    `update users
     set full_name = :full_name, role = :role, warehouse_id = :warehouse_id, warehouse_ids = :warehouse_ids,
         allowed_functions = :allowed_functions
     where user_id = :user_id`,
    after,
  );
  await grantPages(tx, userId, after.page_keys, by);
  auditEdit(tx, { entity: "USER", entityId: userId, details: { username: before.username } }, before, after);
}
