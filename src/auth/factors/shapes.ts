import { z } from "zod";
import { AnyText, ExternalId, Name, Text, Time } from "../../platform/fields.js";
import { PasswordChange } from "../shapes.js";

/** Second factors: docs/second-factor.md. */

export const factorWays = ["passkey", "totp", "recovery_code"] as const;
export type FactorWay = (typeof factorWays)[number];

const PasskeyName = Name(64, "work phone").describe("What the user calls it.");

const Totp = z
  .strictObject({
    confirmed_at: Time.describe("Since when the app is asked for."),
    last_used_at: Time.nullable().describe("When a code of it was last accepted; null where none was since."),
  })
  .meta({ id: "AuthenticatorApp", description: "The authenticator app of a user." });

export const Passkey = z
  .strictObject({
    passkey_id: ExternalId.describe("By what this service names the passkey."),
    passkey_name: PasskeyName,
    made_at: Time.describe("When it was made."),
    last_used_at: Time.nullable().describe("When somebody last signed in with it; null where nobody has."),
  })
  .meta({ id: "Passkey", description: "A passkey of a user; its private key is on the user's device alone." });

export const Factors = z
  .strictObject({
    is_required: z.boolean().describe("Whether the role of the user needs a second factor."),
    totp: Totp.nullable().describe("The authenticator app; null where there is none."),
    passkeys: z.array(Passkey).describe("The passkeys, oldest first."),
    recovery_codes_left: z
      .int()
      .meta({ description: "How many recovery codes have not been used yet.", examples: [10] }),
  })
  .meta({ id: "SecondFactors", description: "The second factors of a user." });
export type Factors = z.infer<typeof Factors>;

export const OwnFactors = Factors.extend({
  takes_password: z.boolean().meta({
    description: "Whether changes take the password; else a session that proved a moment ago whose it is.",
    examples: [true],
  }),
}).meta({ id: "OwnSecondFactors", description: "The caller's own second factors, and what changing them takes." });

/** What proves that it is the user, and not somebody who found a device that is signed in. */
export const OwnPassword = z.strictObject({ current_password: PasswordChange.shape.current_password.optional() }).meta({
  id: "OwnPassword",
  description:
    "The caller's password. Who signs in at the identity provider leaves it out: the session must have proved a " +
    "moment ago whose it is.",
  examples: [{ current_password: "correct horse 1" }],
});

const Uri = "otpauth://totp/Warehouse:ann?issuer=Warehouse&secret=JBSWY3DPEHPK3PXP";

export const NewTotp = z
  .strictObject({
    secret: AnyText("JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP").describe("What one types into the app; never shown again."),
    uri: AnyText(Uri).describe("The same as a link, which the app reads from the QR code."),
    qr: AnyText("PHN2ZyB4bWxucz0i").describe("The QR code of the link: an SVG in base64."),
  })
  .meta({ id: "NewAuthenticatorApp", description: "What an authenticator app is set up with, shown only now." });

const Code = Text(16, "492039").describe("The six digits that the authenticator app shows now.");

export const TotpConfirmation = z.strictObject({ code: Code });

const RecoveryCodes = z.array(AnyText("k7m2q-9xw4t"));

export const MadeRecoveryCodes = z
  .strictObject({ recovery_codes: RecoveryCodes.describe("Each opens once; those before are no longer valid.") })
  .meta({ id: "RecoveryCodes", description: "New recovery codes, shown only now." });

export const FactorAdded = z
  .strictObject({
    recovery_codes: RecoveryCodes.nullable().describe(
      "Those that came with the first factor, shown only now; null where the user has some already.",
    ),
  })
  .meta({ id: "SecondFactorAdded", description: "A second factor that counts from now on." });

/** What WebAuthn lets a browser make or ask a passkey by, and its answer, in their JSON form. */
const Options = z
  .looseObject({ challenge: AnyText("Rk9pX0w2aDZ0eWJ5c2RjZ3Z3dWJ6cWE").describe("What the passkey signs.") })
  .meta({ id: "BrowserOptions", description: "The options, as the browser takes them." });
