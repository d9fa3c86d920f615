import { createHash, randomUUID } from "node:crypto";
import { getOAuthProtectedResourceMetadataUrl, type OAuthMetadata } from "@modelcontextprotocol/server";
import express, { type NextFunction, type Request, type Response, type Router } from "express";
import { z } from "zod";
import { registerClient } from "../../../activities/auth/oauth/clients.js";
import { giveBack, useCode, useRefreshToken } from "../../../activities/auth/oauth/grants.js";
import { newKey } from "../../../src/auth/keys/key.js";
import { MCP_PATH } from "../../../src/auth/oauth/audience.js";
import { ClientMetadata } from "../../../src/auth/oauth/client-metadata.js";
import { oauthError } from "../../../src/auth/oauth/problems.js";
import { oauthClient } from "../../../src/auth/oauth/queries.js";
import { mayBeRegistered } from "../../../src/auth/oauth/redirect-uri.js";
import { SCOPES, USUAL_SCOPES } from "../../../src/auth/oauth/scope.js";
import { newToken, tokenHash } from "../../../src/auth/tokens/token.js";
import { DomainError } from "../../../src/platform/problem.js";
import type { AddressLimit } from "../../http/address-limit.js";
import type { AppOptions } from "../../http/options.js";
import { noteRefusal } from "../../http/security-log.js";
import { refuseNul } from "../../http/validation.js";
import { sessions } from "../caches.js";
import { issuerOf, resourceOf } from "./addresses.js";

/**
 * What programs ask that want to be let in by OAuth 2.1 (docs/agents.md): metadata, registration, tokens. Its shapes
 * are those of the standards, by which it describes itself, so it is no part of the OpenAPI document. What a person
 * says is asked at the desk (access.ts).
 */

/** What programs send is some hundred bytes. */
const MOST = "16kb";
const REFRESH_PREFIX = "wesr_";

const paths = { register: "/oauth/register", token: "/oauth/token", revoke: "/oauth/revoke" };
/** The page of the desk where a person decides. */
const DECIDED_AT = "/console/agent-access";

export function oauth(options: AppOptions, addresses: AddressLimit): Router {
  const router = express.Router();
  const hashOf = (secret: string) => tokenHash(secret, options.tokenPepper);
  const metadata = (path: string, about: (req: Request) => object) =>
    router.get(path, (req, res) => void res.setHeader("Cache-Control", "no-store").json(about(req)));
  // With the path of the endpoint, as RFC 9728 has it, and without, where some programs look.
  for (const path of [new URL(getOAuthProtectedResourceMetadataUrl(new URL(MCP_PATH, HERE))).pathname, RESOURCE_PATH])
    metadata(path, (req) => aboutResource(req, options));
  metadata("/.well-known/oauth-authorization-server", (req) => aboutServer(req, options));

  const post = (path: string, run: (req: Request, res: Response) => Promise<object>) =>
    router.post(
      path,
      async (req: Request, res: Response, next: NextFunction) => {
        res.locals.requestId = randomUUID();
        res.setHeader("Cache-Control", "no-store");
        await addresses.count(req);
        next();
      },
      express.urlencoded({ extended: false, limit: MOST }),
      express.json({ limit: MOST }),
      async (req: Request, res: Response) => {
        refuseNul(req.body ?? {});
        res.json(await run(req, res));
      },
      (error: unknown, req: Request, res: Response, next: NextFunction) => {
        const refusal = refusalOf(error);
        if (!refusal) return next(error);
        noteRefusal(refusal, req, res);
        if (refusal.retryAfter !== undefined) res.setHeader("Retry-After", String(refusal.retryAfter));
        res.status(refusal.status).json(refusal.body);
      },
    );

  post(paths.register, async (req, res) => {
    const asked = ClientMetadata.safeParse(req.body);
    if (!asked.success) throw oauthError("invalid_client_metadata", faultIn(asked.error));
    const { client_name = "?", redirect_uris } = asked.data;
    if (!redirect_uris.every(mayBeRegistered))
      throw oauthError("invalid_redirect_uri", "redirect_uris: HTTPS, or HTTP on the loopback address");
    const client = { client_id: `agent_${newToken()}`, client_name, redirect_uris };
    if (!(await registerClient(client)))
      throw oauthError("temporarily_unavailable", "Too many programs have registered", 503).after(600);
    res.status(201);
    return {
      ...client,
      client_id_issued_at: Math.floor(Date.now() / 1000),
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    };
  });

  /** Notes why a program was refused; it is told no more than that it was. */
  const refuse = (res: Response, { refused, username }: { refused: string; username?: string }): never => {
    res.locals.reason = refused;
    if (username) res.locals.username = username;
    const code = refused === "scope_beyond" ? "invalid_scope" : "invalid_grant";
    throw oauthError(code, "It opens nothing, or nothing any more");
  };
  const knownClient = async (client_id: string, res: Response) => {
    if (await oauthClient(client_id)) return;
    res.locals.reason = "unknown_client";
    throw oauthError("invalid_client", "No program is registered under this client_id", 401);
  };

  post(paths.token, async (req, res) => {
    const asked = TokenRequest.safeParse(req.body);
    if (!asked.success) {
      const isKnown = ["authorization_code", "refresh_token"].includes(req.body?.grant_type);
      if (isKnown || req.body?.grant_type === undefined) throw oauthError("invalid_request", faultIn(asked.error));
      throw oauthError("unsupported_grant_type", "grant_type: authorization_code or refresh_token");
    }
    const { client_id, resource, ...shown } = asked.data;
    await knownClient(client_id, res);
    if (resource !== undefined && resource !== resourceOf(req, options)) {
      res.locals.reason = "wrong_resource";
      throw oauthError("invalid_target", "The resource is not the one of this service");
    }
    const [access_token, refresh_token] = [newKey(), REFRESH_PREFIX + newToken()];
    const pair = { token_hash: hashOf(access_token), refresh_hash: hashOf(refresh_token) };
    const answer =
      shown.grant_type === "refresh_token"
        ? await useRefreshToken({ client_id, refresh_hash: hashOf(shown.refresh_token), scope: shown.scope }, pair)
        : await useCode(
            {
              ...{ client_id, resource, redirect_uri: shown.redirect_uri, code_hash: hashOf(shown.code) },
              code_challenge: pkceChallenge(shown.code_verifier),
            },
            pair,
          );
    // Not for all refusals: anybody may ask, and the cache is everybody's.
    if (!("refused" in answer) || answer.username) sessions.invalidate();
    if ("refused" in answer) return refuse(res, answer);
    return { access_token, token_type: "Bearer", ...answer, refresh_token };
  });

  post(paths.revoke, async (req, res) => {
    const asked = Revocation.safeParse(req.body);
    if (!asked.success) throw oauthError("invalid_request", faultIn(asked.error));
    const { token, client_id } = asked.data;
    await knownClient(client_id, res);
    if (await giveBack(hashOf(token), client_id)) sessions.invalidate();
    return {};
  });
  return router;
}

