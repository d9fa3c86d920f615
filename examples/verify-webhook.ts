import { createHmac, timingSafeEqual } from "node:crypto";

/** How far the sender's clock may be from ours, in seconds. */
const WINDOW_S = 300;

/**
 * Tells whether a request comes from the warehouse service: signed with one of our secrets, by a clock that agrees with
 * ours.
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
 * @param secrets The whole texts, `whsec_` included. While a secret is being rotated both may be given, in any order.
 * @param now Our clock, in seconds.
 */
export function verifyWebhook(
  headers: Record<string, string | string[] | undefined>,
  body: Buffer,
  secrets: string[],
  now = Date.now() / 1_000,
): boolean {
  const timestamp = String(headers["x-service-timestamp"]);
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now - Number(timestamp)) > WINDOW_S) return false;

  // Two schemes sign the same bytes. Right after a rotation only the second is also signed with the old secret.
  const claimed = [String(headers["x-service-signature"]), ...String(headers["webhook-signature"]).split(" ")];
  const rightful = secrets.flatMap((secret) => {
    const decoded = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    const id = headers["webhook-id"];
    return [
      `sha256=${sign(secret, `${timestamp}.`, body).toString("hex")}`,
      `v1,${sign(decoded, `${id}.${timestamp}.`, body).toString("base64")}`,
    ];
  });
  return rightful.some((signature) => claimed.some((claim) => isSame(claim, signature)));
}

const sign = (key: string | Buffer, prefix: string, body: Buffer) =>
  createHmac("sha256", key).update(prefix).update(body).digest();

/** Takes as long for a near miss as for a far one. */
function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
