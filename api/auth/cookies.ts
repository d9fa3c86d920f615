import { randomBytes } from "node:crypto";
import { type SetCookie, stringifySetCookie } from "cookie";
import type { Request, Response } from "express";
import { AUTH_COOKIE, CSRF_COOKIE } from "./authenticate.js";

/**
 * Sets the cookies of token and CSRF (docs/interface.md, Signing in), which expire with the token. Scripts can read the
 * CSRF cookie.
 */
export function setSessionCookies(req: Request, res: Response, token: string, seconds: number): void {
  const csrf = randomBytes(32).toString("base64url");
  setCookie(req, res, { name: AUTH_COOKIE, value: token, maxAge: seconds, httpOnly: true });
  setCookie(req, res, { name: CSRF_COOKIE, value: csrf, maxAge: seconds });
}

export function clearSessionCookies(req: Request, res: Response): void {
  setCookie(req, res, { name: AUTH_COOKIE, value: "", maxAge: 0, httpOnly: true });
  setCookie(req, res, { name: CSRF_COOKIE, value: "", maxAge: 0 });
}

function setCookie(req: Request, res: Response, cookie: SetCookie): void {
  res.append("Set-Cookie", stringifySetCookie({ ...cookie, path: "/", sameSite: "strict", secure: req.secure }));
}
