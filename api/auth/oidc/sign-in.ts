import { randomUUID } from "node:crypto";
import type { Request, Response } from "express";
import { z } from "zod";
import { logOutByProvider, useOnce } from "../../../activities/auth/oidc/sessions.js";
import { signInByProvider } from "../../../activities/auth/oidc/sign-in.js";
import { noteStepUp } from "../../../activities/auth/step-up.js";
import { identityIn } from "../../../src/auth/oidc/identity.js";
import { LOGOUT_TOKEN_S, readLogoutToken } from "../../../src/auth/oidc/logout-token.js";
import { beginAt, claimsOf } from "../../../src/auth/oidc/provider.js";
import { signInMapping } from "../../../src/auth/oidc/queries.js";
import { ProviderAway, SignInRefused, SsoRefused } from "../../../src/auth/oidc/refused.js";
import { showsSecondFactor } from "../../../src/auth/oidc/second-factor.js";
import { LogoutTokenInvalid, SsoOff, SsoUnavailable } from "../../../src/auth/problems.js";
import { db } from "../../../src/platform/db/db.js";
import { Message, QueryBool } from "../../../src/platform/fields.js";
import { log } from "../../../src/platform/log.js";
import { setting } from "../../../src/system/settings/queries.js";
import { readBytes } from "../../http/json-body.js";
import type { AppOptions } from "../../http/options.js";
import { open, route } from "../../http/route.js";
import { noteRefusal } from "../../http/security-log.js";
import { beginSession, shownNow } from "../begin-session.js";
import { sessions } from "../caches.js";
import { backWith, pageOf, redirectUriOf } from "./addresses.js";
import { type BegunHere, keepBegun, SIGN_IN_S, takeBegun } from "./begun-cookie.js";
import { providerOf } from "./fetch.js";

/** Signing in at the company's identity provider: docs/sign-in.md. */

const DESK = "/console/";

export const startSignIn = route("get /api/auth/oidc/start", {
  for: open,
  summary: "Sends the browser to the identity provider to sign in",
  query: z.object({
    return_to: z
      .string()
      .max(2048)
      .refine((path) => pageOf(path) !== undefined, "Expected a path below /console/ or /scan/")
      .default(DESK)
      .meta({ description: "The page that it comes back to.", examples: ["/console/orders"] }),
    step_up: QueryBool.default(false).describe(
      "Whether the provider asks for its password though it knows the person, who proves who it is.",
    ),
  }),
  answers: { 303: z.undefined() },
  errors: [SsoOff],
  run: async ({ query, req, res, options }) => {
    const page = pageOf(query.return_to) ?? DESK;
    try {
      const provider = await providerOf(options);
      const { url, begun } = await beginAt(provider, redirectUriOf(req, options), options.oidcScope, query.step_up);
      keepBegun(req, res, { ...begun, page }, options);
      res.redirect(303, url.href);
    } catch (error) {
      if (!(error instanceof ProviderAway)) throw error;
      providerIsAway(error, page, res);
    }
    return undefined;
  },
});

export const finishSignIn = route("get /api/auth/oidc/callback", {
  for: open,
  summary: "Where the identity provider sends the browser back to: begins the session, or says that there is none",
  answers: { 303: z.undefined() },
  errors: [SsoOff],
  run: async ({ req, res, options }) => {
    if (!options.oidcIssuer) throw SsoOff();
    const begun = takeBegun(req, res, options);
    const page = begun?.page ?? DESK;
    try {
      if (!begun) throw new SignInRefused("no_sign_in_begun");
      await signIn(begun, req, res, options);
      res.redirect(303, page);
    } catch (error) {
      if (error instanceof ProviderAway) providerIsAway(error, page, res);
      else if (error instanceof SignInRefused) refused(error, page, req, res);
      else throw error;
    }
    return undefined;
  },
});

async function signIn(begun: BegunHere, req: Request, res: Response, options: AppOptions): Promise<void> {
  const came = new URL(redirectUriOf(req, options));
  came.search = new URL(req.originalUrl, came).search;
  // A state that is not this one's is left to the library, and does not use this one up.
  const isOwn = came.searchParams.get("state") === begun.state;
  if (isOwn && !(await useOnce(`state ${begun.state}`, SIGN_IN_S))) throw new SignInRefused("replayed");
  const claims = await claimsOf(await providerOf(options), came, begun);
  const who = identityIn(claims, await signInMapping(db));
  res.locals.username = who.username;
  const now = shownNow();
  // Providers sign in whom they know without asking for anything: that proves nothing anew.
  const { auth_time } = claims;
  const provedAt = typeof auth_time === "number" ? Math.min(auth_time, now) : undefined;
  const counting = (await setting(db, "second_factor_at_provider")) ?? "";
  // Shown, though maybe long ago, where the provider does not say when it asked.
  const factorAt = showsSecondFactor(claims, counting) ? { factorAt: provedAt ?? 0 } : {};
  const session = { sessionId: randomUUID(), ssoAt: now, provedAt, ...factorAt };
  const signedIn = await sessions.invalidateAfter(signInByProvider(who, session.sessionId));
  if (begun.isStepUp) await noteStepUp("provider", { userId: signedIn.user_id, username: signedIn.username });
  await beginSession(signedIn, req, res, options, session);
}

/** The browser is told that it was refused; why, is for the security log alone. */
function refused({ reason, username }: SignInRefused, page: string, req: Request, res: Response): void {
  res.locals.reason = reason;
  res.locals.username ??= username;
  noteRefusal(SsoRefused(), req, res);
  res.redirect(303, backWith(page, "refused"));
}

function providerIsAway(error: ProviderAway, page: string, res: Response): void {
  log.warn({ err: error }, "the identity provider was not reached");
  res.redirect(303, backWith(page, "unavailable"));
}

/** The provider is told to try again where it was itself away. */
function orTryAgain(error: unknown): never {
  throw error instanceof ProviderAway ? SsoUnavailable() : error;
}

/** A logout token is some KB. */
const MOST_KB = 64;

export const endSessionsByProvider = route("post /api/auth/oidc/backchannel-logout", {
  for: open,
  summary: "Takes a logout token of the identity provider, as a form, and ends the sessions that it names",
  signedBody: true,
  answers: { 200: Message },
  errors: [SsoOff, SsoUnavailable, LogoutTokenInvalid],
  run: async ({ req, res, options }) => {
    const provider = await providerOf(options).catch(orTryAgain);
    const token = new URLSearchParams((await readBytes(req, res, MOST_KB)).toString()).get("logout_token");
    const loggedOut = await readLogoutToken(token ?? "", provider).catch(orTryAgain);
    res.locals.isSigned = true;
    const isNew = await useOnce(`logout ${loggedOut.issuer} ${loggedOut.jti}`, 2 * LOGOUT_TOKEN_S);
    if (!isNew) throw LogoutTokenInvalid();
    const ended = await sessions.invalidateAfter(logOutByProvider(loggedOut));
    return { message: `${ended} session(s) ended` };
  },
});
