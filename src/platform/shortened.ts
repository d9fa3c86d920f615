import { createHash } from "node:crypto";

/** The text itself if it is short enough, else its SHA-256 in hex, which is still unique. */
export function shortened(text: string, most: number): string {
  return text.length > most ? createHash("sha256").update(text).digest("hex") : text;
}
