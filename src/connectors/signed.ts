import { createHmac } from "node:crypto";
import { isSame } from "../platform/is-same.js";
import { SourceError } from "./connector.js";
import { parsedJson, SMALL_LIMITS } from "./http/json.js";

/** Whether the body of a webhook is signed by an HMAC with SHA-256: as shops do it, in base64. */
export const isSigned = (
  secret: string,
  signature: string | undefined,
  body: Buffer,
  encoding: "base64" | "hex" = "base64",
): boolean => isSame(Buffer.from(signature ?? "", encoding), createHmac("sha256", secret).update(body).digest());

/** The document that is the body of a webhook. */
export function documentIn(body: Buffer, fault: string): Record<string, unknown> {
  const document = parsedJson(body, SMALL_LIMITS);
  if (typeof document !== "object" || document === null || Array.isArray(document)) throw new SourceError(fault);
  return document as Record<string, unknown>;
}
