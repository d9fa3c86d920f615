import { createHash, randomBytes } from "node:crypto";

/** A new integration token. It is shown once; only its hash is stored. */
export const newToken = () => randomBytes(32).toString("base64url");

/**
 * The hash that a token is stored and looked up by (docs/interface.md, Tokens). Without the pepper, a stolen hash
 * cannot be checked against guessed tokens.
 */
export const tokenHash = (token: string, pepper: string) =>
  createHash("sha256").update(pepper).update(token).digest("hex");

/**
 * The owner that a token is encrypted for in the stored answer of the command that issued it, for a repeated request.
 */
export const answerOwner = (commandId: string) => `token_answer:${commandId}`;
