import { type Actor, checkWarehouse } from "../../src/actor.js";
import { GrantsTooMuch, UnknownWarehouses } from "../../src/auth/users/problems.js";
import type { User } from "../../src/auth/users/shapes.js";
import type { Tx } from "../command.js";

/** The fields of a user that decide what the user may do. */
type Rights = Pick<User, "role" | "page_keys" | "warehouse_ids">;

/**
 * A USER with the page `users` grants only warehouses and pages that the user has, and not the role ADMIN. The same
 * goes for editing a user who has more: setting that user's password would give access to it.
 */
export async function refuseMoreThanOwn(tx: Tx, rights: Rights, by: Actor): Promise<void> {
  if (by.role === "ADMIN") return;
  if (rights.role === "ADMIN") throw GrantsTooMuch({ what: "role ADMIN" });
  for (const id of rights.warehouse_ids) checkWarehouse(by, id);
  const lacking = await tx.rows<{ key: string }>(
    `select key from unnest($1::text[]) as key
     where not exists (select from user_page_permissions where user_id = $2 and page_key = key)`,
    [rights.page_keys, by.userId],
  );
  if (lacking.length > 0)
    throw GrantsTooMuch({
      what: `pages ${lacking.map(({ key }) => key).join(", ")}`,
    });
}

export async function refuseUnknownWarehouses(tx: Tx, ids: number[]): Promise<void> {
  const unknown = await tx.rows<{ id: number }>(
    "select id from unnest($1::int[]) as id where not exists (select from warehouses where warehouse_id = id)",
    [ids],
  );
  if (unknown.length > 0) throw UnknownWarehouses({ ids: unknown.map(({ id }) => id).join(", ") });
}

/** Grants these pages and no others; returns them sorted. */
export async function grantPages(tx: Tx, userId: number, keys: string[], by: Actor): Promise<string[]> {
  const pages = [...new Set(keys)].sort();
  await Promise.all([
    tx.run("delete from user_page_permissions where user_id = $1 and page_key <> all($2)", [userId, pages]),
    tx.run(
      `insert into user_page_permissions (user_id, page_key, granted_by) select $1, unnest($2::text[]), $3
       on conflict do nothing`,
      [userId, pages, by.username],
    ),
  ]);
  return pages;
}
