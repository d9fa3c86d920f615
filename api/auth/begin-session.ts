import type { Request, Response } from "express";
import type { SignedIn } from "../../activities/auth/login.js";
import { signSessionToken } from "../../src/auth/jwt.js";
import { functionsOf } from "../../src/auth/rights.js";
import { db } from "../../src/platform/db/db.js";
import { requiresPacking, sessionSeconds } from "../../src/system/settings/queries.js";
import type { AppOptions } from "../http/options.js";
import { setSessionCookies } from "./cookies.js";

/**
 * The session of somebody who has signed in, whichever way: the token of the answer, and the cookies.
 * @param begunAt Of a sign-in at the provider: the session's id, and when it was.
 */
export async function beginSession(
  signedIn: SignedIn & { badge_id?: string },
  req: Request,
  res: Response,
  options: AppOptions,
  begunAt: { sessionId?: string; ssoAt?: number } = {},
) {
  const { password_changed_at, epoch, badge_id: badgeId, ...user } = signedIn;
  res.locals.username = user.username;
  const [seconds, packing] = await Promise.all([sessionSeconds(db), requiresPacking(db)]);
  const token = signSessionToken(signedIn, options.jwtSecret, { seconds, badgeId, ...begunAt });
  setSessionCookies(req, res, token, seconds);
  return { token, user: { ...user, allowed_functions: functionsOf(user, packing) } };
}
