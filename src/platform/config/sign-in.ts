import { z } from "zod";
import { env, flag } from "./variable-kinds.js";

/** Environment variables of the company's identity provider (docs/sign-in.md). */
export const signInVariables = {
  oidcIssuer: z
    .url({ protocol: /^https?$/, error: "the issuer of the provider, an https:// URL" })
    .optional()
    .meta(
      env(
        "OIDC_ISSUER",
        "Issuer of the OpenID Connect provider that people sign in at, as its discovery document says it. Not given: " +
          "none (docs/sign-in.md).",
      ),
    ),
  oidcClientId: z.string().optional().meta(env("OIDC_CLIENT_ID", "What the provider calls this service.")),
  oidcClientSecret: z.string().optional().meta(env("OIDC_CLIENT_SECRET", "What this service proves that with.")),
  oidcClientAuth: z
    .enum(["basic", "post"], "basic or post")
    .default("basic")
    .meta(
      env(
        "OIDC_CLIENT_AUTH",
        "How it does: `basic` = client_secret_basic, in a header; `post` = client_secret_post, in the body.",
      ),
    ),
  oidcName: z
    .string()
    .trim()
    .min(1, "1 to 64 characters")
    .max(64, "1 to 64 characters")
    .default("Single sign-on")
    .meta(env("OIDC_NAME", "What people know the provider by: the button that leads there says it.")),
  oidcScope: z
    .string()
    .regex(/^(?=.*\bopenid\b)[\x21-\x7e]+( [\x21-\x7e]+)*$/, "scopes with blanks between, openid among them")
    .default("openid profile email")
    .meta(
      env("OIDC_SCOPE", "Scopes that are asked for, with blanks between; some providers tell groups for one more."),
    ),
  oidcRedirectUri: z
    .url({ protocol: /^https?$/, error: "a URL that ends with /api/auth/oidc/callback" })
    .endsWith("/api/auth/oidc/callback", "a URL that ends with /api/auth/oidc/callback")
    .optional()
    .meta(
      env(
        "OIDC_REDIRECT_URI",
        "Where the provider sends people back to, as it is registered there. Not given: /api/auth/oidc/callback at " +
          "the address that they came to (behind a proxy that needs TRUST_PROXY).",
      ),
    ),
  scimTokens: z
    .string()
    .default("")
    .transform((text) => text.split(",").map((token) => token.trim()))
    .transform((tokens) => tokens.filter((token) => token !== ""))
    .refine((tokens) => tokens.every((token) => token.length >= 32), "tokens of at least 32 characters")
    .meta(
      env(
        "SCIM_TOKENS",
        "Bearer tokens that the provider provisions users and groups with, comma-separated, so that one can be " +
          "replaced without a gap. Not given: none (docs/sign-in.md, Provisioning).",
      ),
    ),
  agentsAllowInternal: flag
    .default(false)
    .meta(
      env(
        "AGENTS_ALLOW_INTERNAL",
        "Programs of agents may say what they are at addresses of the house's own network, and over http://, too. " +
          "Otherwise none may (docs/agents.md).",
      ),
    ),
  oidcAllowInternal: flag
    .default(false)
    .meta(
      env(
        "OIDC_ALLOW_INTERNAL",
        "The provider is in the house's own network: private and local addresses are asked too. Otherwise none is.",
      ),
    ),
};
