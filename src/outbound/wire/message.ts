import { createHmac } from "node:crypto";
import { configure } from "safe-stable-stringify";

const stringify = configure({ deterministic: true });

/** The bytes that are signed and sent: compact JSON, keys sorted at every level, in UTF-8. */
export const bodyOf = (content: object): Buffer => Buffer.from(stringify(content) as string, "utf8");

/** The input of the headers of one attempt. */
export interface Signing {
  body: Buffer;
  /** Of the event, or of the message where that is no event. */
  eventId: number | string;
  eventType: string;
  /** The same for every attempt and replay of one event to one subscription. */
  messageId: string;
  /** The time of this attempt, in seconds. */
  timestamp: number;
  /** The valid ones, generation 1 first. */
  secrets: { generation: 1 | 2; secret: string }[];
}

/**
 * The headers of one attempt: those of docs/interface.md, Webhooks, keyed with the text of the newest secret, and those
 * of Standard Webhooks (standardwebhooks.com), keyed with the bytes that each secret stands for.
 */
export function headersOf(signing: Signing): Record<string, string> {
  const { body, eventId, eventType, messageId, timestamp, secrets } = signing;
  const [newest] = secrets;
  if (newest?.generation !== 1) throw new Error("no secret of generation 1");
  const own = hmac(newest.secret, `${timestamp}.`, body);
  const standard = secrets.map(({ secret }) => hmac(bytesOf(secret), `${messageId}.${timestamp}.`, body));
  return {
    "Content-Type": "application/json",
    "User-Agent": "warehouse-webhooks/1",
    "X-Service-Signature": `sha256=${own.toString("hex")}`,
    "X-Service-Signature-Generation": "1",
    "X-Service-Delivery-Id": `${eventId}:${timestamp}`,
    "X-Service-Event-Type": eventType,
    "X-Service-Timestamp": `${timestamp}`,
    "webhook-id": messageId,
    "webhook-timestamp": `${timestamp}`,
    "webhook-signature": standard.map((signature) => `v1,${signature.toString("base64")}`).join(" "),
  };
}

const hmac = (key: string | Buffer, prefix: string, body: Buffer) =>
  createHmac("sha256", key).update(prefix).update(body).digest();

const bytesOf = (secret: string) => Buffer.from(secret.replace(/^whsec_/, ""), "base64");
