import { createHash, createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import { InvalidClientTls } from "../problems.js";

/** What a partner's server wants to see, and whom it is signed by, in PEM; null where it is as for everybody. */
export interface ClientTlsFiles {
  certificate: string | null;
  private_key: string | null;
  ca: string | null;
}

/** What everybody may see of it. */
export interface ClientTlsFacts {
  subject: string | null;
  issuer: string | null;
  valid_until: string | null;
  fingerprint: string | null;
  ca_fingerprint: string | null;
}

/** Refuses files that no connection could be opened with; gives what may be shown of them. */
export function factsOf({ certificate, private_key, ca }: ClientTlsFiles): ClientTlsFacts {
  if ((certificate === null) !== (private_key === null)) throw refused("certificate and private_key come together");
  if (certificate === null && ca === null) throw refused("a certificate with its private_key, a ca, or both");
  const own = certificate === null ? null : parsed("certificate", certificate, (pem) => new X509Certificate(pem));
  const authority = ca === null ? null : parsed("ca", ca, (pem) => new X509Certificate(pem));
  if (own && private_key !== null) {
    const key: KeyObject = parsed("private_key", private_key, createPrivateKey);
    if (!own.checkPrivateKey(key)) throw refused("private_key is not that of certificate");
    if (new Date(own.validTo).getTime() < Date.now()) throw refused(`certificate ended on ${own.validTo}`);
  }
  const files = { certificate, private_key, ca };
  parsed("certificate", "", () => clientTls(files));
  return {
    subject: own && inOneLine(own.subject),
    issuer: own && inOneLine(own.issuer),
    valid_until: own && new Date(own.validTo).toISOString(),
    fingerprint: own?.fingerprint256 ?? null,
    ca_fingerprint: authority?.fingerprint256 ?? null,
  };
}

const refused = (detail: string) => InvalidClientTls({}, { detail });

function parsed<T>(field: string, pem: string, parse: (pem: string) => T): T {
  try {
    return parse(pem);
  } catch {
    throw refused(`${field} cannot be read: PEM, and a key without a passphrase`);
  }
}

const inOneLine = (name: string) => name.replaceAll("\n", ", ").slice(0, 512);

/** What connections to one partner are opened with. */
export interface ClientTls {
  /** The same for the same files. */
  id: string;
  context: SecureContext;
}

/** A private authority is believed beside the public ones. */
export function clientTls({ certificate, private_key, ca }: ClientTlsFiles): ClientTls {
  return {
    id: createHash("sha256")
      .update(JSON.stringify([certificate, private_key, ca]))
      .digest("hex"),
    context: createSecureContext({
      ...(certificate !== null && private_key !== null && { cert: certificate, key: private_key }),
      ...(ca !== null && { ca: [...rootCertificates, ca] }),
    }),
  };
}
