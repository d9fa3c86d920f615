import { randomUUID } from "node:crypto";
import type { Request, Response } from "express";
import type { Actor } from "../../src/actor.js";
import { InvalidToken } from "../../src/auth/tokens/problems.js";
import { tokenHash } from "../../src/auth/tokens/secret.js";
import type { Token } from "../../src/auth/tokens/token.js";
import { NOBODY } from "../../src/system-actor.js";
import type { AddressLimit } from "../http/address-limit.js";
import { isCached, tokenWith } from "./token-cache.js";

/** What inbound and outbound authentication share (reference 04 §1.5). */

/** The token of the request. Whatever is wrong with it, the answer is the same. */
export async function tokenOf(req: Request, res: Response, pepper: string, addresses: AddressLimit): Promise<Token> {
  const sent = req.get("x-wms-token");
  if (!sent) throw InvalidToken();
  const hash = tokenHash(sent, pepper);
  if (!isCached(hash)) addresses.check(req);
  const token = await tokenWith(hash);
  if (!token) throw InvalidToken();
  res.locals.tokenId = token.token_id;
  return token;
}

/** The actor of a token: it may use its own warehouses, and the audit log names it by its id. */
export function tokenActor(token: Token, requestId: string): Actor {
  return {
    userId: 0,
    username: `system:wms_token:${token.token_id}`,
    externalId: NOBODY,
    role: "USER",
    warehouseIds: token.warehouse_ids,
    requestId,
    commandId: randomUUID(),
  };
}
