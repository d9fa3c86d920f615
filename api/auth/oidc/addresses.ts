import type { Request } from "express";
import { discover, endSessionUrl, type OidcOptions } from "../../../src/auth/oidc/provider.js";
import { ProviderAway } from "../../../src/auth/oidc/refused.js";
import { SsoNotReady } from "../../../src/auth/problems.js";
import { log } from "../../../src/platform/log.js";
import { providerFetch, providerOf } from "./fetch.js";

/** Addresses that the provider is given, and what it says. */

/** Where this service is for whoever sent the request. */
const originOf = (req: Request) => `${req.protocol}://${req.host}`;

/** Where the provider sends people back to. It takes none but those that are registered there. */
export const redirectUriOf = (req: Request, { oidcRedirectUri }: OidcOptions): string =>
  oidcRedirectUri ?? `${originOf(req)}/api/auth/oidc/callback`;

/** Where one signs out of the provider too; nothing where that is not known now. */
export async function signOutOfProvider(req: Request, options: OidcOptions): Promise<{ end_session_url?: string }> {
  try {
    const from = req.get("referer") ?? "";
    const page = URL.canParse(from) ? pageOf(new URL(from).pathname) : undefined;
    const back = new URL(page?.startsWith("/scan/") ? "/scan/" : "/console/", redirectUriOf(req, options)).href;
    const end_session_url = endSessionUrl(await providerOf(options), back);
    return end_session_url === undefined ? {} : { end_session_url };
  } catch (error) {
    log.warn({ err: error }, "the identity provider was not asked where one signs out");
    return {};
  }
}

/** Throws unless there is a provider, and it answers. */
export async function checkProvider(options: OidcOptions): Promise<void> {
  if (!options.oidcIssuer) throw SsoNotReady({ what: "an identity provider (OIDC_ISSUER)" });
  try {
    await discover(options, providerFetch(options.oidcAllowInternal));
  } catch (error) {
    if (error instanceof ProviderAway) throw SsoNotReady({ what: "an identity provider that answers" });
    throw error;
  }
}

/** The pages that a sign-in may lead back to. */
const PAGES = /^\/(console|scan)(\/|$)/;

/** The path that was asked for, as a browser reads it, if it is one of our pages. */
export function pageOf(asked: string): string | undefined {
  const here = "http://here.invalid";
  if (!asked.startsWith("/") || !URL.canParse(asked, here)) return undefined;
  const { origin, pathname, search, hash } = new URL(asked, here);
  return origin === here && PAGES.test(pathname) ? pathname + search + hash : undefined;
}

/** The page at which one signs in again, with what became of the sign-in. */
export const backWith = (page: string, outcome: "refused" | "unavailable"): string =>
  `/${PAGES.exec(page)?.[1] ?? "console"}/?sign_in=${outcome}`;
