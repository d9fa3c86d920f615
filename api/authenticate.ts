import { randomUUID, timingSafeEqual } from "node:crypto";
import { parseCookie } from "cookie";
import type { Request } from "express";
import type { Actor } from "../src/actor.js";
import {
  AccountGone,
  CsrfInvalid,
  PasswordChangeRequired,
  PermissionDenied,
  TokenExpired,
  TokenInvalidated,
  Unauthorized,
  WarehouseInvalid,
  WarehouseMismatch,
} from "../src/auth/problems.js";
import { type SessionUser, sessionUser } from "../src/auth/queries.js";
import { readToken } from "../src/auth/tokens.js";
import { Forbidden, WarehouseDenied } from "../src/problem.js";
import type { Route } from "./route.js";

export const AUTH_COOKIE = "service_auth";
export const CSRF_COOKIE = "service_csrf";

/** The credential of a request: the bearer header first, else the cookie (reference 01 §5). */
function credentialOf(
  req: Request,
): { token: string; cookies?: Record<string, string | undefined> } | undefined {
  const bearer = /^Bearer (.+)$/i.exec(req.headers.authorization ?? "")?.[1];
  if (bearer) return { token: bearer };
  const cookies = parseCookie(req.headers.cookie ?? "");
  const token = cookies[AUTH_COOKIE];
  return token ? { token, cookies } : undefined;
}

/** Whether the CSRF header equals the companion cookie (double submit, in constant time). */
export function csrfMatches(
  req: Request,
  cookies: Record<string, string | undefined>,
): boolean {
  const sent = Buffer.from(req.get("x-csrf-token") ?? "");
  const kept = Buffer.from(cookies[CSRF_COOKIE] ?? "");
  return (
    kept.length > 0 &&
    sent.length === kept.length &&
    timingSafeEqual(sent, kept)
  );
}

const changesNothing = new Set(["GET", "HEAD", "OPTIONS"]);

const REFRESH = "/api/auth/refresh";

/** The user behind the request, or the 401/403 of reference 01 §5. */
export async function authenticate(
  req: Request,
  jwtSecret: string,
): Promise<SessionUser> {
  const credential = credentialOf(req);
  if (!credential) throw Unauthorized();
  const { cookies } = credential;
  if (cookies && !changesNothing.has(req.method) && !csrfMatches(req, cookies))
    throw CsrfInvalid();
  const claims = readToken(credential.token, jwtSecret);
  if (!claims) throw TokenExpired();
  const user = await sessionUser(claims.userId);
  if (!user?.is_active)
    throw req.path === REFRESH ? AccountGone() : Unauthorized();
  if (claims.passwordChangedAt !== user.password_changed_at)
    throw TokenInvalidated();
  return user;
}

/** What a user whose password must change may still call. */
const openUntilPasswordChange = new Set([
  "/api/auth/change-password",
  "/api/auth/logout",
  "/api/auth/me",
]);

/** Throws unless the user may call the route with what the request names, in the order of reference 01 §5. */
export function permit(route: Route, user: SessionUser, req: Request): void {
  if (user.must_change_password && !openUntilPasswordChange.has(route.path)) {
    throw PasswordChangeRequired(
      {},
      {
        message: "Admin must change password before accessing other resources",
      },
    );
  }
  if (user.role === "ADMIN") return;
  checkNamedWarehouse(req, user);
  const permission = route.for;
  if (permission.kind === "admin") throw Forbidden();
  if (permission.kind !== "page") return;
  for (const key of [permission.page, permission.override])
    if (key && !user.page_keys.includes(key))
      throw PermissionDenied({}, { page: key });
}

/** A list or an object names no warehouse. */
const plain = (value: unknown) =>
  typeof value === "object" ? "" : String(value);

/** A USER names only warehouses of its own, and the same one in path, query and body (reference 01 §5). */
function checkNamedWarehouse(req: Request, user: SessionUser): void {
  const places = {
    path: req.params,
    query: req.query,
    body: req.body as unknown,
  };
  const sources: Record<string, unknown> = {};
  for (const [place, fields] of Object.entries(places)) {
    if (
      fields &&
      typeof fields === "object" &&
      "warehouse_id" in fields &&
      fields.warehouse_id !== null
    ) {
      sources[place] = fields.warehouse_id;
    }
  }
  const [named, ...others] = new Set(Object.values(sources).map(plain));
  if (named === undefined) return;
  if (others.length > 0) throw WarehouseMismatch({}, { sources });
  if (!/^-?\d+$/.test(named)) throw WarehouseInvalid();
  if (!user.warehouse_ids.includes(Number(named))) throw WarehouseDenied();
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The request's id: the caller's, when it is a UUID, else a fresh one. It becomes `source_txn_id` of its events. */
export function requestIdOf(req: Request): string {
  const given = req.get("x-request-id") ?? "";
  return uuid.test(given) ? given.toLowerCase() : randomUUID();
}

/** The user as activities know it, for one command. */
export function actorOf(
  user: SessionUser,
  requestId: string,
  command: Pick<Actor, "commandId" | "keyed">,
): Actor {
  return {
    userId: user.user_id,
    username: user.username,
    externalId: user.external_id,
    role: user.role,
    warehouseIds: user.warehouse_ids,
    requestId,
    ...command,
  };
}

/** On an open route nobody is known yet. */
export function nobody(requestId: string): Actor {
  return {
    userId: 0,
    username: "",
    externalId: "",
    role: "USER",
    warehouseIds: [],
    requestId,
    commandId: randomUUID(),
  };
}
