import { createHash } from "node:crypto";

/** A text as it is while it is short enough, else its SHA-256 in hex: still one of its kind. */
export function shortened(text: string, most: number): string {
  return text.length > most
    ? createHash("sha256").update(text).digest("hex")
    : text;
}
