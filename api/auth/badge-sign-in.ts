import { logInWithBadge } from "../../activities/auth/badge-login.js";
import * as activities from "../../activities/auth/badges.js";
import { codeIn } from "../../src/auth/badges/badge.js";
import { badgeCredentials, badgeOf } from "../../src/auth/badges/queries.js";
import { BadgeLogin, BadgeOfUser, PinChange, SignInWays } from "../../src/auth/badges/shapes.js";
import { requiresProvider } from "../../src/auth/oidc/queries.js";
import {
  BadgeNotEnough,
  BadgeSignInOff,
  InvalidBadge,
  Locked,
  LockedNow,
  NoBadge,
  SsoRequired,
  WeakPin,
  WrongCurrentPassword,
} from "../../src/auth/problems.js";
import { SessionBegun } from "../../src/auth/shapes.js";
import { tokenHash } from "../../src/auth/tokens/token.js";
import { db } from "../../src/platform/db/db.js";
import { Message } from "../../src/platform/fields.js";
import { scannerIdleMinutes, signsInWithBadges } from "../../src/system/settings/queries.js";
import { addressOf } from "../http/address-limit.js";
import { open, route, signedIn } from "../http/route.js";
import { beginSession } from "./begin-session.js";

/** Signing in with a badge: docs/security.md, Badges. */

export const getSignInWays = route("get /api/auth/ways", {
  for: open,
  summary: "How one signs in at this installation, and for how long devices stay signed in that nobody touches",
  answers: { 200: SignInWays },
  run: async ({ options }) => {
    const [badge, idle_minutes, required] = await Promise.all([
      signsInWithBadges(db),
      scannerIdleMinutes(db),
      requiresProvider(db),
    ]);
    const sso = options.oidcIssuer === undefined ? null : { name: options.oidcName, required };
    return { badge, idle_minutes, sso };
  },
});

export const logInByBadge = route("post /api/auth/badge", {
  for: open,
  summary: "Signs the user of a badge in: a bearer token, and the same session as cookies",
  body: BadgeLogin,
  answers: { 200: SessionBegun },
  errors: [BadgeSignInOff, BadgeNotEnough, InvalidBadge, SsoRequired, Locked, LockedNow],
  run: async ({ body: { badge, pin }, req, res, options }) => {
    if (!(await signsInWithBadges(db))) throw BadgeSignInOff();
    const hash = tokenHash(codeIn(badge), options.tokenPepper);
    const known = await badgeCredentials(hash);
    res.locals.username = known?.username;
    return beginSession(await logInWithBadge(hash, known, pin, addressOf(req)), req, res, options);
  },
});

export const getOwnBadge = route("get /api/auth/badge", {
  for: signedIn,
  summary: "The caller's own badge, without its code; null where there is none",
  answers: { 200: BadgeOfUser },
  run: async ({ by }) => ({ badge: (await badgeOf(by.userId)) ?? null }),
});

export const setBadgePin = route("put /api/auth/badge-pin", {
  for: signedIn,
  summary: "Sets the PIN of the caller's badge",
  body: PinChange,
  answers: { 200: Message },
  errors: [NoBadge, WeakPin, WrongCurrentPassword, Locked, LockedNow],
  run: ({ body, by, req }) => activities.setBadgePin(body, addressOf(req), by),
});
