import { stepOf, totpOwner } from "../../src/auth/factors/totp.js";
import { NoTotp, TotpExists, WrongCode } from "../../src/auth/problems.js";
import { type EncryptionKeys, unseal } from "../../src/auth/sealed.js";
import type { Actor } from "../../src/platform/actor.js";
import { bool, int, text } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import { command } from "../command.js";
import { type OwnProof, withOwnProof } from "./login-attempts.js";
import { auditFactor, dropCodesWithoutFactor, firstCodes, type SealedCodes } from "./recovery-codes.js";

const Owner = { user_id: int };

/** Begins to set up an authenticator app with a sealed secret. It is asked for nowhere until a code confirms it. */
export function beginTotp(sealed: string, proof: OwnProof, by: Actor) {
  return withOwnProof(proof, by, () =>
    command("totp.begin", by, {}, async (tx) => {
      const begun = await tx.row(
        Owner,
        `insert into user_totp (user_id, secret_sealed) values ($1, $2)
         on conflict (user_id) do update set secret_sealed = excluded.secret_sealed
           where user_totp.confirmed_at is null returning user_id`,
        [by.userId, sealed],
      );
      if (!begun) throw TotpExists();
      return { user_id: by.userId, sealed };
    }),
  );
}

const Enrolled = { sealed: text, is_confirmed: bool };

/** Confirms the app with a code that it shows; the first factor of a user comes with recovery codes. */
export function confirmTotp(code: string, codes: SealedCodes, keys: EncryptionKeys, by: Actor) {
  return command("totp.confirm", by, {}, async (tx) => {
    const enrolled = await tx.row(
      Enrolled,
      `select secret_sealed as sealed, confirmed_at is not null as is_confirmed
       from user_totp where user_id = $1 for update`,
      [by.userId],
    );
    if (!enrolled) throw NoTotp();
    if (enrolled.is_confirmed) throw TotpExists();
    const step = stepOf(unseal(enrolled.sealed, totpOwner(by.userId), keys), code);
    if (step === undefined) throw WrongCode();
    await tx.run("update user_totp set confirmed_at = now(), last_step = $2 where user_id = $1", [by.userId, step]);
    const sealed = await firstCodes(tx, codes, by);
    auditFactor(tx, "TOTP_ADD", by);
    return { sealed };
  });
}

/** Removes the app; with the last factor go the recovery codes. */
export function removeTotp(proof: OwnProof, by: Actor): Promise<{ message: string }> {
  return withOwnProof(proof, by, () =>
    command("totp.remove", by, {}, async (tx) => {
      const removed = await tx.row(
        Owner,
        "delete from user_totp where user_id = $1 and confirmed_at is not null returning user_id",
        [by.userId],
      );
      if (!removed) throw NoTotp();
      await dropCodesWithoutFactor(tx, by.userId);
      auditFactor(tx, "TOTP_REMOVE", by);
      return { message: "Authenticator app removed" };
    }),
  );
}

/** Whether it is a code of the user's app that was not accepted before, nor any later one. It is used up with that. */
export async function takeTotpCode(userId: number, code: string, keys: EncryptionKeys): Promise<boolean> {
  const app = await db.row(
    { sealed: text },
    "select secret_sealed as sealed from user_totp where user_id = $1 and confirmed_at is not null",
    [userId],
  );
  const step = app && stepOf(unseal(app.sealed, totpOwner(userId), keys), code);
  if (step === undefined) return false;
  const taken = await db.row(
    Owner,
    `update user_totp set last_step = $2, last_used_at = now()
     where user_id = $1 and confirmed_at is not null and last_step < $2 returning user_id`,
    [userId, step],
  );
  return taken !== undefined;
}
