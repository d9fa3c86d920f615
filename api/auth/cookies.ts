import { randomBytes } from "node:crypto";
import { type SetCookie, stringifySetCookie } from "cookie";
import type { Request, Response } from "express";
import { AUTH_COOKIE, CSRF_COOKIE } from "./authenticate.js";

/**
 * Sets the session's two cookies, the CSRF one with a fresh value that scripts can read (reference 01 §3); they live as
 * long as the token.
 */
export function setSession(req: Request, res: Response, token: string, seconds: number): void {
  const csrf = randomBytes(32).toString("base64url");
  send(req, res, {
    name: AUTH_COOKIE,
    value: token,
    maxAge: seconds,
    httpOnly: true,
  });
  send(req, res, { name: CSRF_COOKIE, value: csrf, maxAge: seconds });
}

export function clearSession(req: Request, res: Response): void {
  send(req, res, { name: AUTH_COOKIE, value: "", maxAge: 0, httpOnly: true });
  send(req, res, { name: CSRF_COOKIE, value: "", maxAge: 0 });
}

function send(req: Request, res: Response, cookie: SetCookie): void {
  res.append(
    "Set-Cookie",
    stringifySetCookie({
      ...cookie,
      path: "/",
      sameSite: "strict",
      secure: req.secure,
    }),
  );
}
