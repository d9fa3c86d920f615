import { builder, listPage, type Page } from "../list.js";

export interface UserRecord {
  user_id: number;
  username: string;
  full_name: string;
  role: "ADMIN" | "USER";
  warehouse_id: number | null;
  warehouse_ids: number[];
  allowed_functions: string[];
  page_keys: string[];
  is_active: boolean;
  created_at: string;
  last_login: string | null;
}

/** A user `u`, as an admin sees it. */
export const USER = `user_id, username, full_name, role, warehouse_id, warehouse_ids, allowed_functions, is_active,
  created_at, last_login,
  array(select page_key::text from user_page_permissions p where p.user_id = u.user_id order by page_key) as page_keys`;

/** All users by id (reference 03 §5). */
export function users(page: Page) {
  const query = builder("users as u")
    .select(builder.raw(USER))
    .orderBy("user_id");
  return listPage<UserRecord, "users">("users", query, page);
}
