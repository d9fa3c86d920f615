import { randomUUID } from "node:crypto";
import { checkStrength, hashPassword } from "../../src/auth/password.js";
import { queued } from "../../src/auth/password-queue.js";
import { UsernameTaken } from "../../src/auth/problems.js";
import { type NewlyMadeUser, type NewUser, User } from "../../src/auth/users/shapes.js";
import type { Actor } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { alike } from "../../src/platform/username.js";
import { command, type Tx } from "../command.js";
import { grantPages, refuseMoreThanOwn, refuseUnknownWarehouses } from "./user-rights.js";

/** A new user without the password, which must not be part of the recorded command. */
type Recorded = Omit<NewUser, "password">;

/**
 * Creates a user (docs/interface.md, Users). Clients start in the user's first warehouse. The name of a deleted user is
 * not used again, because records are found by it.
 */
export async function createUser(input: NewUser, by: Actor): Promise<NewlyMadeUser> {
  const { password, ...recorded } = input;
  checkStrength(password);
  const hash = await queued(by.username, () => hashPassword(password));
  return command("users.create", by, recorded, async (tx) => {
    const warehouseIds = warehousesOf(recorded);
    await refuseUnknownWarehouses(tx, warehouseIds);
    await refuseMoreThanOwn(tx, { ...recorded, warehouse_ids: warehouseIds }, by);
    const user = await insertUser(tx, recorded, warehouseIds, hash);
    // Read after the insert, which waits for a concurrent deletion of a user of this name.
    const former = await tx.row({}, "select from former_usernames where username = $1", [recorded.username]);
    if (!user || former) throw UsernameTaken({ username: recorded.username });
    const page_keys = await grantPages(tx, user.user_id, recorded.page_keys, by);
    const { username, role, allowed_functions } = user;
    const others = await tx.rows({ username: text }, "select username from users order by username");
    const looks_like = alike(
      username,
      others.map((other) => other.username),
    );
    tx.audit({
      action: "CREATE",
      entity: "USER",
      entityId: user.user_id,
      warehouseId: user.warehouse_id,
      details: {
        username,
        role,
        warehouse_ids: warehouseIds,
        allowed_functions,
        page_keys,
        ...(looks_like.length > 0 && { looks_like }),
      },
    });
    return { ...user, page_keys, looks_like };
  });
}

/** Creates the first admin if there is no user yet; returns whether it did. The password's strength is not checked. */
export async function createFirstAdmin(username: string, password: string, mustChange: boolean): Promise<boolean> {
  const by = systemActor(randomUUID());
  const passwordHash = await hashPassword(password);
  return command("users.createFirstAdmin", by, { username, mustChange }, async (tx) => {
    // Two processes may prepare the same database at the same time.
    await tx.run("lock table users in share row exclusive mode");
    if (await tx.row({}, "select from users limit 1")) return false;
    const user = await tx.row(
      { user_id: int },
      `insert into users (username, password_hash, full_name, role, must_change_password)
       values ($1, $2, 'Administrator', 'ADMIN', $3) returning user_id`,
      [username, passwordHash, mustChange],
    );
    tx.audit({ action: "CREATE", entity: "USER", entityId: user?.user_id ?? 0, details: { username, role: "ADMIN" } });
    return true;
  });
}

function warehousesOf({ warehouse_ids, warehouse_id }: Recorded): number[] {
  if (warehouse_ids.length === 0 && warehouse_id) return [warehouse_id];
  return [...new Set(warehouse_ids)];
}

const InsertUserRow = User.omit({ page_keys: true });

/** The new user, without its pages; undefined when the name is taken. */
export function insertUser(
  tx: Tx,
  recorded: Pick<Recorded, "username" | "full_name" | "role" | "allowed_functions">,
  warehouseIds: number[],
  passwordHash: string,
) {
  return tx.row(
    InsertUserRow,
    `insert into users (username, password_hash, full_name, role, warehouse_id, warehouse_ids, allowed_functions)
     values (:username, :passwordHash, :full_name, :role, :warehouse_id, :warehouseIds, :allowed_functions)
     on conflict (username) do nothing
     returning user_id, external_id, username, full_name, role, warehouse_id, warehouse_ids, allowed_functions,
               is_active, created_at, last_login`,
    {
      username: recorded.username,
      passwordHash,
      full_name: recorded.full_name,
      role: recorded.role,
      warehouse_id: warehouseIds[0] ?? null,
      warehouseIds,
      allowed_functions: [...new Set(recorded.allowed_functions)],
    },
  );
}
