import { Secret, TOTP } from "otpauth";
import type { NewUser } from "../../src/auth/users/shapes.js";
import type { Caller } from "./caller.js";
import { db } from "./db.js";
import { PASSWORD, person } from "./people.js";

/** What an authenticator app with this secret shows, at another time if one is given. */
export const codeOf = (secret: string, timestamp = Date.now()): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });

/** Forgets which codes of a user were used, as if time had passed. */
export const timePasses = ({ user_id }: { user_id: number }) =>
  db.run("update user_totp set last_step = 0 where user_id = $1", [user_id]);

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
