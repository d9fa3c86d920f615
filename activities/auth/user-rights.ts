import { GrantsTooMuch, OwnRights, UnknownWarehouses } from "../../src/auth/problems.js";
import type { User } from "../../src/auth/users/shapes.js";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import type { Tx } from "../command.js";

/** The fields of a user that decide what the user may do. */
type Rights = Pick<User, "role" | "page_keys" | "warehouse_ids" | "allowed_functions">;

/**
 * A USER with the page `users` grants only warehouses and pages that this USER has, and not the role ADMIN; where
 * functions are enforced, this holds for functions too. Nor may this USER edit a user who has more rights: whoever sets
 * that user's password could sign in as that user.
 */
export async function refuseMoreThanOwn(tx: Tx, rights: Rights, by: Actor): Promise<void> {
  if (by.role === "ADMIN") return;
  if (rights.role === "ADMIN") throw GrantsTooMuch({ what: "role ADMIN" });
  for (const id of rights.warehouse_ids) checkWarehouse(by, id);
  const [pages, functions] = await Promise.all([
    tx.rows(
      { key: text },
      `select key from unnest($1::text[]) as key
       where not exists (select from user_page_permissions where user_id = $2 and page_key = key)`,
      [rights.page_keys, by.userId],
    ),
    tx.rows(
      { key: text },
      `select key from unnest($1::text[]) as key
       where exists (select from app_settings where key = 'enforce_allowed_functions' and value = 'true')
         and not exists (select from users where user_id = $2 and key = any(allowed_functions))`,
      [rights.allowed_functions, by.userId],
    ),
  ]);
  for (const [name, lacking] of Object.entries({ pages, functions }))
    if (lacking.length > 0) throw GrantsTooMuch({ what: `${name} ${lacking.map(({ key }) => key).join(", ")}` });
}

/** A USER cannot change the rights of the own account; an ADMIN has all rights anyway. */
export function refuseOwnRights(before: Rights & { user_id: number }, after: Rights, by: Actor): void {
  if (by.role === "ADMIN" || before.user_id !== by.userId) return;
  const rightsOf = ({ role, ...lists }: Rights) => [
    role,
    ...(["page_keys", "warehouse_ids", "allowed_functions"] as const).map((name) => [...lists[name]].sort()),
  ];
  if (JSON.stringify(rightsOf(before)) !== JSON.stringify(rightsOf(after))) throw OwnRights();
}

export async function refuseUnknownWarehouses(tx: Tx, ids: number[]): Promise<void> {
  const unknown = await tx.rows(
    { id: int },
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
