import type { Actor } from "../../src/platform/actor.js";
import { int, time } from "../../src/platform/db/columns.js";
import { SavedViewNameTaken, SavedViewNotFound, SavedViewNotYours } from "../../src/reports/problems.js";
import { savedView } from "../../src/reports/views/queries.js";
import type { NewSavedView, SavedView } from "../../src/reports/views/shapes.js";
import { command } from "../command.js";
import { refusingDuplicate } from "../edit.js";

/**
 * Keeps a view of a list (docs/lists.md). Audit CREATE.
 *
 * Refusals: 409 `saved_view_name_taken`.
 */
export function createSavedView(input: NewSavedView, by: Actor): Promise<SavedView> {
  return command("savedViews.create", by, input, async (tx) => {
    const { list, view_name, is_shared } = input;
    const statement = tx.row(
      { view_id: int, created_at: time },
      `insert into saved_views (user_id, list, view_name, parameters, is_shared)
       values (:user_id, :list, :view_name, :parameters, :is_shared) returning view_id, created_at`,
      { ...input, user_id: by.userId },
    );
    const made = await refusingDuplicate(statement, SavedViewNameTaken({ view_name }));
    const { view_id, created_at } = made as NonNullable<typeof made>;
    tx.audit({ action: "CREATE", entity: "SAVED_VIEW", entityId: view_id, details: { list, view_name, is_shared } });
    return { view_id, ...input, owner: by.username, is_own: true, created_at };
  });
}

/**
 * Deletes a view: an own one, or as an ADMIN one that is shared. Audit DELETE.
 *
 * Refusals: 404 `saved_view_not_found`, 403 `saved_view_not_yours`.
 */
export function deleteSavedView(view_id: number, by: Actor): Promise<{ message: string }> {
  return command("savedViews.delete", by, { view_id }, async (tx) => {
    const [, view] = await tx.inOrder([
      tx.run("select from saved_views where view_id = $1 for update", [view_id]),
      savedView(tx, by.userId, view_id),
    ]);
    if (!view) throw SavedViewNotFound();
    if (!view.is_own && by.role !== "ADMIN") throw SavedViewNotYours({ owner: view.owner });
    await tx.run("delete from saved_views where view_id = $1", [view_id]);
    const { list, view_name } = view;
    tx.audit({ action: "DELETE", entity: "SAVED_VIEW", entityId: view_id, details: { list, view_name } });
    return { message: `View ${view_name} deleted` };
  });
}
