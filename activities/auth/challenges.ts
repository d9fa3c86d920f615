import { randomBytes } from "node:crypto";
import { type ChallengePurpose, challengeHash } from "../../src/auth/factors/challenge.js";
import { int } from "../../src/platform/db/columns.js";
import { db, type Sql } from "../../src/platform/db/db.js";

/** How long a person has to look for a code or a passkey. */
const MINUTES = 5;

/** Challenges a user for a second factor: the random text that is shown to the caller alone. */
export async function beginChallenge(userId: number, purpose: ChallengePurpose): Promise<string> {
  const challenge = randomBytes(32).toString("base64url");
  await db.run(
    `insert into factor_challenges (challenge_hash, user_id, purpose, password_changed_at, expires_at)
     select $1, user_id, $3, password_changed_at, now() + make_interval(mins => $4) from users where user_id = $2`,
    [challengeHash(challenge), userId, purpose, MINUTES],
  );
  return challenge;
}

/** Takes a challenge, which nobody else can take after that; whether it was there. */
export async function takeChallenge(sql: Sql, challenge: string, userId: number, purpose: ChallengePurpose) {
  const taken = await sql.row(
    { user_id: int },
    `delete from factor_challenges
     where challenge_hash = $1 and user_id = $2 and purpose = $3 and expires_at > now() returning user_id`,
    [challengeHash(challenge), userId, purpose],
  );
  return taken !== undefined;
}

/** Ends a challenge, so that nobody answers it. */
export async function dropChallenge(challenge: string): Promise<void> {
  await db.run("delete from factor_challenges where challenge_hash = $1", [challengeHash(challenge)]);
}
