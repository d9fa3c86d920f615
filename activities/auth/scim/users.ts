import { scimError } from "../../../src/auth/scim/errors.js";
import { type ProvisionedUser, provisionedUser } from "../../../src/auth/scim/queries.js";
import { fullNameOf, type ScimUserInput } from "../../../src/auth/scim/shapes.js";
import { NewUser } from "../../../src/auth/users/shapes.js";
import type { Actor } from "../../../src/platform/actor.js";
import { command, type Tx } from "../../command.js";
import { auditEdit, refusingDuplicate } from "../../edit.js";
import { keepBreakGlass } from "../break-glass.js";
import { NO_PASSWORD } from "../oidc/rights.js";
import { deleteUser, lockUser } from "../user-edits.js";
import { insertUser } from "../users.js";

/** Users that the provider provisions (docs/sign-in.md, Provisioning). */

const taken = (what: string) => scimError(409, `${what} is taken`, "uniqueness");

/** Makes a user, without a password and without rights: those come with the groups. */
export function provisionUser(input: ScimUserInput, by: Actor): Promise<ProvisionedUser> {
  return command("scim.createUser", by, input, async (tx) => {
    const { userName: username, externalId = null, active } = input;
    const fields = { username, full_name: fullNameOf(input), role: "USER" as const, allowed_functions: [] };
    const user = await insertUser(tx, fields, [], NO_PASSWORD);
    const former = await tx.row({}, "select from former_usernames where username = $1", [username]);
    if (!user || former) throw taken(`userName ${username}`);
    const linked = tx.run(
      "insert into user_identities (user_id, external_id, is_made, linked_by) values ($1, $2, true, $3)",
      [user.user_id, externalId, by.username],
    );
    await refusingDuplicate(linked, taken(`externalId ${externalId}`));
    if (!active) await tx.run("update users set is_active = false where user_id = $1", [user.user_id]);
    tx.audit({ action: "CREATE", entity: "USER", entityId: user.user_id, details: { username, externalId, active } });
    return provisionedUser(tx, user.external_id);
  });
}

/** Changes a user to what the whole resource says; deactivating ends all sessions. The name of a user never changes. */
export function changeProvisionedUser(
  id: string,
  inputOf: (before: ProvisionedUser) => ScimUserInput,
  by: Actor,
): Promise<ProvisionedUser> {
  return command("scim.changeUser", by, { id }, async (tx) => {
    const before = await lockedUser(tx, id);
    const input = inputOf(before.user);
    if (input.userName !== before.user.username)
      throw scimError(400, `The userName of ${before.user.username} cannot be changed`, "mutability");
    if (before.isLastAdmin && !input.active) throw scimError(400, "The last active ADMIN must stay one", "mutability");
    const externalId = input.externalId ?? null;
    await tx.run("update users set full_name = $2, is_active = $3 where user_id = $1", [
      before.user.user_id,
      fullNameOf(input),
      input.active,
    ]);
    const named = tx.run("update user_identities set external_id = $2 where user_id = $1", [
      before.user.user_id,
      externalId,
    ]);
    await refusingDuplicate(named, taken(`externalId ${externalId}`));
    await keepBreakGlass(tx);
    const after = await provisionedUser(tx, id);
    const entry = { entity: "USER", entityId: after.user_id, details: { username: after.username } };
    auditEdit(tx, entry, before.user, after);
    return after;
  });
}

async function lockedUser(tx: Tx, id: string) {
  const { user_id } = await provisionedUser(tx, id);
  const { isLastAdmin } = await lockUser(tx, user_id);
  return { user: await provisionedUser(tx, id), isLastAdmin };
}

/** Deletes a user, as an ADMIN does: records keep the name, which is not used again. */
export const deprovisionUser = ({ user_id }: ProvisionedUser, by: Actor) => deleteUser(user_id, by);

/** A user as it would be sent. */
export const asInput = ({ username, external_id, full_name, is_active }: ProvisionedUser) => ({
  ...{ userName: NewUser.shape.username.parse(username), externalId: external_id, displayName: full_name },
  active: is_active,
});
