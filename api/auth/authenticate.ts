import { randomUUID } from "node:crypto";
import { parseCookie } from "cookie";
import type { Request, Response } from "express";
import { readToken } from "../../src/auth/jwt.js";
import { KEY_PREFIX } from "../../src/auth/keys/key.js";
import { MCP_PATH } from "../../src/auth/oauth/audience.js";
import { OnlyForAgents } from "../../src/auth/oauth/problems.js";
import {
  AccountGone,
  CsrfInvalid,
  EnrolmentRequired,
  FunctionNotAllowed,
  KeyReadsOnly,
  NotWithKey,
  OtherUser,
  PasswordChangeRequired,
  PermissionDenied,
  SecondFactorMissing,
  SessionEnded,
  TokenExpired,
  TokenInvalidated,
  Unauthorized,
  WarehouseInvalid,
  WarehouseMismatch,
} from "../../src/auth/problems.js";
import type { SessionUser, UsedKey } from "../../src/auth/queries.js";
import { tokenHash } from "../../src/auth/tokens/token.js";
import type { Actor } from "../../src/platform/actor.js";
import { isSame } from "../../src/platform/is-same.js";
import { Forbidden, WarehouseDenied } from "../../src/platform/problem.js";
import { insideCallOf } from "../http/inside.js";
import type { AppOptions } from "../http/options.js";
import { functionNeeded, type PartOfPage, type Route } from "../http/route.js";
import { isKnownKey, userOfKey, userOfSession } from "./caches.js";

export const AUTH_COOKIE = "service_auth";
export const CSRF_COOKIE = "service_csrf";
/** Header with the user that a page was opened by: somebody else may have signed in in the browser meanwhile. */
export const USER_HEADER = "X-Expected-User";

/** The token of a request's bearer header. */
export const bearerOf = (req: Request): string | undefined =>
  /^Bearer (.+)$/i.exec(req.headers.authorization ?? "")?.[1];

/**
 * The token of the bearer header, else of the cookie (docs/interface.md, Signing in). The cookies are returned only if
 * they are used.
 */
function credentialOf(req: Request): { token: string; cookies?: Record<string, string | undefined> } | undefined {
  const bearer = bearerOf(req);
  if (bearer) return { token: bearer };
  const cookies = parseCookie(req.headers.cookie ?? "");
  const token = cookies[AUTH_COOKIE];
  return token ? { token, cookies } : undefined;
}

/** Whether the CSRF header equals the CSRF cookie (double submit, compared in constant time). */
export function csrfMatches(req: Request, cookies: Record<string, string | undefined>): boolean {
  const sent = Buffer.from(req.get("x-csrf-token") ?? "");
  const expected = Buffer.from(cookies[CSRF_COOKIE] ?? "");
  return expected.length > 0 && isSame(sent, expected);
}

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

const REFRESH_PATH = "/api/auth/refresh";

interface How {
  /** An origin from which cookies need no CSRF token. */
  trusted?: string | undefined;
  /** Throws when the address of the request has reached its limit, before an unknown key is looked up. */
  checkAddress?: (req: Request) => void;
}

/**
 * The user whose token or personal key the request carries; throws the 401 or 403 of docs/interface.md, Signing in.
 */
