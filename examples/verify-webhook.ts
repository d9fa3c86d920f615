import { createHmac, createPublicKey, timingSafeEqual, verify } from "node:crypto";

/** How far the sender's clock may be from ours, in seconds. */
const WINDOW_S = 300;
/** What stands before a public key, which checks signatures and makes none. */
const PUBLIC = "whpk_";

/**
 * Tells whether a request comes from the warehouse service: signed with one of our secrets, or for one of our public
 * keys, by a clock that agrees with ours.
 *
 * ```ts
 * createServer(async (request, response) => {
 *   const chunks: Buffer[] = [];
 *   for await (const chunk of request) chunks.push(chunk);
 *   const body = Buffer.concat(chunks);
 *   if (!verifyWebhook(request.headers, body, [SECRET])) return response.writeHead(401).end();
 *   await store(JSON.parse(body.toString("utf8"))); // unless its event_id was stored before
 *   response.writeHead(204).end();
 * });
 * ```
 *
 * @param headers As Node gives them, names in lower case.
 * @param body The bytes as they came. Parsed and written again they would be other bytes.
 * @param keys Secrets (`whsec_…`) and public keys (`whpk_…`), whole texts. While one is being rotated both may be
 *   given, in any order. A public key is no secret: it confirms signatures `v1a`, and nothing else.
 * @param now Our clock, in seconds.
 */
export function verifyWebhook(
  headers: Record<string, string | string[] | undefined>,
  body: Buffer,
  keys: string[],
  now = Date.now() / 1_000,
): boolean {
  const timestamp = String(headers["x-service-timestamp"]);
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now - Number(timestamp)) > WINDOW_S) return false;

  // All schemes sign the same bytes. Right after a rotation only the first is not also signed with the old secret.
  const claimed = [String(headers["x-service-signature"]), ...String(headers["webhook-signature"]).split(" ")];
  const prefix = `${headers["webhook-id"]}.${timestamp}.`;
  return keys.some((key) => {
    if (key.startsWith(PUBLIC)) return claimed.some((claim) => isSignedBy(key, claim, prefix, body));
    const decoded = Buffer.from(key.replace(/^whsec_/, ""), "base64");
    const rightful = [
      `sha256=${sign(key, `${timestamp}.`, body).toString("hex")}`,
      `v1,${sign(decoded, prefix, body).toString("base64")}`,
    ];
    return rightful.some((signature) => claimed.some((claim) => isSame(claim, signature)));
  });
}

/** Checks a signature of ed25519; a key that is none signed nothing. */
function isSignedBy(publicKey: string, claim: string, prefix: string, body: Buffer): boolean {
  const known = Buffer.from(publicKey.slice(PUBLIC.length), "base64");
  const [, signature] = /^v1a,([A-Za-z0-9+/]{86}==)$/.exec(claim) ?? [];
  if (known.length !== 32 || !signature) return false;
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: known.toString("base64url") }, format: "jwk" });
  return verify(null, Buffer.concat([Buffer.from(prefix), body]), key, Buffer.from(signature, "base64"));
}

const sign = (key: string | Buffer, prefix: string, body: Buffer) =>
  createHmac("sha256", key).update(prefix).update(body).digest();

/** Takes as long for a near miss as for a far one. */
function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
