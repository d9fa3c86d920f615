import { parseCookie } from "cookie";
import * as accounts from "../../activities/auth/login.js";
import { endSessions } from "../../activities/auth/login.js";
import { readToken } from "../../src/auth/jwt.js";
import { mustUseProvider } from "../../src/auth/oidc/queries.js";
import {
  AccountGone,
  CsrfInvalid,
  InvalidCredentials,
  Locked,
  LockedNow,
  PasswordOfProvider,
  SecondFactorRequired,
  SsoRequired,
  Unauthorized,
  WeakPassword,
  WrongCurrentPassword,
} from "../../src/auth/problems.js";
import { account, type SessionUser } from "../../src/auth/queries.js";
import { functionsOf } from "../../src/auth/rights.js";
import {
  AccountWithMenus,
  LoggedOut,
  Login,
  PasswordChange,
  SessionBegun,
  SessionRenewed,
} from "../../src/auth/shapes.js";
import { db } from "../../src/platform/db/db.js";
import { Message } from "../../src/platform/fields.js";
import { requiresPacking, setting } from "../../src/system/settings/queries.js";
import { addressOf } from "../http/address-limit.js";
import { workflowsUrl } from "../http/options.js";
import { open, route, signedIn } from "../http/route.js";
import { AUTH_COOKIE, bearerOf, csrfMatches, factorShownAt } from "./authenticate.js";
import { beginSession, renewSession, shownNow } from "./begin-session.js";
import { sessions } from "./caches.js";
import { challengeOf } from "./challenge-of.js";
import { clearSessionCookies } from "./cookies.js";
import { signOutOfProvider } from "./oidc/addresses.js";

/** Login and session: docs/interface.md, Signing in. */

export const logIn = route("post /api/auth/login", {
  for: open,
  summary:
    "Signs a user in: a bearer token, and the same session as cookies. Who has a second factor gets 401 with a " +
    "`challenge` and the `ways` to go on, by `POST /api/auth/second-factor`",
  body: Login,
  answers: { 200: SessionBegun },
  errors: [InvalidCredentials, SsoRequired, Locked, LockedNow, SecondFactorRequired],
  run: async ({ body, req, res, options }) => {
    const { username, password } = body;
    res.locals.username = username;
    const known = await accounts.logIn(username, password, addressOf(req));
    if ("challenge" in known) throw SecondFactorRequired({}, await challengeOf(known, req, options));
    return beginSession(known, req, res, options, { provedAt: shownNow() });
  },
});

export const getCurrentUser = route("get /api/auth/me", {
  for: signedIn,
  summary: "The signed-in user, with what the clients' menus show",
  answers: { 200: AccountWithMenus },
  run: async ({ by, res, options }) => {
    const [user, require_packing, shown, currency] = await Promise.all([
      account(by.userId),
      requiresPacking(db),
      setting(db, "pos_activity_enabled"),
      setting(db, "company_currency"),
    ]);
    if (!user) throw Unauthorized();
    const session = res.locals.session as SessionUser;
    const { role, page_keys, callable_functions, key, has_factor } = session;
    const lacksFactor = session.needs_factor && factorShownAt(session, res) === undefined;
    const functions = functionsOf(user, require_packing);
    return {
      ...user,
      role,
      allowed_functions: functions.filter((name) => !key || !callable_functions || callable_functions.includes(name)),
      require_packing,
      pos_activity_enabled: shown === "true",
      company_currency: currency || null,
      allowed_pages: role === "ADMIN" ? null : page_keys,
      workflows_url: workflowsUrl(options),
      must_add_second_factor: lacksFactor && !has_factor,
      // A key was made in a session that had shown it.
      must_show_second_factor: lacksFactor && has_factor && !key,
    };
  },
});

export const refreshToken = route("post /api/auth/refresh", {
  for: signedIn,
  summary: "Issues a new token and new cookies; the old token stays valid until it expires",
  changesNothing: true,
  answers: { 200: SessionRenewed },
  errors: [AccountGone, SsoRequired],
  run: async ({ by, req, res, options }) => {
    if (res.locals.ssoAt === undefined && (await mustUseProvider(by.userId))) throw SsoRequired();
    return { token: await renewSession(req, res, options) };
  },
});

export const logOut = route("post /api/auth/logout", {
  for: open,
  summary: "Ends the session of the cookie, which needs its CSRF header, and of the bearer token",
  answers: { 200: LoggedOut },
  errors: [CsrfInvalid],
  run: async ({ req, res, options }) => {
    const validClaims = (token = "") => readToken(token, options.jwtSecret);
    const cookies = parseCookie(req.headers.cookie ?? "");
    const cookie = cookies[AUTH_COOKIE];
    const ofCookie = validClaims(cookie);
    if (ofCookie && !csrfMatches(req, cookies)) throw CsrfInvalid();
    const ended = [ofCookie, validClaims(bearerOf(req))];
    await sessions.invalidateAfter(endSessions(ended.flatMap((claims) => claims?.sessionId ?? [])));
    if (cookie) clearSessionCookies(req, res);
    const isOfProvider = ended.some((claims) => claims?.ssoAt !== undefined);
    return { message: "logged out", ...(isOfProvider && (await signOutOfProvider(req, options))) };
  },
});

export const changeOwnPassword = route("post /api/auth/change-password", {
  for: signedIn,
  summary: "Changes the caller's password; all tokens issued before are refused from then on",
  body: PasswordChange,
  answers: { 200: Message },
  errors: [PasswordOfProvider, WeakPassword, WrongCurrentPassword, Locked, LockedNow],
  run: ({ body, by, req }) => sessions.invalidateAfter(accounts.changePassword(body, addressOf(req), by)),
});
