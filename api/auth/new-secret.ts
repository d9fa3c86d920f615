import type { Secret } from "../../activities/auth/tokens.js";
import { seal } from "../../src/auth/sealed.js";
import { answerOwner, tokenHash } from "../../src/auth/tokens/token.js";
import type { Actor } from "../../src/platform/actor.js";
import type { AppOptions } from "../http/options.js";

/** A new secret that is shown once, in the two forms that are stored. */
export function newSecret(secret: string, options: AppOptions, { commandId }: Actor): Secret {
  return { hash: tokenHash(secret, options.tokenPepper), sealed: seal(secret, answerOwner(commandId), options) };
}
