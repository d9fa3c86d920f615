import { createHmac, timingSafeEqual } from "node:crypto";
import { SourceError } from "./connector.js";
import { parsedJson, SMALL_LIMITS } from "./http/json.js";

/** Whether the body of a webhook is signed as shops do it: by an HMAC with SHA-256, in base64. */
export function isSigned(secret: string, signature: string | undefined, body: Buffer): boolean {
  const right = createHmac("sha256", secret).update(body).digest();
  const given = Buffer.from(signature ?? "", "base64");
  return given.length === right.length && timingSafeEqual(given, right);
}

/** The document that is the body of a webhook. */
export function documentIn(body: Buffer, fault: string): Record<string, unknown> {
  const document = parsedJson(body, SMALL_LIMITS);
  if (typeof document !== "object" || document === null || Array.isArray(document)) throw new SourceError(fault);
  return document as Record<string, unknown>;
}
