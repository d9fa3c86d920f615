import { createPublicKey, verify } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** How many of the signatures `v1a` of a request a public key confirms, by the text of Standard Webhooks alone. */
export function confirmedBy(
  publicKey: string,
  { headers, body }: { headers: IncomingHttpHeaders; body: Buffer },
): number {
  const x = Buffer.from(publicKey.replace(/^whpk_/, ""), "base64").toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  const signed = Buffer.concat([Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`), body]);
  return asymmetric(headers).filter((signature) => verify(null, signed, key, Buffer.from(signature, "base64"))).length;
}

/** The signatures `v1a` of a request. */
export const asymmetric = (headers: IncomingHttpHeaders): string[] =>
  String(headers["webhook-signature"])
    .split(" ")
    .filter((signature) => signature.startsWith("v1a,"))
    .map((signature) => signature.slice("v1a,".length));
