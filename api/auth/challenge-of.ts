import type { Request } from "express";
import type { Challenged } from "../../activities/auth/login.js";
import { assertionOptions } from "../../src/auth/factors/passkeys.js";
import { credentialsOf, waysOf } from "../../src/auth/factors/queries.js";
import type { AppOptions } from "../http/options.js";
import { relyingParty } from "./relying-party.js";

/** What somebody is told who has a second factor to show, with what a browser asks a passkey by. */
export async function challengeOf({ challenge, userId }: Challenged, req: Request, options: AppOptions) {
  const rp = relyingParty(req, options);
  const ways = await waysOf(userId, rp.id);
  if (!ways.includes("passkey")) return { challenge, ways };
  return { challenge, ways, passkey: await assertionOptions(rp, challenge, await credentialsOf(userId, rp.id)) };
}
