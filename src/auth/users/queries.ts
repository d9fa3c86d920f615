import { db } from "../../db/db.js";
import { builder, type Page } from "../../db/list.js";
import { listPage } from "../../db/listing.js";
import { type User, userList } from "./shapes.js";

/** The columns of a `User`, from `users u`. */
export const USER = `user_id, external_id, username, full_name, role, warehouse_id, warehouse_ids, allowed_functions,
  is_active, created_at, last_login,
  array(select page_key::text from user_page_permissions p where p.user_id = u.user_id order by page_key) as page_keys`;

/** All users by id (reference 03 §5). */
export function users(page: Page) {
  const query = builder("users as u").select(builder.raw(USER)).orderBy("user_id");
  return listPage<User, "users">("users", query, page, userList);
}

export const user = (userId: number): Promise<User | undefined> =>
  db.row<User>(`select ${USER} from users u where user_id = $1`, [userId]);
