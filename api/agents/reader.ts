import type { Response } from "express";
import type { ApprovalReader } from "../../src/agents/queries.js";
import type { SessionUser } from "../../src/auth/queries.js";
import { type Actor, visibleWarehouses } from "../../src/platform/actor.js";

/** The user of this request, as a reader of approvals. */
export function readerOf(by: Actor, { locals }: Response): ApprovalReader {
  const { role, page_keys } = locals.session as SessionUser;
  return { userId: by.userId, warehouses: visibleWarehouses(by), pages: role === "ADMIN" ? null : page_keys };
}
