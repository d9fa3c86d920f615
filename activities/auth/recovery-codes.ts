import { NoSecondFactor } from "../../src/auth/problems.js";
import { HAS_FACTOR } from "../../src/auth/queries.js";
import type { Actor } from "../../src/platform/actor.js";
import { bool, int } from "../../src/platform/db/columns.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { command, type Tx } from "../command.js";
import { type OwnProof, withOwnProof } from "./login-attempts.js";

/** Recovery codes: their hashes, and sealed, for the stored answer that a repeated request gets. */
export interface SealedCodes {
  hashes: string[];
  sealed: string;
}

/** Gives the caller new recovery codes; those before are no longer valid. */
export function makeRecoveryCodes(codes: SealedCodes, proof: OwnProof, by: Actor) {
  return withOwnProof(proof, by, () =>
    command("recoveryCodes.make", by, {}, async (tx) => {
      await tx.run("select from users where user_id = $1 for no key update", [by.userId]);
      const user = await tx.row({ has: bool }, `select ${HAS_FACTOR} as has from users u where user_id = $1`, [
        by.userId,
      ]);
      if (!user?.has) throw NoSecondFactor();
      await putCodes(tx, codes, by);
      auditFactor(tx, "RECOVERY_CODES_MAKE", by);
      return { sealed: codes.sealed };
    }),
  );
}

/** The codes that a first factor comes with, sealed; null where the user has some. */
export async function firstCodes(tx: Tx, codes: SealedCodes, by: Actor): Promise<string | null> {
  const has = await tx.row({}, "select from recovery_codes where user_id = $1 limit 1", [by.userId]);
  if (has) return null;
  await putCodes(tx, codes, by);
  return codes.sealed;
}

async function putCodes(tx: Tx, { hashes }: SealedCodes, { userId }: Actor): Promise<void> {
  await tx.run("delete from recovery_codes where user_id = $1", [userId]);
  await tx.run("insert into recovery_codes (user_id, code_hash) select $1, unnest($2::text[])", [userId, hashes]);
}

/** Who has no factor any more has nothing to recover. */
export async function dropCodesWithoutFactor(tx: Tx, userId: number): Promise<void> {
  await tx.run(
    `delete from recovery_codes
     where user_id = $1 and exists (select from users u where user_id = $1 and not ${HAS_FACTOR})`,
    [userId],
  );
}

/** Whether it is a recovery code of the user that was not used before. It is used up with that, and audited. */
export function takeRecoveryCode(userId: number, username: string, hash: string, commandId: string): Promise<boolean> {
  return command("recoveryCodes.take", systemActor(commandId), { userId, hash }, async (tx) => {
    const taken = await tx.row(
      { user_id: int },
      `update recovery_codes set used_at = now()
       where user_id = $1 and code_hash = $2 and used_at is null returning user_id`,
      [userId, hash],
    );
    if (taken)
      tx.audit({
        action: "RECOVERY_CODE_USE",
        user: username,
        entity: "USER",
        entityId: userId,
        details: { username },
      });
    return taken !== undefined;
  });
}

/** The audit row of what a user does with the own factors. */
export function auditFactor(tx: Tx, action: string, { userId, username }: Actor): void {
  tx.audit({ action, entity: "USER", entityId: userId, details: { username } });
}
