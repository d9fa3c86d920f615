import type { SealedCodes } from "../../activities/auth/recovery-codes.js";
import { newRecoveryCodes, recoveryHash } from "../../src/auth/factors/recovery-codes.js";
import { seal, unseal } from "../../src/auth/sealed.js";
import { answerOwner } from "../../src/auth/tokens/token.js";
import type { Actor } from "../../src/platform/actor.js";
import type { AppOptions } from "../http/options.js";

/** New recovery codes, in the forms that are stored. */
export function newCodes(options: AppOptions, { commandId }: Actor): SealedCodes {
  const codes = newRecoveryCodes();
  const hashes = codes.map((code) => recoveryHash(code, options.tokenPepper));
  return { hashes, sealed: seal(JSON.stringify(codes), answerOwner(commandId), options) };
}

/** The codes of an answer, also for a repeat under the same `Idempotency-Key`. */
export const codesIn = (sealed: string, options: AppOptions, { commandId }: Actor): string[] =>
  JSON.parse(unseal(sealed, answerOwner(commandId), options));
