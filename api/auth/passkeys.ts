import { z } from "zod";
import * as activities from "../../activities/auth/passkeys.js";
import { registrationOptions } from "../../src/auth/factors/passkeys.js";
import { credentialsOf } from "../../src/auth/factors/queries.js";
import { NewPasskey, OwnPassword, PasskeyAdded, PasskeyOptions } from "../../src/auth/factors/shapes.js";
import {
  ChallengeExpired,
  InvalidPasskey,
  Locked,
  LockedNow,
  PasskeyNotFound,
  PasskeyTaken,
  StepUpRequired,
  WrongCurrentPassword,
} from "../../src/auth/problems.js";
import { ExternalId, Message } from "../../src/platform/fields.js";
import { route, signedIn } from "../http/route.js";
import { renewSession, shownNow } from "./begin-session.js";
import { sessions } from "./caches.js";
import { ownProof } from "./check-step-up.js";
import { codesIn, newCodes } from "./recovery-codes.js";
import { relyingParty } from "./relying-party.js";

/** Passkeys of the own account: docs/second-factor.md. */

export const beginPasskey = route("post /api/auth/passkeys/options", {
  for: signedIn,
  summary: "Begins to make a passkey: what the browser makes it by",
  body: OwnPassword,
  // But for a challenge, which each request has of its own.
  changesNothing: true,
  answers: { 200: PasskeyOptions },
  errors: [StepUpRequired, WrongCurrentPassword, Locked, LockedNow],
  run: async ({ body, by, req, res, options }) => {
    const rp = relyingParty(req, options);
    const challenge = await activities.beginPasskey(await ownProof(body, { req, res, options }), by);
    const known = await credentialsOf(by.userId, rp.id);
    const user = { username: by.username, external_id: by.externalId };
    const made = await registrationOptions(
      rp,
      user,
      challenge,
      known.map(({ id }) => id),
    );
    return { options: { ...made } };
  },
});

export const addPasskey = route("post /api/auth/passkeys", {
  for: signedIn,
  summary: "Adds the passkey that the browser made; from then on a second factor is asked for",
  body: NewPasskey,
  answers: { 201: PasskeyAdded },
  errors: [ChallengeExpired, InvalidPasskey, PasskeyTaken],
  run: async ({ body: { passkey_name, passkey }, by, req, res, options }) => {
    const codes = newCodes(options, by);
    const adding = activities.addPasskey(passkey_name, passkey as never, relyingParty(req, options), codes, by);
    const { sealed, passkey: added } = await sessions.invalidateAfter(adding);
    await renewSession(req, res, options, { factorAt: shownNow() });
    return { passkey: added, recovery_codes: sealed === null ? null : codesIn(sealed, options, by) };
  },
});

export const removePasskey = route("delete /api/auth/passkeys/:passkey_id", {
  for: signedIn,
  summary: "Removes a passkey of the caller; with the last second factor go the recovery codes",
  params: z.strictObject({ passkey_id: ExternalId.describe("By what this service names the passkey.") }),
  body: OwnPassword,
  answers: { 200: Message },
  errors: [PasskeyNotFound, StepUpRequired, WrongCurrentPassword, Locked, LockedNow],
  run: async ({ params: { passkey_id }, body, by, ...call }) =>
    sessions.invalidateAfter(activities.removePasskey(passkey_id, await ownProof(body, call), by)),
});
