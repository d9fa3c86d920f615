import { randomInt } from "node:crypto";
import { tokenHash } from "../tokens/token.js";

const HOW_MANY = 10;
const HALF = 5;
/** Without those that look alike on paper. */
const LETTERS = "23456789abcdefghjkmnpqrstuvwxyz";

const half = () => Array.from({ length: HALF }, () => LETTERS[randomInt(LETTERS.length)]).join("");

/** Ten new recovery codes, such as `k7m2q-9xw4t`: 49 bits each, behind a lock after five wrong ones. */
export const newRecoveryCodes = (): string[] => Array.from({ length: HOW_MANY }, () => `${half()}-${half()}`);

/** The hash that a recovery code is stored by, however it was typed. */
export const recoveryHash = (typed: string, pepper: string): string =>
  tokenHash(typed.toLowerCase().replace(/[^a-z0-9]/g, ""), pepper);
