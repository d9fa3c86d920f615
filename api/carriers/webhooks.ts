import { z } from "zod";
import { noteTracking } from "../../activities/carriers/track.js";
import type { EncryptionKeys } from "../../src/auth/sealed.js";
import type { StoredAccount } from "../../src/carriers/queries.js";
import { carrierNamed } from "../../src/carriers/registry.js";
import { checkedConfig, openConfig } from "../../src/carriers/stored-config.js";
import { accountOfWebhook, trackedLabel } from "../../src/carriers/tracking-queries.js";
import { SourceMisconfigured } from "../../src/connectors/connector.js";
import { WebhookNotSigned } from "../../src/connectors/problems.js";
import { singleFlight } from "../../src/platform/concurrency/ttl-cache.js";
import { log } from "../../src/platform/log.js";
import { DomainError } from "../../src/platform/problem.js";
import { open, route } from "../http/route.js";
import { lacksSecret, receiveSigned } from "../http/signed-webhook.js";

/** A tracker with all its scans. */
const MAX_KB = 1024;

/**
 * Webhooks of carriers, which say where parcels are. They come without a credential, as those of shops: the address is
 * the account's own, and the carrier verifies the signature before it reads anything. A parcel that nobody here sends
 * is no error, as carriers stop sending to an address that answers errors.
 */
export const receiveCarrierWebhook = route("post /api/v1/carriers/webhooks/:webhook_key", {
  for: open,
  summary: "Takes a webhook of a carrier, which has signed it, and notes where its parcels are",
  params: z.strictObject({
    webhook_key: z.uuid().meta({
      description: "Key of the carrier account, as its `webhook_path` has it.",
      examples: ["3f2b6c1e-9a4d-4c58-8f0e-5d7a1b2c3d4e"],
    }),
  }),
  signedBody: true,
  bodyLimit: { kb: MAX_KB, values: Number.POSITIVE_INFINITY },
  answers: {
    200: z.strictObject({
      received: z
        .int()
        .nonnegative()
        .meta({ description: "How many parcels of the account the webhook is of.", examples: [1] }),
    }),
  },
  errors: [WebhookNotSigned],
  run: async ({ params: { webhook_key }, req, res, options }) => {
    const account = await reading(webhook_key, () => accountOfWebhook(webhook_key));
    const carrier = account && carrierNamed(account.carrier);
    const config = carrier?.receive && configOf(account as StoredAccount, options);
    if (!account || !config || lacksSecret(carrier, config)) throw WebhookNotSigned();
    const parcels = await receiveSigned(
      { req, res, kb: MAX_KB },
      carrier.title,
      (webhook) => carrier.receive?.(config as never, webhook) ?? [],
    );
    let received = 0;
    for (const { tracking_number, ...said } of parcels) {
      const label = await trackedLabel(account.account_id, tracking_number);
      if (label === undefined) continue;
      await noteTracking(label, said, "webhook");
      received++;
    }
    return { received };
  },
});

/** Concurrent requests use one query, so that many unsigned requests cost little. */
const reading = singleFlight<StoredAccount | undefined>();

/** What the carrier of an account is asked with; undefined where that is unusable. */
function configOf({ account_id, carrier, config_sealed }: StoredAccount, keys: EncryptionKeys) {
  try {
    return checkedConfig(carrierNamed(carrier), openConfig(account_id, config_sealed, keys));
  } catch (error) {
    if (!(error instanceof SourceMisconfigured || error instanceof DomainError)) throw error;
    log.warn({ account_id, reason: error.message }, "a webhook found no usable configuration");
    return undefined;
  }
}
