/** How far the sender's clock may be from ours, in seconds. */
const WINDOW_S = 300;
/** What stands before a public key, which checks signatures and makes none. */
const PUBLIC = "whpk_";

/** Headers as `fetch` has them, or as Node's `http` does. */
export type WebhookHeaders = { get(name: string): string | null } | Record<string, string | string[] | undefined>;

const encoder = new TextEncoder();

function reader(headers: WebhookHeaders): (name: string) => string {
  if (typeof headers.get === "function") return (name) => (headers as Headers).get(name) ?? "";
  const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), `${value ?? ""}`]));
  return (name) => named.get(name) ?? "";
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));

/** Checks a signature of HMAC-SHA-256, which takes as long for a near miss as for a far one. */
async function isSigned(
  key: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
) {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.verify(
    algorithm,
    await crypto.subtle.importKey("raw", key, algorithm, false, ["verify"]),
    signature,
    signed,
  );
}

/** Checks a signature of ed25519; a key that is none signed nothing. */
async function isSignedBy(
  publicKey: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
) {
  if (publicKey.length !== 32) return false;
  const algorithm = { name: "Ed25519" };
  const key = await crypto.subtle.importKey("raw", publicKey, algorithm, false, ["verify"]);
  return crypto.subtle.verify(algorithm, key, signature, signed);
}

function join(text: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const before = encoder.encode(text);
  const all = new Uint8Array(before.length + body.length);
  all.set(before);
  all.set(body, before.length);
  return all;
}

/** The bytes that a text of signatures stands for; undefined where it is none. */
function decoded(text: string, form: RegExp, decode: (text: string) => Uint8Array<ArrayBuffer>) {
  const [, value] = form.exec(text) ?? [];
  try {
    return value === undefined ? undefined : decode(value);
  } catch {
    return undefined;
  }
}
const ofHex = (text: string) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/**
 * Whether a webhook comes from the warehouse service: signed with one of our secrets, or for one of our public keys, by
 * a clock that agrees with ours. All schemes of the service sign the same bytes, and one of them is enough: right after
 * a rotation only those of Standard Webhooks are also signed with the old secret.
 * @param body The bytes as they came. Parsed and written again they would be other bytes.
 * @param keys Secrets (`whsec_…`) and public keys (`whpk_…`), whole texts. While one is being rotated both may be given,
 *   in any order. A public key is no secret: it confirms signatures `v1a`, and nothing else.
 * @param now Our clock, in seconds.
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  body: Uint8Array,
  keys: string[],
  now = Date.now() / 1_000,
): Promise<boolean> {
  const header = reader(headers);
  const timestamp = header("x-service-timestamp");
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > WINDOW_S) return false;
  const own = decoded(header("x-service-signature"), /^sha256=([0-9a-f]{64})$/, ofHex);
  const claimed = (form: RegExp) =>
    header("webhook-signature")
      .split(" ")
      .map((signature) => decoded(signature, form, bytesOf))
      .filter((signature) => signature !== undefined);
  const [standard, asymmetric] = [claimed(/^v1,([A-Za-z0-9+/]{43}=)$/), claimed(/^v1a,([A-Za-z0-9+/]{86}==)$/)];
  const signed = join(`${header("webhook-id")}.${timestamp}.`, body);
  for (const key of keys.filter(Boolean)) {
    if (key.startsWith(PUBLIC)) {
      const known = decoded(key.slice(PUBLIC.length), /^(.+)$/, bytesOf);
      for (const signature of asymmetric) if (known && (await isSignedBy(known, signature, signed))) return true;
      continue;
    }
    if (own && (await isSigned(encoder.encode(key), own, join(`${timestamp}.`, body)))) return true;
    const secret = decoded(key, /^whsec_(.+)$/, bytesOf);
    for (const signature of standard) if (secret && (await isSigned(secret, signature, signed))) return true;
  }
  return false;
}
