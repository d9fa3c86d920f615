import { signInMapping } from "../../../src/auth/oidc/queries.js";
import { SignInMapping } from "../../../src/auth/oidc/shapes.js";
import type { Actor } from "../../../src/platform/actor.js";
import { command } from "../../command.js";
import { auditEdit } from "../../edit.js";
import { refuseUnknownWarehouses } from "../user-rights.js";

/** Sets what groups of the provider's may do. Who is signed in already keeps the rights until the next sign-in. */
export function setSignInMapping(mapping: SignInMapping, by: Actor): Promise<SignInMapping> {
  return command("auth.setSignInMapping", by, mapping, async (tx) => {
    await tx.run("select pg_advisory_xact_lock(hashtext('sign_in_mapping'))");
    await refuseUnknownWarehouses(tx, [...new Set(mapping.groups.flatMap(({ warehouse_ids }) => warehouse_ids))]);
    const before = await signInMapping(tx);
    const after = (await tx.row(
      SignInMapping,
      `insert into sign_in_mapping (username_claim, groups_claim, groups, changed_by)
       values ($1, $2, $3, $4)
       on conflict (is_only) do update
         set username_claim = excluded.username_claim, groups_claim = excluded.groups_claim, groups = excluded.groups,
             changed_by = excluded.changed_by, changed_at = now()
       returning username_claim, groups_claim, groups`,
      [mapping.username_claim, mapping.groups_claim, JSON.stringify(mapping.groups), by.username],
    )) as SignInMapping;
    auditEdit(tx, { entity: "SIGN_IN", entityId: 0 }, before, after);
    return after;
  });
}
