import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from "jose";
import * as client from "openid-client";
import { ttlCache } from "../../platform/concurrency/ttl-cache.js";
import type { Config } from "../../platform/config/config.js";
import { SsoOff } from "../problems.js";
import { ProviderAway, SignInRefused } from "./refused.js";

/** The company's identity provider (docs/sign-in.md). */

export type OidcOptions = Pick<
  Config<"api">,
  | "oidcIssuer"
  | "oidcClientId"
  | "oidcClientSecret"
  | "oidcClientAuth"
  | "oidcName"
  | "oidcScope"
  | "oidcRedirectUri"
  | "oidcAllowInternal"
>;

export interface Provider {
  config: client.Configuration;
  /** Its keys, asked for again when a token names another one. */
  keys: JWTVerifyGetKey;
}

const HOUR_MS = 3_600_000;
/** What discovery said is used for a day, so that sign-in needs the provider's token endpoint alone. */
const known = ttlCache<Provider>(() => 24 * HOUR_MS, HOUR_MS);

/** Sends a request to the provider; throws `ProviderAway`. */
export type Ask = (
  url: string,
  request: { method?: string; headers?: Headers | Record<string, string>; body?: unknown },
) => Promise<Response>;

/** The provider, as it was discovered within a day. Throws `SsoOff` where there is none, and `ProviderAway`. */
export async function knownProvider(options: OidcOptions, ask: Ask): Promise<Provider> {
  if (!options.oidcIssuer) throw SsoOff();
  return known(`${options.oidcIssuer} ${options.oidcClientId}`, () => discover(options, ask));
}

/** Asks the provider who it is. */
export async function discover(options: OidcOptions, ask: Ask): Promise<Provider> {
  const { oidcIssuer = "", oidcClientId = "", oidcClientSecret, oidcClientAuth } = options;
  const authentication = oidcClientAuth === "post" ? client.ClientSecretPost : client.ClientSecretBasic;
  const checks = [client.enableNonRepudiationChecks];
  if (oidcIssuer.startsWith("http:")) checks.push(client.allowInsecureRequests);
  try {
    const config = await client.discovery(
      new URL(oidcIssuer),
      oidcClientId,
      undefined,
      authentication(oidcClientSecret),
      { [client.customFetch]: ask, execute: checks },
    );
    const { jwks_uri = oidcIssuer } = config.serverMetadata();
    return { config, keys: createRemoteJWKSet(new URL(jwks_uri), { [customFetch]: ask }) };
  } catch (error) {
    // Whatever it is that answers there, it is no provider that can be used.
    throw awayIn(error) ?? new ProviderAway((error as Error).message, { cause: error });
  }
}

/** What a sign-in is recognized by when the browser comes back. */
export interface Begun {
  state: string;
  nonce: string;
  verifier: string;
  /** Somebody who is signed in proves once more who it is. */
  isStepUp?: boolean;
}

/** How long ago the provider may have asked for the password of who proves once more who it is, in seconds. */
const ASKED_WITHIN_S = 300;

/**
 * Where the browser is sent, and what it is to come back with.
 * @param isStepUp The provider asks for its password, though it knows the person.
 */
export async function beginAt({ config }: Provider, redirect_uri: string, scope: string, isStepUp: boolean) {
  const verifier = client.randomPKCECodeVerifier();
  const begun: Begun = { state: client.randomState(), nonce: client.randomNonce(), verifier, isStepUp };
  const url = client.buildAuthorizationUrl(config, {
    ...{ redirect_uri, scope, state: begun.state, nonce: begun.nonce },
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(isStepUp && { prompt: "login", max_age: String(ASKED_WITHIN_S) }),
  });
  return { url, begun };
}

export type ProviderClaims = { iss: string; sub: string } & Record<string, unknown>;

/**
 * What the provider says of who came back to this URL: the claims of the verified ID token, and what its userinfo adds.
 * Throws `SignInRefused` for anything that is not as it must be.
 */
export async function claimsOf({ config }: Provider, came: URL, begun: Begun): Promise<ProviderClaims> {
  try {
    const tokens = await client.authorizationCodeGrant(config, came, {
      ...{ expectedState: begun.state, expectedNonce: begun.nonce, pkceCodeVerifier: begun.verifier },
      idTokenExpected: true,
      ...(begun.isStepUp && { maxAge: ASKED_WITHIN_S }),
    });
    const claims = tokens.claims() as client.IDToken;
    const asks = config.serverMetadata().userinfo_endpoint !== undefined;
    const more = asks ? await client.fetchUserInfo(config, tokens.access_token, claims.sub) : {};
    return { ...more, ...claims };
  } catch (error) {
    throw awayIn(error) ?? new SignInRefused(reasonOf(error));
  }
}

/** Where one signs out of the provider too; undefined where it has no such page. */
export function endSessionUrl({ config }: Provider, post_logout_redirect_uri: string): string | undefined {
  if (!config.serverMetadata().end_session_endpoint) return undefined;
  return client.buildEndSessionUrl(config, { post_logout_redirect_uri }).href;
}

function awayIn(error: unknown): ProviderAway | undefined {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof ProviderAway) return at;
  return undefined;
}

/** The code of the library, or what the provider said. */
function reasonOf(error: unknown): string {
  const { error: said, code, name } = error as { error?: string; code?: string; name: string };
  return String(said ?? code ?? name).slice(0, 64);
}
