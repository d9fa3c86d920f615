import { createHash, randomBytes } from "node:crypto";
import type { z } from "zod";
import { object } from "../../platform/db/columns.js";
import { TokenRecord } from "./shapes.js";

/**
 * An integration token, as requests are authorised with it (docs/interface.md, Tokens). Empty lists give access to
 * nothing.
 */
export const Token = TokenRecord.pick({
  token_id: true,
  token_name: true,
  source_system: true,
  inbound_resources: true,
  event_types: true,
  endpoints: true,
  warehouse_ids: true,
  connector_id: true,
  mapping_override: true,
  expires_at: true,
}).extend({ mapping_overrides: object });
export type Token = z.infer<typeof Token>;

/** Whether a token is only that of a shipping station (docs/interface.md, Shipping station). */
export const isOfStation = (token: Pick<Token, "endpoints" | "event_types" | "source_system">): boolean =>
  token.endpoints.length > 0 &&
  token.endpoints.every((slug) => slug === "station.dispatch") &&
  token.event_types.length === 0 &&
  token.source_system === null;

/** A new integration token, or what follows the prefix of another secret. It is shown once; only its hash is stored. */
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
