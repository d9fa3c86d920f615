import { parseCookie, stringifySetCookie } from "cookie";
import type { Request, Response } from "express";
import type { Begun } from "../../../src/auth/oidc/provider.js";
import { CannotUnseal, seal, unseal } from "../../../src/auth/sealed.js";
import type { AppOptions } from "../../http/options.js";

/** A sign-in that was begun in this browser, and where it leads back to. */
export interface BegunHere extends Begun {
  page: string;
  /** In milliseconds since 1970. */
  until: number;
}

const NAME = "service_sign_in";
const OWNER = "sign-in";
/** How long somebody may take at the provider, in seconds. */
export const SIGN_IN_S = 600;

/** Notes a sign-in in the browser. `Lax`, because the browser comes back from another site. */
export function keepBegun(req: Request, res: Response, begun: Begun & { page: string }, options: AppOptions): void {
  const kept: BegunHere = { ...begun, until: Date.now() + SIGN_IN_S * 1000 };
  setCookie(req, res, seal(JSON.stringify(kept), OWNER, options), SIGN_IN_S);
}

/** Takes the sign-in that was begun in this browser, so that it is there once; undefined where there is none. */
export function takeBegun(req: Request, res: Response, options: AppOptions): BegunHere | undefined {
  const sealed = parseCookie(req.headers.cookie ?? "")[NAME];
  if (!sealed) return undefined;
  setCookie(req, res, "", 0);
  try {
    const begun = JSON.parse(unseal(sealed, OWNER, options)) as BegunHere;
    return begun.until > Date.now() ? begun : undefined;
  } catch (error) {
    if (error instanceof CannotUnseal) return undefined;
    throw error;
  }
}

function setCookie(req: Request, res: Response, value: string, maxAge: number): void {
  const kept = { path: "/api/auth/oidc", httpOnly: true, sameSite: "lax", secure: req.secure } as const;
  res.append("Set-Cookie", stringifySetCookie({ name: NAME, value, maxAge, ...kept }));
}