export async function authenticate(
  req: Request,
  res: Response,
  { jwtSecret, tokenPepper }: Pick<AppOptions, "jwtSecret" | "tokenPepper">,
  { trusted, checkAddress }: How = {},
): Promise<SessionUser> {
  const credential = credentialOf(req);
  if (!credential) throw Unauthorized();
  if (credential.token.startsWith(KEY_PREFIX)) {
    const hash = tokenHash(credential.token, tokenPepper);
    if (!isKnownKey(hash)) checkAddress?.(req);
    const user = await userOfKey(hash);
    // Every fault has the same answer.
    if (!user || credential.cookies) throw Unauthorized();
    res.locals.username = user.username;
    res.locals.keyId = user.key?.key_id;
    return expected(req, user);
  }
  const { cookies } = credential;
  const isTrusted = trusted !== undefined && req.headers.origin === trusted;
  if (cookies && !isTrusted && !safeMethods.has(req.method) && !csrfMatches(req, cookies)) throw CsrfInvalid();
  const claims = readToken(credential.token, jwtSecret);
  if (!claims) throw TokenExpired();
  const user = await userOfSession(claims.userId, claims.sessionId);
  res.locals.username = user?.username;
  res.locals.sessionId = claims.sessionId;
  res.locals.badgeId = claims.badgeId;
  res.locals.factorAt = claims.factorAt;
  res.locals.ssoAt = claims.ssoAt;
  res.locals.provedAt = claims.provedAt;
  if (!user?.is_active) throw req.path === REFRESH_PATH ? AccountGone() : Unauthorized();
  if (claims.passwordChangedAt !== user.password_changed_at) throw TokenInvalidated();
  const isOfEpoch = claims.epoch ? claims.epoch === user.epoch : claims.issuedAt >= user.epoch_began;
  const isOfBadge = claims.badgeId === undefined || claims.badgeId === user.badge_id;
  if (user.has_ended || !isOfEpoch || !isOfBadge) throw SessionEnded();
  return expected(req, user);
}

/** The user, if it is the one of whom the page knows that sends the request. */
function expected(req: Request, user: SessionUser): SessionUser {
  const named = req.get(USER_HEADER);
  if (named !== undefined && named !== user.external_id) throw OtherUser();
  return user;
}

/** The routes that users may call before they have changed a password that must be changed. */
const allowedBeforePasswordChange = new Set(["/api/auth/change-password", "/api/auth/logout", "/api/auth/me"]);

const allowedWithoutFactor = [...allowedBeforePasswordChange, "/api/auth/factors", REFRESH_PATH];

/** The routes that a user may call who has yet to show the second factor that the role needs. */
const allowedBeforeFactor = new Set([...allowedWithoutFactor, ...["/api/auth/step-up", "/api/auth/step-up/challenge"]]);

/** The same for who has yet to set one up. */
const allowedBeforeEnrolment = new Set([
  ...allowedWithoutFactor,
  ...["/api/auth/totp", "/api/auth/totp/confirm", "/api/auth/passkeys/options", "/api/auth/passkeys"],
]);

/** When the session showed a second factor: here, or at the provider, where any sign-in there counts as one. */
export const factorShownAt = (user: SessionUser, { locals }: Response): number | undefined =>
  locals.factorAt ?? (user.trusts_provider ? locals.ssoAt : undefined);

/** A role that needs a second factor may do nothing without one. A session that has not shown it shows it first. */
function checkFactor(route: Route, user: SessionUser, factorAt: number | undefined): void {
  const isAllowed = (user.has_factor ? allowedBeforeFactor : allowedBeforeEnrolment).has(route.path);
  if (!user.needs_factor || factorAt !== undefined || isAllowed) return;
  // A key was made in a session that had shown it.
  if (user.key && user.has_factor) return;
  throw user.has_factor ? SecondFactorMissing() : EnrolmentRequired();
}

/** Whether a person does it, and no key: a key makes no other way in, and changes none. */
export const isByPersonOnly = ({ path, byPersonOnly = false }: Route): boolean =>
  byPersonOnly || (path.startsWith("/api/auth/") && path !== "/api/auth/me");

function checkKey(route: Route, { is_read_only, is_of_agent }: UsedKey, req: Request): void {
  if (is_of_agent && route.path !== MCP_PATH && !insideCallOf(req)) throw OnlyForAgents();
  if (isByPersonOnly(route)) throw NotWithKey();
  if (is_read_only && route.method !== "get" && !route.changesNothing) throw KeyReadsOnly();
}

/**
 * Throws unless the user may call the route; the checks are in the order of docs/interface.md, Signing in. A warehouse
 * in path or query is checked here; one in the body is checked when that has been read.
 */
