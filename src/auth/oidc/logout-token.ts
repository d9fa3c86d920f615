import { jwtVerify } from "jose";
import { LogoutTokenInvalid } from "../problems.js";
import type { Provider } from "./provider.js";
import { ProviderAway } from "./refused.js";

/** Whose sessions a logout token ends: one session of the provider's, or all of a person. */
export interface LoggedOut {
  issuer: string;
  subject: string | undefined;
  sid: string | undefined;
  /** Each counts once. */
  jti: string;
}

const EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** By which clocks may differ, in seconds; openid-client has the same. */
const TOLERANCE_S = 30;
/** The longest that a logout token is taken after it was made, in seconds. */
export const LOGOUT_TOKEN_S = 300;
/** No secret that both sides know, and no `none`. */
const ALGORITHMS = [
  "RS256",
  "PS256",
  "ES256",
  "RS384",
  "PS384",
  "ES384",
  "RS512",
  "PS512",
  "ES512",
  "EdDSA",
  "Ed25519",
];

/** What a logout token says (OpenID Connect Back-Channel Logout 1.0, 2.6); throws for one that is not sound. */
export async function readLogoutToken(token: string, { config, keys }: Provider): Promise<LoggedOut> {
  const { issuer } = config.serverMetadata();
  const audience = config.clientMetadata().client_id;
  const must = { issuer, audience, algorithms: ALGORITHMS, clockTolerance: TOLERANCE_S, maxTokenAge: LOGOUT_TOKEN_S };
  const { payload } = await jwtVerify(token, keys, { ...must, requiredClaims: ["jti", "events"] }).catch((error) => {
    // Keys that cannot be fetched are no fault of the token: the provider tries again.
    throw error instanceof ProviderAway ? error : LogoutTokenInvalid();
  });
  const { sub: subject, sid, jti = "", nonce, events } = payload;
  const says = typeof events === "object" && events !== null && EVENT in events;
  const isOfSomebody = typeof subject === "string" || typeof sid === "string";
  if (!says || !isOfSomebody || nonce !== undefined) throw LogoutTokenInvalid();
  return { issuer, subject, sid: typeof sid === "string" ? sid : undefined, jti };
}
