import { db } from "../../platform/db/db.js";
import { anyOf, builder } from "../../platform/db/list.js";
import { listPage } from "../../platform/db/listing.js";
import { User, type UserFilters, UserName, userList } from "./shapes.js";

/** The columns of a `User`, from `users u`. */
export const USER = `user_id, external_id, username, full_name, role, warehouse_id, warehouse_ids, allowed_functions,
  is_active, created_at, last_login,
  array(select page_key::text from user_page_permissions p where p.user_id = u.user_id order by page_key) as page_keys`;

/** All users by id (docs/interface.md, Users); `q` looks in user name and full name, or is the external id. */
export function users(filters: UserFilters) {
  const { q } = filters;
  const query = builder("users as u").select(builder.raw(USER)).orderBy("user_id");
  if (q) query.where(anyOf(q, ["username", "full_name"], "external_id"));
  return listPage(User, "users", query, filters, userList);
}

export const user = (userId: number): Promise<User | undefined> =>
  db.row(User, `select ${USER} from users u where user_id = $1`, [userId]);

/** What users are called other than by their accounts, who work in one of the warehouses, or in any. */
export const userNames = (warehouseIds: number[] | null) =>
  db.rows(
    UserName,
    `select username, full_name from users
     where btrim(full_name) not in ('', username)
       and ($1::int[] is null or role = 'ADMIN' or warehouse_ids && $1)
     order by username`,
    [warehouseIds],
  );
