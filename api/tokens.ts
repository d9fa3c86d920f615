import { z } from "zod";
import {
  deleteToken,
  issueToken,
  revokeToken,
  rotateToken,
  type Secret,
  updateToken,
} from "../activities/tokens.js";
import { scopeOf } from "../src/actor.js";
import { events } from "../src/events/catalog.js";
import { ConstraintViolation, WarehouseDenied } from "../src/problem.js";
import { seal, unseal } from "../src/sealed.js";
import { sourceSystems } from "../src/source-systems/queries.js";
import {
  TokenNotFound,
  TokenReachesNothing,
  TokenRevoked,
  UnknownConnectorId,
  UnknownEndpointSlugs,
  UnknownEventTypes,
  UnknownOverrideKeys,
  UnknownSourceSystem,
  UnknownWarehouseIds,
} from "../src/tokens/problems.js";
import { tokens } from "../src/tokens/queries.js";
import { endpointSlugs, inboundResources } from "../src/tokens/scope.js";
import { newToken, tokenHash } from "../src/tokens/secret.js";
import { Id, QueryInt, SourceSystem, Time } from "./fields.js";
import type { AppOptions } from "./handle.js";
import { forgetTokens } from "./known-tokens.js";
import { type Method, page, route } from "./route.js";
import {
  IssuedToken,
  NewToken,
  TokenEdit,
  TokenRecord,
} from "./token-fields.js";

/** Integration tokens: spec 2.4, 5.3 and 5.4, reference 04 §1. A USER keeps those that reach own warehouses only. */

const params = z.strictObject({ token_id: QueryInt });

/** A new token, as it is stored. */
function newSecret({ tokenPepper, encryptionKey }: AppOptions): Secret {
  const token = newToken();
  return {
    hash: tokenHash(token, tokenPepper),
    sealed: seal(token, encryptionKey),
  };
}

/** The answer with the token in it, which a repeat under the same `Idempotency-Key` shows again. */
function shown<A extends { sealed: string }>(
  { sealed, ...answer }: A,
  { encryptionKey }: AppOptions,
) {
  return { ...answer, token: unseal(sealed, encryptionKey) };
}

/** Here it holds at once; other processes hear of it from Postgres. */
const andForget = <T>(id: number, change: Promise<T>): Promise<T> =>
  change.finally(() => forgetTokens(id));

export const listTokens = route("get /api/admin/tokens", {
  for: page("api-tokens"),
  summary:
    "Integration tokens, newest first; a USER sees those for own warehouses",
  answers: { 200: z.strictObject({ tokens: z.array(TokenRecord) }) },
  run: async ({ by }) => ({ tokens: await tokens(scopeOf(by)) }),
});

export const readScopeCatalog = route("get /api/admin/scope-catalog", {
  for: page("api-tokens"),
  summary: "What a token can be issued for",
  answers: {
    200: z.strictObject({
      event_types: z.array(z.string()),
      endpoints: z.array(z.string()),
      inbound_resources: z.array(z.string()),
      source_systems: z.array(SourceSystem),
    }),
  },
  run: async () => ({
    event_types: Object.keys(events),
    endpoints: endpointSlugs,
    inbound_resources: [...inboundResources],
    source_systems: await sourceSystems(),
  }),
});

export const addToken = route("post /api/admin/tokens", {
  for: page("api-tokens"),
  summary: "Issues a token; this answer is the only one that shows it",
  body: NewToken,
  answers: { 201: IssuedToken },
  errors: [
    UnknownWarehouseIds,
    WarehouseDenied,
    UnknownEventTypes,
    UnknownEndpointSlugs,
    UnknownConnectorId,
    UnknownSourceSystem,
    UnknownOverrideKeys,
  ],
  run: async ({ body, by, options }) =>
    shown(await issueToken(body, newSecret(options), by), options),
});

const editBy = (method: Method) =>
  route(`${method} /api/admin/tokens/:token_id`, {
    for: page("api-tokens"),
    summary: "Changes what is sent of a token",
    params,
    body: TokenEdit,
    answers: { 200: TokenRecord },
    errors: [
      TokenNotFound,
      UnknownWarehouseIds,
      WarehouseDenied,
      UnknownEventTypes,
      UnknownEndpointSlugs,
      TokenReachesNothing,
    ],
    run: ({ params: { token_id }, body, by }) =>
      andForget(token_id, updateToken(token_id, body, by)),
  });
export const patchToken = editBy("patch");
export const putToken = editBy("put");

export const renewToken = route("post /api/admin/tokens/:token_id/rotate", {
  for: page("api-tokens"),
  summary:
    "Gives a token a new secret, which only this answer shows; the old one is dead",
  params,
  answers: { 200: IssuedToken.omit({ created_at: true }) },
  errors: [TokenNotFound, TokenRevoked],
  run: async ({ params: { token_id }, by, options }) => {
    const rotated = rotateToken(token_id, newSecret(options), by);
    return shown(await andForget(token_id, rotated), options);
  },
});

export const endToken = route("post /api/admin/tokens/:token_id/revoke", {
  for: page("api-tokens"),
  summary: "Revokes a token for good",
  params,
  answers: {
    200: z.strictObject({
      token_id: Id,
      status: z.literal("revoked"),
      revoked_at: Time,
    }),
  },
  errors: [TokenNotFound],
  run: ({ params: { token_id }, by }) =>
    andForget(token_id, revokeToken(token_id, by)),
});

export const removeToken = route("delete /api/admin/tokens/:token_id", {
  for: page("api-tokens"),
  summary: "Deletes a token that has pushed nothing",
  params,
  answers: { 204: z.undefined() },
  errors: [TokenNotFound, ConstraintViolation],
  run: async ({ params: { token_id }, by }) => {
    await andForget(token_id, deleteToken(token_id, by));
    return undefined;
  },
});
