import { randomUUID } from "node:crypto";
import type { Request, Response } from "express";
import type { SignedIn } from "../../activities/auth/login.js";
import { type IssuedToken, noteSession } from "../../activities/auth/sessions.js";
import { signSessionToken } from "../../src/auth/jwt.js";
import type { SessionUser } from "../../src/auth/queries.js";
import { functionsOf } from "../../src/auth/rights.js";
import { db } from "../../src/platform/db/db.js";
import { requiresPacking, sessionSeconds } from "../../src/system/settings/queries.js";
import { addressOf } from "../http/address-limit.js";
import type { AppOptions } from "../http/options.js";
import { setSessionCookies } from "./cookies.js";

/** Now, as the moment at which a password or a second factor was shown. */
export const shownNow = (): number => Math.floor(Date.now() / 1000);

/**
 * The session of somebody who has signed in, whichever way: the token of the answer, and the cookies.
 * @param begunAt Of a sign-in at the provider: the session's id, and when it was. When a second factor was shown, and
 *   when a password.
 */
export async function beginSession(
  signedIn: SignedIn & { badge_id?: string },
  req: Request,
  res: Response,
  options: AppOptions,
  begunAt: { sessionId?: string; ssoAt?: number; factorAt?: number; provedAt?: number | undefined } = {},
) {
  const { password_changed_at, epoch, badge_id: badgeId, ...user } = signedIn;
  res.locals.username = user.username;
  const [seconds, packing] = await Promise.all([sessionSeconds(db), requiresPacking(db)]);
  const { sessionId = randomUUID() } = begunAt;
  const token = signSessionToken(signedIn, options.jwtSecret, { seconds, badgeId, ...begunAt, sessionId });
  await note(req, { sessionId, userId: user.user_id, badgeId, ssoAt: begunAt.ssoAt, seconds });
  setSessionCookies(req, res, token, seconds);
  return { token, user: { ...user, allowed_functions: functionsOf(user, packing) } };
}

/** A new token and new cookies of the session of the request, and what was shown in it now, if something was. */
export async function renewSession(
  req: Request,
  res: Response,
  options: AppOptions,
  shown: { factorAt?: number; provedAt?: number } = {},
): Promise<string> {
  const { session, sessionId, badgeId, ssoAt, factorAt, provedAt } = res.locals;
  const seconds = secondsFrom(await sessionSeconds(db), ssoAt);
  const token = signSessionToken(session as SessionUser, options.jwtSecret, {
    ...{ sessionId, seconds, badgeId, ssoAt, factorAt, provedAt, ...shown },
  });
  await note(req, { sessionId, userId: session.user_id, badgeId, ssoAt, seconds });
  setSessionCookies(req, res, token, seconds);
  return token;
}

/** Notes the session of a token, for the list of its user's. */
function note(
  req: Request,
  { ssoAt, ...session }: Pick<IssuedToken, "sessionId" | "userId" | "badgeId" | "seconds"> & { ssoAt?: number },
): Promise<void> {
  const begunBy = ssoAt !== undefined ? "provider" : session.badgeId ? "badge" : "password";
  return noteSession({ ...session, begunBy, device: req.get("user-agent"), address: addressOf(req) });
}

/** How long a token lasts: from a sign-in at the provider no longer than it would from a login, refreshed or not. */
const secondsFrom = (seconds: number, ssoAt: number | undefined) =>
  ssoAt === undefined ? seconds : Math.max(1, ssoAt + seconds - Math.floor(Date.now() / 1000));
