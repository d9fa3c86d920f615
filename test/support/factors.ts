import { Secret, TOTP } from "otpauth";
import { sessions } from "../../api/auth/caches.js";
import { signSessionToken, type TokenUser } from "../../src/auth/jwt.js";
import type { NewUser } from "../../src/auth/users/shapes.js";
import type { Caller } from "./caller.js";
import { db } from "./db.js";
import { PASSWORD, person } from "./people.js";
import type { TestService } from "./service.js";

/** What an authenticator app with this secret shows, at another time if one is given. */
export const codeOf = (secret: string, timestamp = Date.now()): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });

/** Forgets which codes of a user were used, as if time had passed. */
export const timePasses = ({ user_id }: { user_id: number }) =>
  db.run("update user_totp set last_step = 0 where user_id = $1", [user_id]);

/** The token of a session of the user that proved ten minutes and a second ago whose it is. */
export async function tokenOfOldProof({ config }: TestService, { user_id }: { user_id: number }): Promise<string> {
  const user = await db.row<TokenUser>(
    "select user_id, username, role, warehouse_id, warehouse_ids, password_changed_at from users where user_id = $1",
    [user_id],
  );
  const at = Math.floor(Date.now() / 1000) - 601;
  return signSessionToken(user as TokenUser, config.jwtSecret, { provedAt: at, factorAt: at });
}

/** Switches step-up on or off, and says what its rules are. */
export async function setStepUp(rules: Record<`step_up${string}`, string>): Promise<void> {
  for (const [key, value] of Object.entries(rules))
    await db.run(
      "insert into app_settings (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value",
      [key, value],
    );
  // Postgres notifies of it a moment later.
  sessions.invalidate();
}

/** Somebody who signs in with the password alone, and the caller with that session. */
export async function enters(anyone: Caller, fields: Partial<NewUser> = {}) {
  const user = await person(fields);
  const { token } = await anyone.ok("POST", "/api/auth/login", { username: user.username, password: PASSWORD });
  return { ...user, own: anyone.with({ authorization: `Bearer ${token}` }) };
}

/** Somebody with an authenticator app: its secret, the recovery codes, and the session that it was set up in. */
export async function withApp(anyone: Caller, fields: Partial<NewUser> = {}) {
  const user = await enters(anyone, fields);
  const { secret } = await user.own.ok("POST", "/api/auth/totp", { current_password: PASSWORD });
  const { recovery_codes } = await user.own.ok("POST", "/api/auth/totp/confirm", { code: codeOf(secret) });
  await timePasses(user);
  return { ...user, secret: secret as string, codes: recovery_codes as string[] };
}
