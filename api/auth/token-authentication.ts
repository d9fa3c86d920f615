import { randomUUID } from "node:crypto";
import type { Request, Response } from "express";
import { InvalidToken } from "../../src/auth/tokens/problems.js";
import type { Token } from "../../src/auth/tokens/token.js";
import { tokenHash } from "../../src/auth/tokens/token.js";
import type { Actor } from "../../src/platform/actor.js";
import { NOBODY } from "../../src/platform/system-actor.js";
import type { AddressLimit } from "../http/address-limit.js";
import { tokenByHash, tokens } from "./caches.js";

/** What inbound and outbound authentication have in common (docs/interface.md, Tokens). */

/** The valid token of the request. Every fault has the same answer, which does not show what was wrong. */
export async function tokenOf(req: Request, res: Response, pepper: string, addresses: AddressLimit): Promise<Token> {
  const sent = req.get("x-wms-token");
  if (!sent) throw InvalidToken();
  const hash = tokenHash(sent, pepper);
  if (!tokens.has(hash)) addresses.check(req);
  const token = await tokenByHash(hash);
  if (!token) throw InvalidToken();
  res.locals.tokenId = token.token_id;
  res.locals.tokenName = token.token_name;
  return token;
}

/** The token as an actor: limited to its warehouses, and named by its id in the audit log. */
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
