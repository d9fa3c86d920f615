import type { Request } from "express";
import type { Challenged } from "../../activities/auth/login.js";
import { assertionOptions } from "../../src/auth/factors/passkeys.js";
import { credentialsOf, waysOf } from "../../src/auth/factors/queries.js";
import type { AppOptions } from "../http/options.js";
import { relyingParty } from "./relying-party.js";

/** What somebody is told who has a second factor to show, with what a browser asks a passkey by. */
export async function challengeOf(challenged: Challenged, req: Request, options: AppOptions) {
  const ways = await waysOf(challenged.userId, relyingParty(req, options).id);
  return withPasskeyOptions({ ...challenged, ways }, req, options);
}

/** The challenge and its ways, with what a browser asks a passkey by where that is one. */
export async function withPasskeyOptions(
  { challenge, userId, ways }: Challenged & { ways: string[] },
  req: Request,
  options: AppOptions,
) {
  if (!ways.includes("passkey")) return { challenge, ways };
  const rp = relyingParty(req, options);
  const passkey = await assertionOptions(rp, challenge, await credentialsOf(userId, rp.id));
  return { challenge, ways, passkey: { ...passkey } };
}
