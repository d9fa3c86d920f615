import type { z } from "zod";
import type { KeyChanges, NewKey } from "../../activities/outbound/webhooks/keys.js";
import type { ReplayLimits } from "../../activities/outbound/webhooks/replay.js";
import type { DeliveryUrl, Policy } from "../../activities/outbound/webhooks/rules.js";
import { seal, unseal } from "../../src/auth/sealed.js";
import { newSecret, secretOwner, webhookKeyOwner } from "../../src/outbound/secrets.js";
import type { NewOAuth } from "../../src/outbound/webhooks/key-shapes.js";
import type { WebhookEdit } from "../../src/outbound/webhooks/shapes.js";
import { factsOf } from "../../src/outbound/wire/client-tls.js";
import { hasPrivateAddress } from "../../src/outbound/wire/connections.js";
import { newSigningKey } from "../../src/outbound/wire/signing-keys.js";
import type { AppOptions } from "../http/options.js";

/** What the routes of webhooks, of admins and of partners, make of a request: addresses looked up, secrets sealed. */

/** The limits that are configured. */
export const policyOf = (options: AppOptions): Policy => ({
  allowHttp: options.allowHttpWebhooks,
  pendingHardCap: options.dispatcherMaxPendingHardCap,
  dlqHardCap: options.dispatcherMaxDlqHardCap,
});

/** A URL that a request names, and whether its host has a private address. */
export async function resolveDeliveryUrl(
  url: string,
  acknowledgeReuse: boolean,
  { allowInternalWebhooks }: AppOptions,
): Promise<DeliveryUrl> {
  const isPrivate = await hasPrivateAddress(url, allowInternalWebhooks);
  return { url, isPrivate, acknowledgeReuse };
}

/** What a request says of keys, sealed; undefined where it says nothing. */
export function keysIn(
  id: string,
  {
    signature,
    client_tls: files,
    oauth: client,
  }: Pick<z.output<typeof WebhookEdit>, "signature" | "client_tls" | "oauth">,
  options: AppOptions,
): KeyChanges {
  const set_at = new Date().toISOString();
  const sealedFor = (kind: "client_tls" | "oauth", text: string) => seal(text, webhookKeyOwner(id, kind), options);
  return {
    signing: signature === "ed25519" ? newSealedSigningKey(id, options) : signature && null,
    client_tls: files && {
      shown: { ...factsOf(files), set_at },
      sealed: sealedFor("client_tls", JSON.stringify(files)),
    },
    oauth: client && oauthKey(client, set_at, (secret) => sealedFor("oauth", secret)),
  };
}

const oauthKey = (
  { client_secret, ...shown }: NewOAuth,
  set_at: string,
  sealed: (secret: string) => string,
): NewKey => ({
  shown: { ...shown, set_at },
  sealed: sealed(client_secret),
});

/** A pair of keys, the secret one sealed. */
export function newSealedSigningKey(id: string, options: AppOptions): NewKey {
  const { secret_key, public_key } = newSigningKey();
  return { shown: { public_key }, sealed: seal(secret_key, webhookKeyOwner(id, "signing"), options) };
}

/** Where a request says that tokens are given. */
export const tokensIn = async (client: NewOAuth | null | undefined, { allowInternalWebhooks }: AppOptions) =>
  client
    ? { url: client.token_url, isPrivate: await hasPrivateAddress(client.token_url, allowInternalWebhooks) }
    : undefined;

/** A secret, sealed for its subscription. */
export const newSealedSecret = (subscriptionId: string, options: AppOptions) =>
  seal(newSecret(), secretOwner(subscriptionId), options);

/** The answer with the secret unsealed, as a repeat with the same `Idempotency-Key` gets it too. */
export function withSecret<A extends { sealed: string; subscription_id: string }>(
  { sealed, ...answer }: A,
  options: AppOptions,
) {
  const owner = secretOwner(answer.subscription_id);
  return { ...answer, secret: unseal(sealed, owner, options) };
}

/** How much may be sent again at once. */
export const replayLimits = (options: AppOptions): ReplayLimits => ({
  hardCap: options.dispatcherReplayBatchHardCap,
  globalBudget: options.dispatcherReplayBatchGlobalBudget,
  globalWindowS: options.dispatcherReplayBatchGlobalWindowS,
});
