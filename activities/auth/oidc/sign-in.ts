import { randomUUID } from "node:crypto";
import { type Identity, rightsOf } from "../../../src/auth/oidc/identity.js";
import { signInMapping } from "../../../src/auth/oidc/queries.js";
import { SignInRefused } from "../../../src/auth/oidc/refused.js";
import { ACCOUNT, EPOCH } from "../../../src/auth/queries.js";
import type { Actor } from "../../../src/platform/actor.js";
import { int } from "../../../src/platform/db/columns.js";
import { systemActor } from "../../../src/platform/system-actor.js";
import { command, type Tx } from "../../command.js";
import { SignedIn } from "../login.js";
import { insertUser } from "../users.js";
import { applyGroups, NO_PASSWORD } from "./rights.js";
import { endProviderSessions } from "./sessions.js";

const UserId = { user_id: int };

/**
 * Signs in who has signed in at the provider (docs/sign-in.md): a user whom it knows already, one whom an ADMIN has
 * linked to it, or a new one. Rights are what the groups give, from now on. A user without such a group loses all
 * rights and sessions, and is refused.
 */
export async function signInByProvider(who: Identity, sessionId: string): Promise<SignedIn> {
  const by = { ...systemActor(randomUUID()), username: "system:sign-in" };
  const { issuer, subject, username, sid } = who;
  const signedIn = await command("auth.signInByProvider", by, { issuer, subject, sessionId }, async (tx) => {
    const known = await knownUser(tx, who);
    if (known === undefined && !rightsOf(who.groups, await signInMapping(tx))) return null;
    const userId = known ?? (await makeUser(tx, who, by));
    const active = await tx.row({}, "select from users where user_id = $1 and is_active", [userId]);
    if (!active) throw new SignInRefused("deactivated", username);
    await tx.run("update user_identities set groups = $2 where user_id = $1", [userId, who.groups]);
    if (!(await applyGroups(tx, userId, by, { full_name: who.fullName }))) {
      await endProviderSessions(tx, userId);
      return null;
    }
    await tx.run(
      `insert into provider_sessions (session_id, user_id, issuer, subject, provider_sid)
       values (:sessionId, :userId, :issuer, :subject, :sid)`,
      { sessionId, userId, issuer, subject, sid: sid ?? null },
    );
    return (await tx.row(
      SignedIn,
      `with admitted as (
         update users set last_login = now() where user_id = $1 returning ${ACCOUNT}, password_changed_at, ${EPOCH}
       )
       select ${ACCOUNT}, password_changed_at, epoch from admitted`,
      [userId],
    )) as SignedIn;
  });
  if (!signedIn) throw new SignInRefused("no_mapped_group", username);
  return signedIn;
}

/** The user of this identity; one who waits for it is linked to it. */
async function knownUser(tx: Tx, { issuer, subject, username }: Identity): Promise<number | undefined> {
  const linked = await tx.row(UserId, "select user_id from user_identities where issuer = $1 and subject = $2", [
    issuer,
    subject,
  ]);
  if (linked) return linked.user_id;
  const waiting = await tx.row(
    UserId,
    `update user_identities set issuer = $1, subject = $2, linked_at = now()
     where subject is null and user_id = (select user_id from users where username = $3) returning user_id`,
    [issuer, subject, username],
  );
  if (waiting)
    tx.audit({ action: "SIGN_IN_LINKED", entity: "USER", entityId: waiting.user_id, details: { username, subject } });
  return waiting?.user_id;
}

/** A new user without rights. One of that name is somebody else, as far as anybody here knows; so was a deleted one. */
async function makeUser(tx: Tx, { issuer, subject, username, fullName }: Identity, by: Actor): Promise<number> {
  const fields = { username, full_name: fullName, role: "USER" as const, allowed_functions: [] };
  const user = await insertUser(tx, fields, [], NO_PASSWORD);
  const former = await tx.row({}, "select from former_usernames where username = $1", [username]);
  if (!user || former) throw new SignInRefused("username_taken", username);
  await tx.run(
    `insert into user_identities (user_id, issuer, subject, is_made, linked_by) values ($1, $2, $3, true, $4)`,
    [user.user_id, issuer, subject, by.username],
  );
  tx.audit({ action: "CREATE", entity: "USER", entityId: user.user_id, details: { username, subject } });
  return user.user_id;
}
