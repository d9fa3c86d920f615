import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";

/** Passkeys (WebAuthn): docs/second-factor.md. */

/** Loaded when it is first needed: with its parsers of certificates it is an eighth of what an API loads. */
const webauthn = () => import("@simplewebauthn/server");

/** The host that passkeys are made for, and the origin of its pages. */
export interface RelyingParty {
  id: string;
  origin: string;
}

export interface Credential {
  credential_id: string;
  public_key: string;
  counter: number;
  transports: string[];
}

const NAME = "Warehouse";
/** As long as the challenge is valid. */
const TIMEOUT_MS = 5 * 60_000;

const bytesOf = (base64url: string) => new Uint8Array(Buffer.from(base64url, "base64url"));

/** What a browser makes a passkey by. Those that the user has already are not made again on the same device. */
export const registrationOptions = async (
  rp: RelyingParty,
  user: { username: string; external_id: string },
  challenge: string,
  known: string[],
) =>
  (await webauthn()).generateRegistrationOptions({
    rpName: NAME,
    rpID: rp.id,
    userName: user.username,
    // No personal data: it is stored on the device.
    userID: new Uint8Array(Buffer.from(user.external_id)),
    challenge: bytesOf(challenge),
    timeout: TIMEOUT_MS,
    attestationType: "none",
    excludeCredentials: known.map((id) => ({ id })),
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
  });

/** What a browser asks one of these passkeys for. */
export const assertionOptions = async (
  rp: RelyingParty,
  challenge: string,
  known: { id: string; transports: string[] }[],
) =>
  (await webauthn()).generateAuthenticationOptions({
    rpID: rp.id,
    challenge: bytesOf(challenge),
    timeout: TIMEOUT_MS,
    allowCredentials: known,
    userVerification: "preferred",
  });

/** The challenge that the browser says it has signed. Whether it was given to anybody is another question. */
export function challengeIn({ response }: { response: { clientDataJSON: string } }): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString());
    return String(challenge);
  } catch {
    return "";
  }
}

/** The new passkey, if the answer is one to this challenge, from this host; undefined otherwise. */
export async function registered(
  response: RegistrationResponseJSON,
  challenge: string,
  rp: RelyingParty,
): Promise<Credential | undefined> {
  const { verifyRegistrationResponse } = await webauthn();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      ...{ response, expectedChallenge: challenge, expectedOrigin: rp.origin, expectedRPID: rp.id },
      requireUserVerification: false,
    });
    if (!verified) return undefined;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    return { credential_id: id, public_key: Buffer.from(publicKey).toString("base64url"), counter, transports };
  } catch {
    // The library throws whatever does not fit, and what is no answer at all.
    return undefined;
  }
}

/** What the passkey has counted, if it signed this challenge on a page of this host; undefined otherwise. */
export async function asserted(
  response: AuthenticationResponseJSON,
  challenge: string,
  rp: RelyingParty,
  { credential_id, public_key }: Pick<Credential, "credential_id" | "public_key">,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await webauthn();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...{ response, expectedChallenge: challenge, expectedOrigin: rp.origin, expectedRPID: rp.id },
      // The caller compares what was counted, and notes what goes back.
      credential: { id: credential_id, publicKey: bytesOf(public_key), counter: 0 },
      requireUserVerification: false,
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}
