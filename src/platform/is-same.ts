import { timingSafeEqual } from "node:crypto";

/** Whether they are equal, without a hint at where they differ. */
export const isSame = (given: Buffer, right: Buffer): boolean =>
  given.length === right.length && timingSafeEqual(given, right);
