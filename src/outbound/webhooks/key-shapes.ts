import { z } from "zod";
import { Text, Time } from "../../platform/fields.js";
import { DeliveryUrl } from "./delivery-url.js";

/** What a webhook signs with beside its secret, and what it shows to its partner: docs/webhooks.md. */

export const Signature = z.enum(["hmac", "ed25519"]).meta({
  description:
    "How requests are signed: with the shared secret, or also with a key of its own that partners check with its " +
    "public key.",
  examples: ["hmac"],
});
export const PublicKey = z.string().meta({
  description: "What checks the signatures `v1a`; not secret.",
  examples: ["whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="],
});

const MAX_PEM = 16_384;
const Pem = z.string().trim().min(1).max(MAX_PEM);
const SetAt = Time.describe("Since when it is used.");

export const NewClientTls = z
  .strictObject({
    certificate: Pem.nullable()
      .default(null)
      .meta({ description: "Shown to the receiver's server: PEM, with its chain.", examples: [null] }),
    private_key: Pem.nullable()
      .default(null)
      .meta({
        description: "Its key: PEM, without a passphrase. It is stored sealed, and never shown.",
        examples: [null],
      }),
    ca: Pem.nullable()
      .default(null)
      .meta({ description: "An authority that is believed beside the public ones: PEM.", examples: [null] }),
  })
  .meta({
    id: "NewWebhookTls",
    description: "What the receiver's server wants to see, and who signs its certificate.",
    examples: [{ ca: "-----BEGIN CERTIFICATE-----\n…" }],
  });
export type NewClientTls = z.infer<typeof NewClientTls>;

const ClientTls = z
  .strictObject({
    subject: Text(512, "CN=warehouse").nullable().describe("Whom the certificate is of."),
    issuer: Text(512, "CN=partner authority").nullable().describe("Who signed the certificate."),
    valid_until: Time.nullable().describe("When the certificate ends."),
    fingerprint: Text(95, "AA:BB").nullable().describe("SHA-256 of the certificate."),
    ca_fingerprint: Text(95, "AA:BB").nullable().describe("SHA-256 of the authority's certificate."),
    set_at: SetAt,
  })
  .meta({ id: "WebhookTls", description: "What is shown to the receiver's server, without the key." });

const ClientId = z
  .string()
  .trim()
  .min(1)
  .max(512)
  .meta({ description: "Who asks for a token.", examples: ["warehouse"] });
const Wish = z.string().trim().min(1).max(512).nullable();
const Scope = Wish.meta({ description: "What the token is to be for.", examples: ["events.write"] });
const Audience = Wish.meta({ description: "Whom the token is to be shown to.", examples: [null] });

export const NewOAuth = z
  .strictObject({
    token_url: DeliveryUrl.refine((text) => /^https?:/i.test(text), "Not a URL of the web").meta({
      description: "Where tokens are given: the client credentials grant of OAuth 2.0.",
      examples: ["https://partner.example.com/oauth/token"],
    }),
    client_id: ClientId,
    client_secret: z
      .string()
      .min(1)
      .max(1_024)
      .meta({ description: "It is stored sealed, and never shown.", examples: ["a-long-random-text"] }),
    scope: Scope.default(null),
    audience: Audience.default(null),
  })
  .meta({ id: "NewWebhookOAuth", description: "Where the receiver gives the tokens that it wants to see." });
export type NewOAuth = z.infer<typeof NewOAuth>;

export const OAuth = z
  .strictObject({
    token_url: Text(2_048, "https://partner.example.com/oauth/token").describe("Where tokens are given."),
    client_id: ClientId,
    scope: Scope,
    audience: Audience,
    set_at: SetAt,
  })
  .meta({ id: "WebhookOAuth", description: "Where the receiver gives tokens, without the secret." });

const Signing = z.strictObject({ public_key: PublicKey });

/** What is stored of the keys that hold, as far as it may be shown. */
export const ShownKeys = z.strictObject({
  signing: Signing.optional(),
  signing_before: Signing.optional(),
  client_tls: ClientTls.optional(),
  oauth: OAuth.optional(),
});
export type ShownKeys = z.infer<typeof ShownKeys>;

/** The fields of a subscription that its keys make. */
export const KeyFields = z.strictObject({
  signature: Signature,
  public_keys: z.array(PublicKey).describe("The newest first; one that was replaced holds for a day."),
  client_tls: ClientTls.nullable().describe("What is shown to the receiver's server; null where that is nothing."),
  oauth: OAuth.nullable().describe("Where the receiver gives access tokens; null where it wants none."),
});

export const keyFields = ({ signing, signing_before, client_tls, oauth }: ShownKeys): z.infer<typeof KeyFields> => ({
  signature: signing ? "ed25519" : "hmac",
  public_keys: [signing, signing_before].flatMap((key) => (key ? [key.public_key] : [])),
  client_tls: client_tls ?? null,
  oauth: oauth ?? null,
});
