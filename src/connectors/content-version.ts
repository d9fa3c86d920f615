import { createHash } from "node:crypto";
import stringify from "safe-stable-stringify";

/**
 * A version of a record whose source has none: the time at which it was read, and a digest of its content. What is read
 * later is newer; equal content, in any order, is not a new version.
 */
export const contentVersion = (content: unknown): string =>
  `${new Date().toISOString()}/${createHash("sha256")
    .update(stringify(content) ?? "")
    .digest("hex")
    .slice(0, 16)}`;

/** Whether two versions were made of the same content. */
export const sameContent = (one: string, other: string): boolean => one.split("/")[1] === other.split("/")[1];
