import type { Request, Response } from "express";
import { beginChallenge } from "../../activities/auth/challenges.js";
import { waysOf } from "../../src/auth/factors/queries.js";
import { signsInAtProvider } from "../../src/auth/oidc/queries.js";
import { NotWithKey, StepUpRequired } from "../../src/auth/problems.js";
import type { SessionUser } from "../../src/auth/queries.js";
import { db } from "../../src/platform/db/db.js";
import { DEFAULT_STEP_UP_MINUTES, stepUpRules } from "../../src/system/settings/queries.js";
import { insideCallOf } from "../http/inside.js";
import type { AppOptions } from "../http/options.js";
import type { Route } from "../http/route.js";
import { shownNow } from "./begin-session.js";
import { withPasskeyOptions } from "./challenge-of.js";
import { relyingParty } from "./relying-party.js";

/** Step-up: what is dangerous takes a session that proved a moment ago whose it is (docs/step-up.md). */

interface Call {
  req: Request;
  res: Response;
  options: AppOptions;
  body?: unknown;
}

/** Refuses a dangerous request of a session that has to prove first whose it is, and of a key, which cannot. */
export async function checkStepUp({ stepUp }: Route, call: Call): Promise<void> {
  const inside = insideCallOf(call.req);
  // What an agent asks for, a person approves, who steps up for that.
  if (!stepUp || inside?.onlyChecks || inside?.user) return;
  const rules = await stepUpRules(db);
  if (!rules || (stepUp !== true && !(await stepUp(call.body, rules)))) return;
  const user = call.res.locals.session as SessionUser;
  if (user.key) throw NotWithKey();
  if (!hasProved(user, call.res, rules.minutes)) throw await stepUpAsked(user, call, rules.minutes);
}

/** Whether the session proved within so many minutes whose it is, by the best that the user has. */
function hasProved({ has_factor }: SessionUser, { locals }: Response, minutes: number): boolean {
  const { factorAt = 0, ssoAt, provedAt = 0 } = locals;
  // A password is not enough for who has more. The provider asks for what it deems enough.
  const at = has_factor && ssoAt === undefined ? factorAt : Math.max(factorAt, provedAt);
  return at > shownNow() - minutes * 60;
}

/** The refusal that says in which ways the user proves it, with a challenge where a second factor is one. */
export async function stepUpAsked(user: SessionUser, { req, res, options }: Call, minutes = DEFAULT_STEP_UP_MINUTES) {
  const ways = await stepUpWays(user, { req, res, options });
  const max_age = minutes * 60;
  if (!user.has_factor) return StepUpRequired({}, { ways, max_age });
  const challenge = await beginChallenge(user.user_id, "step_up");
  const asked = await withPasskeyOptions({ challenge, userId: user.user_id, ways }, req, options);
  return StepUpRequired({}, { ...asked, max_age });
}

/** In which ways the user of a session proves it: second factors, else the password, or a sign-in at the provider. */
export async function stepUpWays(user: SessionUser, { req, res, options }: Call): Promise<string[]> {
  const factors = user.has_factor ? await waysOf(user.user_id, relyingParty(req, options).id) : [];
  const isOfProvider = res.locals.ssoAt !== undefined || (await signsInAtProvider(user.user_id));
  if (isOfProvider) return [...factors, "provider"];
  return factors.length > 0 ? factors : user.has_factor ? [] : ["password"];
}

/** What RFC 9470 has programs told, beside the body. */
export const stepUpHeader = ({ max_age }: Record<string, unknown>): string =>
  `Bearer error="insufficient_user_authentication", error_description="Prove once more that it is you", ` +
  `max_age="${Number(max_age)}"`;
