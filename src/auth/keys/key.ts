import type { SessionUser } from "../queries.js";
import { overrideKeys, pageKeys } from "../rights.js";
import { newToken } from "../tokens/token.js";

/** Personal API keys: docs/keys.md. */

/** By it one tells a key from the token of a session, and scanners of published code find one. */
export const KEY_PREFIX = "wes_";

/** A new key. It is shown once; only its hash is stored. */
export const newKey = () => KEY_PREFIX + newToken();

/** What a key opens of that which its user may do; null for all of it. */
export interface KeyScope {
  page_keys: string[] | null;
  functions: string[] | null;
}

/**
 * The user as far as a key goes. One that is narrowed is never an ADMIN's: whoever is an ADMIN is a USER with these
 * pages and functions then, in all warehouses.
 */
export function withinScope(user: SessionUser, { page_keys, functions }: KeyScope, warehouses: number[]): SessionUser {
  if (page_keys === null && functions === null) return user;
  const isAdmin = user.role === "ADMIN";
  const pages = isAdmin ? [...pageKeys, ...overrideKeys] : user.page_keys;
  const callable = isAdmin ? null : user.callable_functions;
  return {
    ...user,
    role: "USER",
    warehouse_ids: isAdmin ? warehouses : user.warehouse_ids,
    page_keys: pages.filter((key) => page_keys?.includes(key) ?? true),
    callable_functions: functions === null ? callable : functions.filter((name) => callable?.includes(name) ?? true),
  };
}
