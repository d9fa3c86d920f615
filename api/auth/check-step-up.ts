import type { Request, Response } from "express";
import { beginChallenge } from "../../activities/auth/challenges.js";
import { waysOf } from "../../src/auth/factors/queries.js";
import { signsInAtProvider } from "../../src/auth/oidc/queries.js";
import { NotWithKey, StepUpRequired } from "../../src/auth/problems.js";
import type { SessionUser } from "../../src/auth/queries.js";
import { validationError } from "../../src/platform/problem.js";
import { DEFAULT_STEP_UP_MINUTES, stepUpRules } from "../../src/system/settings/queries.js";
import { addressOf } from "../http/address-limit.js";
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
  const { step_up_settings } = call.res.locals.session as SessionUser;
  const rules = stepUp && stepUpRules(step_up_settings);
  if (rules && (stepUp === true || (await stepUp(call.body, rules)))) await checkProved(call);
}

/** Refuses a session that did not prove a moment ago whose it is, and a key. */
export async function checkProved(call: Call): Promise<void> {
  const inside = insideCallOf(call.req);
  // What an agent asks for, a person approves, who steps up for that.
  if (inside?.onlyChecks || inside?.user) return;
  const user = call.res.locals.session as SessionUser;
  if (user.key) throw NotWithKey();
  if (!hasProved(user, call.res)) throw await stepUpAsked(user, call);
}

/** Whether the session proved a moment ago whose it is, by the best that the user has. */
function hasProved({ has_factor, step_up_settings }: SessionUser, { locals }: Response): boolean {
  const { factorAt = 0, ssoAt, provedAt = 0 } = locals;
  // A password is not enough for who has more. The provider asks for what it deems enough.
  const at = has_factor && ssoAt === undefined ? factorAt : Math.max(factorAt, provedAt);
  return at > shownNow() - recentMinutes(step_up_settings) * 60;
}

/** The refusal that says in which ways the user proves it. */
export const stepUpAsked = async (user: SessionUser, call: Call) => StepUpRequired({}, await whatProves(user, call));

/** The ways in which the user proves it, with a challenge where a second factor is one. */
export async function whatProves(user: SessionUser, { req, res, options }: Call) {
  const ways = await stepUpWays(user, { req, res, options });
  const max_age = recentMinutes(user.step_up_settings) * 60;
  if (!user.has_factor) return { ways, max_age };
  const challenge = await beginChallenge(user.user_id, "step_up");
  return { ...(await withPasskeyOptions({ challenge, userId: user.user_id, ways }, req, options)), max_age };
}

/** For how long a proof is recent, whether or not step-up is switched on. */
const recentMinutes = (settings: Record<string, string>) => stepUpRules(settings)?.minutes ?? DEFAULT_STEP_UP_MINUTES;

/**
 * The proof that it is the user, for what concerns the own ways in: the password, or of who signs in at the provider,
 * that the session proved a moment ago whose it is. Refuses a session that has to do that first.
 */
export async function ownProof({ current_password }: { current_password?: string | undefined }, call: Call) {
  if (current_password !== undefined) return { password: current_password, address: addressOf(call.req) };
  const user = call.res.locals.session as SessionUser;
  if (await takesPassword(user.user_id, call.res))
    throw validationError([{ type: "missing", loc: ["current_password"], msg: "Field required" }]);
  if (!hasProved(user, call.res)) throw await stepUpAsked(user, call);
  return "session" as const;
}

/** Whether nothing but the password proves whose the session is, beside second factors. */
export const takesPassword = async (userId: number, { locals }: Response): Promise<boolean> =>
  locals.ssoAt === undefined && !(await signsInAtProvider(userId));

/** In which ways the user of a session proves it: second factors, else the password, or a sign-in at the provider. */
export async function stepUpWays(user: SessionUser, { req, res, options }: Call): Promise<string[]> {
  const factors = user.has_factor ? await waysOf(user.user_id, relyingParty(req, options).id) : [];
  if (!(await takesPassword(user.user_id, res))) return [...factors, "provider"];
  return factors.length > 0 ? factors : user.has_factor ? [] : ["password"];
}

/** What RFC 9470 has programs told, beside the body. */
export const stepUpHeader = ({ max_age }: Record<string, unknown>): string =>
  `Bearer error="insufficient_user_authentication", error_description="Prove once more that it is you", ` +
  `max_age="${Number(max_age)}"`;