export function authorize(route: Route, user: SessionUser, req: Request, factorAt?: number): void {
  if (user.must_change_password && !allowedBeforePasswordChange.has(route.path)) {
    throw PasswordChangeRequired({}, { message: "Admin must change password before accessing other resources" });
  }
  checkFactor(route, user, factorAt);
  if (user.key) checkKey(route, user.key, req);
  if (user.role === "ADMIN") return;
  checkNamedWarehouse(req, user);
  const needed = user.callable_functions && functionNeeded(route);
  if (needed && !hasFunction(user, needed)) throw FunctionNotAllowed({}, { function: needed });
  const permission = route.for;
  if (permission.kind === "admin") throw Forbidden();
  if (permission.kind !== "page" || mayAskForPart(permission.orFor, user, req)) return;
  for (const key of [permission.page, permission.override])
    if (key && !user.page_keys.includes(key)) throw PermissionDenied({}, { page: key });
}

/** Whether the user may call the route at all: with which request, `authorize` says. */
export function mayCall(route: Route, user: SessionUser): boolean {
  if (user.role === "ADMIN") return !user.must_change_password;
  const needed = user.callable_functions && functionNeeded(route);
  if (user.must_change_password || (needed && !hasFunction(user, needed))) return false;
  const permission = route.for;
  if (permission.kind !== "page") return permission.kind !== "admin";
  const { page, override, orFor } = permission;
  const hasPages = [page, override].every((key) => !key || user.page_keys.includes(key));
  return hasPages || (orFor !== undefined && (!orFor.page || user.page_keys.includes(orFor.page)));
}

const hasFunction = ({ callable_functions: granted }: SessionUser, needed: string): boolean =>
  granted !== null && (needed === "any" ? granted.length > 0 : granted.includes(needed));

const mayAskForPart = (part: PartOfPage | undefined, user: SessionUser, req: Request): boolean =>
  part !== undefined &&
  (part.page === undefined || user.page_keys.includes(part.page)) &&
  part.values.some((value) => req[part.in][part.name] === value);

/** A warehouse id as text; empty, and so invalid, for a list or an object. */
const idText = (value: unknown) => (typeof value === "object" ? "" : String(value));

/** A USER may name only own warehouses, and the same one in path, query and body (docs/interface.md, Signing in). */
export function checkNamedWarehouse(req: Request, user: SessionUser): void {
  if (user.role === "ADMIN") return;
  const places = { path: req.params, query: req.query, body: req.body as unknown };
  const sources: Record<string, unknown> = {};
  for (const [place, fields] of Object.entries(places)) {
    if (fields && typeof fields === "object" && "warehouse_id" in fields && fields.warehouse_id !== null) {
      sources[place] = fields.warehouse_id;
    }
  }
  const [named, ...others] = new Set(Object.values(sources).map(idText));
  if (named === undefined) return;
  if (others.length > 0) {
    const numbers = Object.entries(sources).map(([place, id]) => [place, /^\d+$/.test(idText(id)) ? Number(id) : id]);
    throw WarehouseMismatch({}, { sources: Object.fromEntries(numbers) });
  }
  if (!/^\d+$/.test(named)) throw WarehouseInvalid();
  if (!user.warehouse_ids.includes(Number(named))) throw WarehouseDenied();
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The id in the request's header if it is a UUID, else a new one. Events have it as `source_txn_id`. */
export function requestIdOf(req: Request): string {
  const given = req.get("x-request-id") ?? "";
  return uuid.test(given) ? given.toLowerCase() : randomUUID();
}

/** The user as the actor of one command. */
export function actorOf(user: SessionUser, requestId: string, command: Pick<Actor, "commandId" | "keyed">): Actor {
  return {
    userId: user.user_id,
    username: user.username,
    externalId: user.external_id,
    role: user.role,
    warehouseIds: user.warehouse_ids,
    ...(user.shown_warehouses && { shownWarehouseIds: user.shown_warehouses }),
    requestId,
    ...(user.key && { key: `${user.key.key_name} (${user.key.key_id})` }),
    ...(user.key?.isNarrow && { pageKeys: user.page_keys }),
    ...command,
  };
}
