import { randomUUID } from "node:crypto";
import { challenged } from "../../src/auth/factors/queries.js";
import type { Proof } from "../../src/auth/factors/shapes.js";
import { ChallengeExpired, InvalidSecondFactor } from "../../src/auth/problems.js";
import type { Actor } from "../../src/platform/actor.js";
import { db } from "../../src/platform/db/db.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { command } from "../command.js";
import { takeChallenge } from "./challenges.js";
import { clearAttempts, limitedAttempt, withOwnPassword } from "./login-attempts.js";
import { type FactorKeys, isProven } from "./second-factor.js";

/** Proves by the password whose the session is. A wrong one counts as a failed login from that address. */
export const stepUpByPassword = (password: string, address: string, by: Actor): Promise<void> =>
  withOwnPassword(password, address, by, async () => {
    await noteStepUp("password", by);
    return true;
  }).then(() => undefined);

/**
 * Proves it by a second factor, for the challenge of the refusal. Five wrong ones lock the second factor of the user
 * for 15 minutes, for sign-ins too.
 */
export async function stepUpByFactor(
  challenge: string,
  proof: Proof,
  address: string,
  keys: FactorKeys,
  by: Actor,
): Promise<void> {
  const user = await challenged(challenge, "step_up");
  if (user?.user_id !== by.userId) throw ChallengeExpired();
  const attempt = { address, username: by.username, factorOf: by.userId };
  const { isTaken } = await limitedAttempt(attempt, InvalidSecondFactor, async (key) => {
    if (!(await isProven(user, challenge, proof, keys))) return undefined;
    await clearAttempts(key);
    return { isTaken: await takeChallenge(db, challenge, by.userId, "step_up") };
  });
  if (!isTaken) throw ChallengeExpired();
  await noteStepUp(Object.keys(proof).find((way) => proof[way as keyof Proof] !== undefined) ?? "", by);
}

/** The audit row of a proof, whichever it was. */
export function noteStepUp(way: string, { userId, username }: Pick<Actor, "userId" | "username">): Promise<void> {
  return command("auth.stepUp", systemActor(randomUUID()), { userId, way }, async (tx) => {
    tx.audit({ action: "STEP_UP", user: username, entity: "USER", entityId: userId, details: { username, way } });
  });
}