const Bytes = (most: number) => Text(most, "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0");

export const PasskeyOptions = z
  .strictObject({ options: Options })
  .meta({ id: "PasskeyOptions", description: "What a browser makes a passkey by." });

const ID = Bytes(1_400).describe("By what its device names the passkey.");
const CLIENT_DATA = Bytes(4_096).describe("What the browser says of page and challenge.");
const answerOf = (response: z.ZodType) =>
  z.looseObject({ id: ID, rawId: ID, type: z.literal("public-key").describe("That it is a passkey."), response });

const Made = answerOf(
  z
    .looseObject({ clientDataJSON: CLIENT_DATA, attestationObject: Bytes(32_768).describe("The new public key.") })
    .describe("What the device answered."),
);

const Asserted = answerOf(
  z
    .looseObject({
      clientDataJSON: CLIENT_DATA,
      authenticatorData: Bytes(4_096).describe("What the device says of itself, and has counted."),
      signature: Bytes(4_096).describe("The signature of both."),
    })
    .meta({ id: "PasskeySignature", description: "What the device answered." }),
).meta({ id: "SignedPasskey", description: "What a passkey answers that is asked." });

export const NewPasskey = z
  .strictObject({ passkey_name: PasskeyName, passkey: Made.describe("The answer of the browser, as it is.") })
  .meta({ id: "NewPasskey", description: "A passkey that a browser made." });

export const PasskeyAdded = z
  .strictObject({ passkey: Passkey, recovery_codes: FactorAdded.shape.recovery_codes })
  .meta({ id: "PasskeyAdded", description: "A passkey that counts from now on." });

/** One of what may be shown as the second factor. */
const proofFields = {
  code: Code.optional(),
  recovery_code: Text(64, "k7m2q-9xw4t").optional().describe("One of the recovery codes, which is used up with it."),
  passkey: Asserted.optional().describe("The answer of the browser to the options of the challenge, as it is."),
};

const Challenge = Text(128, "Rk9pX0w2aDZ0eWJ5c2RjZ3Z3dWJ6cWE").describe("That of the answer which asked for it.");

/** Whether exactly one of the proofs was given. */
const onlyOne = (proof: Record<string, unknown>, fields: object = proofFields): boolean =>
  Object.keys(fields).filter((name) => proof[name] !== undefined).length === 1;

export const SecondFactor = z
  .strictObject({ challenge: Challenge, ...proofFields })
  .refine((proof) => onlyOne(proof), `Exactly one is expected of ${Object.keys(proofFields).join(", ")}`)
  .meta({
    id: "SecondFactor",
    description: "What is shown as the second factor: one of the fields beside the challenge.",
    examples: [{ challenge: "Rk9pX0w2aDZ0eWJ5c2RjZ3Z3dWJ6cWE", code: "492039" }],
  });

const stepUpFields = {
  current_password: PasswordChange.shape.current_password.optional(),
  ...proofFields,
};

export const StepUpProof = z
  .strictObject({
    challenge: Challenge.optional().describe("That of the answer which asked for it; for all but the password."),
    ...stepUpFields,
  })
  .refine((proof) => onlyOne(proof, stepUpFields), `Exactly one is expected of ${Object.keys(stepUpFields).join(", ")}`)
  .meta({
    id: "StepUpProof",
    description: "What proves once more whose a session is: one of the fields beside the challenge.",
    examples: [{ challenge: "Rk9pX0w2aDZ0eWJ5c2RjZ3Z3dWJ6cWE", code: "492039" }],
  });

/** What a session is proved by, as 401 `step_up_required` says it too. */
export const StepUpAsked = z
  .strictObject({
    ways: z.array(AnyText("totp")).describe("In which ways: second factors, `password`, or `provider`."),
    max_age: z.int().meta({ description: "For how many seconds a proof is recent.", examples: [600] }),
    challenge: Challenge.optional().describe("What the proof is for, where a second factor is one."),
    passkey: Options.optional(),
  })
  .meta({ id: "StepUpAsked", description: "What proves whose a session is." });

export type Proof = Omit<z.infer<typeof SecondFactor>, "challenge">;
