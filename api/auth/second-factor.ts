import { z } from "zod";
import * as recoveryCodes from "../../activities/auth/recovery-codes.js";
import * as secondFactor from "../../activities/auth/second-factor.js";
import * as totp from "../../activities/auth/totp.js";
import { challenged, factorsOf } from "../../src/auth/factors/queries.js";
import {
  OwnFactors as CallersFactors,
  FactorAdded,
  Factors,
  MadeRecoveryCodes,
  NewTotp,
  OwnPassword,
  SecondFactor,
  TotpConfirmation,
} from "../../src/auth/factors/shapes.js";
import { newTotpSecret, qrOf, totpOwner, totpUri } from "../../src/auth/factors/totp.js";
import {
  ChallengeExpired,
  InvalidSecondFactor,
  Locked,
  LockedNow,
  NoSecondFactor,
  NoTotp,
  OwnFactors,
  StepUpRequired,
  TotpExists,
  Unauthorized,
  UserNotFound,
  WrongCode,
  WrongCurrentPassword,
} from "../../src/auth/problems.js";
import { seal, unseal } from "../../src/auth/sealed.js";
import { SessionBegun } from "../../src/auth/shapes.js";
import { Message, QueryInt } from "../../src/platform/fields.js";
import { addressOf } from "../http/address-limit.js";
import { admin, open, route, signedIn } from "../http/route.js";
import { beginSession, renewSession, shownNow } from "./begin-session.js";
import { sessions } from "./caches.js";
import { ownProof, takesPassword } from "./check-step-up.js";
import { codesIn, newCodes } from "./recovery-codes.js";
import { relyingParty } from "./relying-party.js";

/** Second factors: docs/second-factor.md. */

export const signInWithFactor = route("post /api/auth/second-factor", {
  for: open,
  summary: "Goes on with a sign-in that asked for a second factor: a bearer token, and the same session as cookies",
  body: SecondFactor,
  answers: { 200: SessionBegun },
  errors: [ChallengeExpired, InvalidSecondFactor, Locked, LockedNow],
  run: async ({ body: { challenge, ...proof }, req, res, options }) => {
    res.locals.username = (await challenged(challenge, "sign_in"))?.username;
    const user = await secondFactor.signInWithFactor(challenge, proof, addressOf(req), {
      ...options,
      rp: relyingParty(req, options),
    });
    return beginSession(user, req, res, options, { factorAt: shownNow() });
  },
});

export const getOwnFactors = route("get /api/auth/factors", {
  for: signedIn,
  summary: "The caller's own second factors",
  answers: { 200: CallersFactors },
  run: async ({ by, res }) => {
    const factors = await factorsOf(by.userId);
    if (!factors) throw Unauthorized();
    return { ...factors, takes_password: await takesPassword(by.userId, res) };
  },
});

export const beginTotp = route("post /api/auth/totp", {
  for: signedIn,
  summary: "Begins to set up an authenticator app: its secret, shown only now. It counts once a code confirms it",
  body: OwnPassword,
  answers: { 201: NewTotp },
  errors: [TotpExists, StepUpRequired, WrongCurrentPassword, Locked, LockedNow],
  run: async ({ body, by, req, res, options }) => {
    const owner = totpOwner(by.userId);
    const sealed = seal(newTotpSecret(), owner, options);
    const begun = await totp.beginTotp(sealed, await ownProof(body, { req, res, options }), by);
    const secret = unseal(begun.sealed, owner, options);
    const uri = totpUri(secret, by.username);
    return { secret, uri, qr: Buffer.from(qrOf(uri)).toString("base64") };
  },
});

export const confirmTotp = route("post /api/auth/totp/confirm", {
  for: signedIn,
  summary:
    "Confirms the authenticator app with a code that it shows; from then on it is asked for. New cookies say that it " +
    "was shown; who signed in with a bearer token signs in anew where the role needs it",
  body: TotpConfirmation,
  answers: { 200: FactorAdded },
  errors: [NoTotp, TotpExists, WrongCode],
  run: async ({ body: { code }, by, req, res, options }) => {
    const confirming = totp.confirmTotp(code, newCodes(options, by), options, by);
    const { sealed } = await sessions.invalidateAfter(confirming);
    await renewSession(req, res, options, { factorAt: shownNow() });
    return { recovery_codes: sealed === null ? null : codesIn(sealed, options, by) };
  },
});

export const removeTotp = route("delete /api/auth/totp", {
  for: signedIn,
  summary: "Removes the caller's authenticator app; with the last second factor go the recovery codes",
  body: OwnPassword,
  answers: { 200: Message },
  errors: [NoTotp, StepUpRequired, WrongCurrentPassword, Locked, LockedNow],
  run: async ({ body, by, ...call }) => sessions.invalidateAfter(totp.removeTotp(await ownProof(body, call), by)),
});

export const makeRecoveryCodes = route("post /api/auth/recovery-codes", {
  for: signedIn,
  summary: "Gives the caller ten new recovery codes, shown only now; those before are no longer valid",
  body: OwnPassword,
  answers: { 201: MadeRecoveryCodes },
  errors: [NoSecondFactor, StepUpRequired, WrongCurrentPassword, Locked, LockedNow],
  run: async ({ body, by, req, res, options }) => {
    const codes = newCodes(options, by);
    const proof = await ownProof(body, { req, res, options });
    const { sealed } = await recoveryCodes.makeRecoveryCodes(codes, proof, by);
    return { recovery_codes: codesIn(sealed, options, by) };
  },
});

const params = z.strictObject({ user_id: QueryInt.describe("Id of the user in this service.") });

export const getFactors = route("get /api/admin/users/:user_id/factors", {
  for: admin,
  summary: "The second factors of a user",
  params,
  answers: { 200: Factors },
  errors: [UserNotFound],
  run: async ({ params: { user_id } }) => {
    const factors = await factorsOf(user_id);
    if (!factors) throw UserNotFound();
    return factors;
  },
});

export const resetFactors = route("delete /api/admin/users/:user_id/factors", {
  for: admin,
  byPersonOnly: true,
  stepUp: true,
  summary: "Takes all second factors of another user away, who lost them; all sessions of that user end",
  params,
  answers: { 200: Message },
  errors: [UserNotFound, NoSecondFactor, OwnFactors],
  run: ({ params: { user_id }, by }) => sessions.invalidateAfter(secondFactor.resetFactors(user_id, by)),
});
