import { BREAK_GLASS, SSO_REQUIRED, signInMapping } from "../../src/auth/oidc/queries.js";
import { LastBreakGlass, SsoNotReady } from "../../src/auth/problems.js";
import type { Tx } from "../command.js";

/**
 * Refuses what a command has done if nobody could sign in any more where the provider is required. The caller holds the
 * locks of all active ADMINs.
 */
export async function keepBreakGlass(tx: Tx): Promise<void> {
  const lost = await tx.row({}, `select where ${SSO_REQUIRED} and not exists (select from users where ${BREAK_GLASS})`);
  if (lost) throw LastBreakGlass();
}

/** Refuses to require the provider before people can sign in there, and somebody without it. */
export async function checkSsoCanBeRequired(tx: Tx): Promise<void> {
  // Whoever takes the flag or the role away waits, and then sees that the provider is required.
  const glass = await tx.rows({}, `select from users where ${BREAK_GLASS} order by user_id for key share`);
  if (glass.length === 0) throw SsoNotReady({ what: "a break-glass ADMIN, who signs in with a password" });
  if ((await signInMapping(tx)).groups.length === 0) throw SsoNotReady({ what: "a group that may sign in" });
}
