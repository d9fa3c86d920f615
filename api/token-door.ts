import { randomUUID } from "node:crypto";
import type { Request } from "express";
import type { Actor } from "../src/actor.js";
import { NOBODY } from "../src/system.js";
import { InvalidToken } from "../src/tokens/problems.js";
import { tokenHash } from "../src/tokens/secret.js";
import type { Token } from "../src/tokens/token.js";
import { tokenWith } from "./known-tokens.js";

/** What the ways in for other systems share (reference 04 §1.5). */

/** The token that the request carries; whatever is wrong with it is told alike. */
export async function tokenOf(req: Request, pepper: string): Promise<Token> {
  const sent = req.get("x-wms-token");
  const token = sent && (await tokenWith(tokenHash(sent, pepper)));
  if (!token) throw InvalidToken();
  return token;
}

/** The token as activities know it: it may touch its own warehouses, and stands in the audit trail by its number. */
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
