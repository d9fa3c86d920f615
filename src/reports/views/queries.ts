import { db, type Sql } from "../../platform/db/db.js";
import { SavedView } from "./shapes.js";

const VIEW = `
  select v.view_id, v.list, v.view_name, v.parameters, v.is_shared, u.username as owner,
    v.user_id = :user_id as is_own, v.created_at
  from saved_views v join users u on u.user_id = v.user_id
  where (v.is_shared or v.user_id = :user_id)`;

/** The user's own views and those that are shared, of one list or of all. */
export const savedViews = (user_id: number, list?: string): Promise<SavedView[]> =>
  db.rows(SavedView, `${VIEW} and (:list::text is null or v.list = :list) order by v.view_name, v.view_id`, {
    ...{ user_id, list },
  });

/** A view that the user may use. */
export const savedView = (sql: Sql, user_id: number, view_id: number): Promise<SavedView | undefined> =>
  sql.row(SavedView, `${VIEW} and v.view_id = :view_id`, { user_id, view_id });
