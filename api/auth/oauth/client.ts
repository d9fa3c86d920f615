import type { Response as Answering } from "express";
import {
  clientOf,
  faultOfAddress,
  isMetadataAddress,
  type KnownClient,
} from "../../../src/auth/oauth/client-metadata.js";
import { AgentUnknown, AgentUnreadable } from "../../../src/auth/oauth/problems.js";
import { oauthClient } from "../../../src/auth/oauth/queries.js";
import { checkedFetch } from "../../../src/outbound/wire/checked-fetch.js";
import type { Failure } from "../../../src/outbound/wire/error-kinds.js";
import { ttlCache } from "../../../src/platform/concurrency/ttl-cache.js";
import type { AppOptions } from "../../http/options.js";

/** A person waits for it, and it is some hundred bytes. */
const BOUNDS = { timeoutMs: 5_000, mostBytes: 16 * 1024 };

const MINUTE_S = 60;
/** For how long what a program says of itself is believed: as its answer says, within these. */
const KEPT_S = { least: MINUTE_S, usual: 10 * MINUTE_S, most: 24 * 60 * MINUTE_S };

/** A document that could be read, and for how long; one that could not is asked for again. */
const known = ttlCache<{ client: KnownClient; keepMs: number }>(({ keepMs }) => keepMs);

/** The program of a request for access: what it has registered, or says at the address that is its `client_id`. */
export async function clientAsking(clientId: string, res: Answering, options: AppOptions): Promise<KnownClient> {
  if (isMetadataAddress(clientId)) {
    const { client } = await known(clientId, () => fetched(clientId, res, options));
    return client;
  }
  const client = await oauthClient(clientId);
  if (!client) throw AgentUnknown();
  return client;
}

async function fetched(clientId: string, res: Answering, { agentsAllowInternal: allowInternal }: AppOptions) {
  const refuse = (reason: string): never => {
    res.locals.reason = reason;
    throw AgentUnreadable({}, { reason });
  };
  if (faultOfAddress(clientId, allowInternal)) return refuse("address");
  const headers = { accept: "application/json" };
  const answer = await checkedFetch(clientId, { headers }, { ...BOUNDS, allowInternal }).catch(({ kind }: Failure) =>
    // Nobody learns by it what is in the house's own network.
    refuse(kind === "ssrf_rejected" ? "not_public" : "no_answer"),
  );
  if (answer.status !== 200) return refuse("no_answer");
  if (!/^application\/([\w.-]+\+)?json\b/i.test(answer.headers.get("content-type") ?? "")) return refuse("not_json");
  const client = clientOf(clientId, await answer.text());
  return typeof client === "string" ? refuse(client) : { client, keepMs: keptFor(answer) * 1000 };
}

function keptFor({ headers }: Response): number {
  const said = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(headers.get("cache-control") ?? "")?.[1];
  return Math.min(KEPT_S.most, Math.max(KEPT_S.least, said === undefined ? KEPT_S.usual : Number(said)));
}
