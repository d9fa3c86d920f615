import { BREAK_GLASS, userSignIn } from "../../../src/auth/oidc/queries.js";
import type { UserSignIn, UserSignInEdit } from "../../../src/auth/oidc/shapes.js";
import { BreakGlassUnfit } from "../../../src/auth/problems.js";
import type { Actor } from "../../../src/platform/actor.js";
import { command } from "../../command.js";
import { auditEdit } from "../../edit.js";
import { keepBreakGlass } from "../break-glass.js";
import { lockUser } from "../user-edits.js";
import { endProviderSessions } from "./sessions.js";

/**
 * Changes how a user signs in. A user who is linked is taken over by whoever the provider knows by that name, at the
 * next sign-in; one who no longer is loses the sessions that were begun there.
 */
export function changeUserSignIn(user_id: number, changes: UserSignInEdit, by: Actor): Promise<UserSignIn> {
  return command("users.changeSignIn", by, { user_id, ...changes }, async (tx) => {
    const { user } = await lockUser(tx, user_id);
    const before = (await userSignIn(tx, user_id)) as UserSignIn;
    const { is_break_glass = before.is_break_glass, is_linked = before.provider !== null } = changes;
    if (is_linked && !before.provider)
      await tx.run("insert into user_identities (user_id, linked_by) values ($1, $2)", [user_id, by.username]);
    if (!is_linked && before.provider) {
      await tx.run("delete from user_identities where user_id = $1", [user_id]);
      await endProviderSessions(tx, user_id);
    }
    await tx.run("update users set is_break_glass = $2 where user_id = $1", [user_id, is_break_glass]);
    const fits = await tx.row({}, `select from users where user_id = $1 and ${BREAK_GLASS}`, [user_id]);
    if (is_break_glass && (is_linked || !fits)) throw BreakGlassUnfit();
    await keepBreakGlass(tx);
    const after = (await userSignIn(tx, user_id)) as UserSignIn;
    auditEdit(tx, { entity: "USER", entityId: user_id, details: { username: user.username } }, before, after);
    return after;
  });
}
