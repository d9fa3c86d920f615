import { createHash, randomBytes } from "node:crypto";

/** A new integration token; it is shown once, and known by its hash. */
export const newToken = () => randomBytes(32).toString("base64url");

/**
 * What is stored of a token, and looked up by (reference 04 §1.1). Without the pepper nobody can tell whether a hash is
 * of a token.
 */
export const tokenHash = (token: string, pepper: string) =>
  createHash("sha256").update(pepper).update(token).digest("hex");

/**
 * Whose a sealed token is: the command's that made it, whose answer a repeat gets again. Elsewhere only its hash is
 * stored.
 */
export const answerOwner = (commandId: string) => `token_answer:${commandId}`;
