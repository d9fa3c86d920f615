import { arrayOf, bool, int, text, time } from "../../platform/db/columns.js";
import { db } from "../../platform/db/db.js";
import { NEEDS_FACTOR } from "../queries.js";
import { type ChallengePurpose, challengeHash } from "./challenge.js";
import { type Factors, type FactorWay, factorWays, Passkey } from "./shapes.js";

const FactorsRow = {
  is_required: bool,
  confirmed_at: time.nullable(),
  last_used_at: time.nullable(),
  recovery_codes_left: int,
};

/** The columns of a `Passkey`. */
export const PASSKEY = "passkey_id::text, passkey_name, made_at, last_used_at";

/** The second factors of a user; undefined where there is no such user. */
export async function factorsOf(userId: number): Promise<Factors | undefined> {
  const passkeys = await db.rows(
    Passkey,
    `select ${PASSKEY} from user_passkeys where user_id = $1 order by made_at, passkey_id`,
    [userId],
  );
  const row = await db.row(
    FactorsRow,
    `select ${NEEDS_FACTOR} as is_required, confirmed_at, last_used_at,
            (select count(*)::int from recovery_codes c where c.user_id = u.user_id and used_at is null)
              as recovery_codes_left
     from users u left join user_totp t on t.user_id = u.user_id and confirmed_at is not null
     where u.user_id = $1`,
    [userId],
  );
  if (!row) return undefined;
  const { is_required, confirmed_at, last_used_at, recovery_codes_left } = row;
  return { is_required, totp: confirmed_at ? { confirmed_at, last_used_at } : null, passkeys, recovery_codes_left };
}

const Challenged = { user_id: int, username: text };

/** Whose sign-in or step a challenge is; undefined when there is none that is still valid. */
export const challenged = (challenge: string, purpose: ChallengePurpose) =>
  db.row(
    Challenged,
    `select user_id, username from factor_challenges join users using (user_id)
     where challenge_hash = $1 and purpose = $2 and expires_at > now() and is_active`,
    [challengeHash(challenge), purpose],
  );

const WaysRow = { passkey: bool, totp: bool, recovery_code: bool };

/** In which ways a user shows a second factor at this host. */
export async function waysOf(userId: number, rpId: string): Promise<FactorWay[]> {
  const row = await db.row(
    WaysRow,
    `select exists (select from user_passkeys where user_id = $1 and rp_id = $2) as passkey,
            exists (select from user_totp where user_id = $1 and confirmed_at is not null) as totp,
            exists (select from recovery_codes where user_id = $1 and used_at is null) as recovery_code`,
    [userId, rpId],
  );
  return factorWays.filter((way) => row?.[way]);
}

const CredentialRow = { id: text, transports: arrayOf(text) };

/** The passkeys of a user at this host, as browsers are asked for them. */
export const credentialsOf = (userId: number, rpId: string) =>
  db.rows(
    CredentialRow,
    "select credential_id as id, transports from user_passkeys where user_id = $1 and rp_id = $2",
    [userId, rpId],
  );
