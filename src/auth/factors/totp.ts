import bwipjs from "bwip-js/node";
import { Secret, TOTP } from "otpauth";

/** One-time codes of an authenticator app (RFC 6238), by the values that all apps know: docs/second-factor.md. */

const PERIOD_S = 30;
const ISSUER = "Warehouse";

export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;

/** The owner that the secret of a user is sealed for. */
export const totpOwner = (userId: number) => `user_totp:${userId}`;

const totpOf = (secret: string, label?: string) =>
  new TOTP({
    issuer: ISSUER,
    ...(label !== undefined && { label }),
    secret: Secret.fromBase32(secret),
    algorithm: "SHA1",
    digits: 6,
    period: PERIOD_S,
  });

/** What an app reads from the QR code, or as a link. */
export const totpUri = (secret: string, username: string): string => totpOf(secret, username).toString();

/** The QR code of a link, as an SVG. */
export const qrOf = (uri: string): string =>
  bwipjs.toSVG({ bcid: "qrcode", text: uri, eclevel: "M", padding: 4, backgroundcolor: "FFFFFF" } as Parameters<
    typeof bwipjs.toSVG
  >[0]);

/**
 * The step of 30 seconds whose code this is: the present one, that before or that after, since clocks differ and people
 * type slowly. Undefined where it is none of theirs.
 */
export function stepOf(secret: string, typed: string, now = Date.now()): number | undefined {
  const token = typed.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return undefined;
  const delta = totpOf(secret).validate({ token, timestamp: now, window: 1 });
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_S) + delta;
}
