import * as activities from "../../activities/auth/step-up.js";
import { StepUpAsked, StepUpProof } from "../../src/auth/factors/shapes.js";
import {
  ChallengeExpired,
  InvalidSecondFactor,
  Locked,
  LockedNow,
  StepUpRequired,
  WrongCurrentPassword,
} from "../../src/auth/problems.js";
import type { SessionUser } from "../../src/auth/queries.js";
import { SessionRenewed } from "../../src/auth/shapes.js";
import { addressOf } from "../http/address-limit.js";
import { route, signedIn } from "../http/route.js";
import { renewSession, shownNow } from "./begin-session.js";
import { stepUpAsked, stepUpWays, whatProves } from "./check-step-up.js";
import { relyingParty } from "./relying-party.js";

/** Proving once more whose a session is: docs/step-up.md. */

export const beginStepUp = route("post /api/auth/step-up/challenge", {
  for: signedIn,
  summary:
    "Asks what proves whose the session is, as 401 `step_up_required` says it: before a dangerous request, or where " +
    "the account says `must_show_second_factor`",
  // But for a challenge, which each request has of its own.
  changesNothing: true,
  answers: { 200: StepUpAsked },
  run: ({ req, res, options }) => whatProves(res.locals.session as SessionUser, { req, res, options }),
});

export const stepUp = route("post /api/auth/step-up", {
  for: signedIn,
  summary:
    "Proves once more whose the session is, in one of the `ways` of 401 `step_up_required`: a new token and new " +
    "cookies of the same session, with which the refused request is sent again",
  body: StepUpProof,
  // But for a challenge, which each proof uses up.
  changesNothing: true,
  answers: { 200: SessionRenewed },
  errors: [StepUpRequired, ChallengeExpired, InvalidSecondFactor, WrongCurrentPassword, Locked, LockedNow],
  run: async ({ body: { current_password, challenge, ...proof }, by, req, res, options }) => {
    const address = addressOf(req);
    if (current_password === undefined) {
      const keys = { ...options, rp: relyingParty(req, options) };
      await activities.stepUpByFactor(challenge ?? "", proof, address, keys, by);
      return { token: await renewSession(req, res, options, { factorAt: shownNow() }) };
    }
    const user = res.locals.session as SessionUser;
    const ways = await stepUpWays(user, { req, res, options });
    if (!ways.includes("password")) throw await stepUpAsked(user, { req, res, options });
    await activities.stepUpByPassword(current_password, address, by);
    return { token: await renewSession(req, res, options, { provedAt: shownNow() }) };
  },
});
