import { scimError } from "../../../src/auth/scim/errors.js";
import { type ProvisionedGroup, provisionedGroup } from "../../../src/auth/scim/queries.js";
import type { ScimGroupInput } from "../../../src/auth/scim/shapes.js";
import type { Actor } from "../../../src/platform/actor.js";
import { int, text } from "../../../src/platform/db/columns.js";
import { command, type Tx } from "../../command.js";
import { refusingDuplicate } from "../../edit.js";
import { applyGroups } from "../oidc/rights.js";

/** Groups that the provider provisions (docs/sign-in.md, Provisioning): their people have the rights at once. */

const taken = (name: string) => scimError(409, `displayName ${name} is taken`, "uniqueness");

export function provisionGroup(input: ScimGroupInput, by: Actor): Promise<ProvisionedGroup> {
  return command("scim.createGroup", by, input, async (tx) => {
    const { displayName, externalId = null } = input;
    const made = tx.row(
      { id: text },
      "insert into provisioned_groups (display_name, external_id) values ($1, $2) returning group_id::text as id",
      [displayName, externalId],
    );
    const { id } = (await refusingDuplicate(made, taken(displayName))) as { id: string };
    await setMembers(tx, id, input, by);
    tx.audit({ action: "CREATE", entity: "SIGN_IN", entityId: 0, details: { group: displayName } });
    return provisionedGroup(tx, id);
  });
}

export function changeProvisionedGroup(
  id: string,
  inputOf: (before: ProvisionedGroup) => ScimGroupInput,
  by: Actor,
): Promise<ProvisionedGroup> {
  return command("scim.changeGroup", by, { id }, async (tx) => {
    await lockGroup(tx, id);
    const before = await provisionedGroup(tx, id);
    const input = inputOf(before);
    const { displayName, externalId = null } = input;
    const named = tx.run(
      "update provisioned_groups set display_name = $2, external_id = $3, changed_at = now() where group_id::text = $1",
      [id, displayName, externalId],
    );
    await refusingDuplicate(named, taken(displayName));
    await setMembers(tx, id, input, by, displayName !== before.display_name);
    const details = { group: displayName, members: input.members?.length ?? 0 };
    tx.audit({ action: "UPDATE", entity: "SIGN_IN", entityId: 0, details });
    return provisionedGroup(tx, id);
  });
}

export function deprovisionGroup(id: string, by: Actor): Promise<{ id: string }> {
  return command("scim.deleteGroup", by, { id }, async (tx) => {
    await lockGroup(tx, id);
    const { display_name } = await provisionedGroup(tx, id);
    await setMembers(tx, id, { displayName: display_name }, by);
    await tx.run("delete from provisioned_groups where group_id::text = $1", [id]);
    tx.audit({ action: "DELETE", entity: "SIGN_IN", entityId: 0, details: { group: display_name } });
    return { id };
  });
}

const lockGroup = (tx: Tx, id: string) =>
  tx.run("select from provisioned_groups where group_id::text = $1 for update", [id]);

/** Makes these the members and no others; whoever comes or goes, or all of them, have their rights anew. */
async function setMembers(tx: Tx, id: string, { members }: ScimGroupInput, by: Actor, all = false): Promise<void> {
  const asked = [...new Set((members ?? []).map(({ value }) => value.toLowerCase()))];
  const known = await tx.rows(
    { user_id: int },
    `select user_id from users join user_identities using (user_id) where users.external_id::text = any($1)`,
    [asked],
  );
  if (known.length < asked.length) throw scimError(400, "A member is no provisioned user", "invalidValue");
  const ids = known.map(({ user_id }) => user_id);
  const gone = await tx.rows(
    { user_id: int },
    `delete from provisioned_group_members where group_id::text = $1 and user_id <> all($2) returning user_id`,
    [id, ids],
  );
  const come = await tx.rows(
    { user_id: int },
    `insert into provisioned_group_members (group_id, user_id) select $1::uuid, unnest($2::int[])
     on conflict do nothing returning user_id`,
    [id, ids],
  );
  const changed = all ? [...gone, ...known] : [...gone, ...come];
  // In order, so that two commands do not wait for each other.
  for (const user_id of [...new Set(changed.map((one) => one.user_id))].sort((a, b) => a - b))
    await applyGroups(tx, user_id, by);
}