const HERE = "http://here.invalid";
const RESOURCE_PATH = "/.well-known/oauth-protected-resource";

const aboutResource = (req: Request, options: AppOptions) => ({
  resource: resourceOf(req, options),
  authorization_servers: [issuerOf(req, options)],
  scopes_supported: USUAL_SCOPES,
  bearer_methods_supported: ["header"],
  resource_name: "Warehouse Execution Service",
});

function aboutServer(req: Request, options: AppOptions): OAuthMetadata {
  const issuer = issuerOf(req, options);
  return {
    issuer,
    authorization_endpoint: issuer + DECIDED_AT,
    token_endpoint: issuer + paths.token,
    registration_endpoint: issuer + paths.register,
    revocation_endpoint: issuer + paths.revoke,
    scopes_supported: SCOPES,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}

const Secret = z.string().min(1).max(200);
const OfClient = { client_id: z.string().min(1).max(500), resource: z.string().max(500).optional() };

const TokenRequest = z.discriminatedUnion("grant_type", [
  z.object({
    grant_type: z.literal("authorization_code"),
    ...OfClient,
    code: Secret,
    redirect_uri: z.string().min(1).max(500),
    code_verifier: z.string().regex(/^[\w.~-]{43,128}$/, "Expected 43 to 128 letters"),
  }),
  z.object({
    grant_type: z.literal("refresh_token"),
    ...OfClient,
    refresh_token: Secret,
    scope: z.string().max(500).optional(),
  }),
]);

const Revocation = z.object({ token: Secret, client_id: OfClient.client_id });

const pkceChallenge = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");

function faultIn({ issues: [fault] }: z.ZodError): string {
  return `${fault?.path.join(".") || "body"}: ${fault?.message}`;
}

/** The refusal that an error stands for, as OAuth words it; undefined for a fault of the service. */
function refusalOf(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) {
    if (error.body.error_description !== undefined) return error;
    const made = new DomainError(error.kind, error.status, {
      ...{ error: error.status === 429 ? "temporarily_unavailable" : "invalid_request" },
      error_description: error.message,
    });
    return error.retryAfter === undefined ? made : made.after(error.retryAfter);
  }
  const { status } = error as { status?: number };
  const isOfSender = Number(status) >= 400 && Number(status) < 500;
  return isOfSender ? oauthError("invalid_request", "The body cannot be read", Number(status)) : undefined;
}
