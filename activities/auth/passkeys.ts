import { randomUUID } from "node:crypto";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { asserted, challengeIn, type RelyingParty, registered } from "../../src/auth/factors/passkeys.js";
import { PASSKEY } from "../../src/auth/factors/queries.js";
import { Passkey } from "../../src/auth/factors/shapes.js";
import { ChallengeExpired, InvalidPasskey, PasskeyNotFound, PasskeyTaken } from "../../src/auth/problems.js";
import type { Actor } from "../../src/platform/actor.js";
import { text } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { command, type Tx } from "../command.js";
import { beginChallenge, takeChallenge } from "./challenges.js";
import { type OwnProof, withOwnProof } from "./login-attempts.js";
import { dropCodesWithoutFactor, firstCodes, type SealedCodes } from "./recovery-codes.js";

/** Begins to make a passkey, with a proof: the challenge that the new one signs. */
export const beginPasskey = (proof: OwnProof, by: Actor): Promise<string> =>
  withOwnProof(proof, by, () => beginChallenge(by.userId, "register"));

/** Adds the passkey that a browser made; the first factor of a user comes with recovery codes. */
export function addPasskey(
  name: string,
  response: RegistrationResponseJSON,
  rp: RelyingParty,
  codes: SealedCodes,
  by: Actor,
) {
  return command("passkeys.add", by, {}, async (tx) => {
    const challenge = challengeIn(response);
    if (!(await takeChallenge(tx, challenge, by.userId, "register"))) throw ChallengeExpired();
    const credential = await registered(response, challenge, rp);
    if (!credential) throw InvalidPasskey();
    const passkey = await tx.row(
      Passkey,
      `insert into user_passkeys (user_id, credential_id, public_key, counter, transports, rp_id, passkey_name)
       values (:userId, :credential_id, :public_key, :counter, :transports, :rpId, :name)
       on conflict (credential_id) do nothing returning ${PASSKEY}`,
      { userId: by.userId, ...credential, rpId: rp.id, name },
    );
    if (!passkey) throw PasskeyTaken();
    const sealed = await firstCodes(tx, codes, by);
    audit(tx, "PASSKEY_ADD", by, name);
    return { passkey, sealed };
  });
}

/** Removes a passkey of the caller; with the last factor go the recovery codes. */
export function removePasskey(passkey_id: string, proof: OwnProof, by: Actor) {
  return withOwnProof(proof, by, () =>
    command("passkeys.remove", by, {}, async (tx) => {
      const removed = await tx.row(
        { passkey_name: text },
        "delete from user_passkeys where passkey_id = $1 and user_id = $2 returning passkey_name",
        [passkey_id, by.userId],
      );
      if (!removed) throw PasskeyNotFound();
      await dropCodesWithoutFactor(tx, by.userId);
      audit(tx, "PASSKEY_REMOVE", by, removed.passkey_name);
      return { message: `Passkey ${removed.passkey_name} removed` };
    }),
  );
}

const Known = { passkey_id: text, credential_id: text, public_key: text, passkey_name: text };

/**
 * Whether a passkey of the user signed the challenge on a page of this host, and counted on. One that did not is
 * refused and audited: there may be a copy of it.
 */
export async function takeAssertion(
  { user_id, username }: { user_id: number; username: string },
  response: AuthenticationResponseJSON,
  challenge: string,
  rp: RelyingParty,
): Promise<boolean> {
  const known = await db.row(
    Known,
    `select passkey_id::text, credential_id, public_key, passkey_name from user_passkeys
     where user_id = $1 and credential_id = $2 and rp_id = $3`,
    [user_id, response.id, rp.id],
  );
  if (!known) return false;
  const counter = await asserted(response, challenge, rp, known);
  if (counter === undefined) return false;
  const taken = await db.row(
    { passkey_id: text },
    `update user_passkeys set counter = $2, last_used_at = now()
     where passkey_id = $1 and (counter < $2 or counter = 0 and $2 = 0) returning passkey_id::text`,
    [known.passkey_id, counter],
  );
  if (taken) return true;
  await command("passkeys.countedBack", systemActor(randomUUID()), {}, async (tx) =>
    tx.audit({
      action: "PASSKEY_COUNTED_BACK",
      entity: "USER",
      entityId: user_id,
      details: { username, passkey_name: known.passkey_name },
    }),
  );
  return false;
}

function audit(tx: Tx, action: string, { userId, username }: Actor, passkey_name: string): void {
  tx.audit({ action, entity: "USER", entityId: userId, details: { username, passkey_name } });
}
