import { z } from "zod";
import * as activities from "../../activities/auth/tokens.js";
import { unseal } from "../../src/auth/sealed.js";
import {
  IncompleteInboundScope,
  OverrideElsewhere,
  TokenExceedsIssuer,
  TokenNotFound,
  TokenRevoked,
  TokenWithoutScope,
  UnknownConnectorId,
  UnknownEndpointSlugs,
  UnknownOverrideKeys,
  UnknownSourceSystem,
  unknownSelection,
} from "../../src/auth/tokens/problems.js";
import { tokens } from "../../src/auth/tokens/queries.js";
import { endpointSlugs, inboundResources } from "../../src/auth/tokens/scope.js";
import { IssuedToken, NewToken, TokenEdit, TokenRecord } from "../../src/auth/tokens/shapes.js";
import { answerOwner, newToken } from "../../src/auth/tokens/token.js";
import { sourceSystems } from "../../src/inbound/queries.js";
import { SourceSystem } from "../../src/inbound/shapes.js";
import type { Actor } from "../../src/platform/actor.js";
import { events } from "../../src/platform/events/catalog.js";
import * as field from "../../src/platform/fields/index.js";
import { AnyText, QueryInt } from "../../src/platform/fields.js";
import { wholeList } from "../../src/platform/list.js";
import { ConstraintViolation } from "../../src/platform/problem.js";
import type { AppOptions } from "../http/options.js";
import { type Method, page, route } from "../http/route.js";
import { tokens as cachedTokens } from "./caches.js";
import { newSecret } from "./new-secret.js";

/**
 * Integration tokens: docs/interface.md, Tokens. A USER manages those whose warehouses and rights are within the user's
 * own.
 */

const params = z.strictObject({ token_id: QueryInt.describe("Id of the integration token.") });

/** The answer with the token's secret, also for a repeat under the same `Idempotency-Key`. */
function withSecret<A extends { sealed: string }>({ sealed, ...answer }: A, options: AppOptions, { commandId }: Actor) {
  const token = unseal(sealed, answerOwner(commandId), options);
  return { ...answer, token };
}

export const listTokens = route("get /api/admin/tokens", {
  for: page("api-tokens"),
  summary: "Integration tokens, newest first; a USER sees those within own warehouses and pages",
  query: z.object(wholeList(TokenRecord)),
  answers: {
    200: z.strictObject({ tokens: z.array(TokenRecord).describe("The integration tokens, without their secrets.") }),
  },
  run: async ({ by }) => ({ tokens: await tokens(by) }),
});

export const getScopeCatalog = route("get /api/admin/scope-catalog", {
  for: page("api-tokens"),
  summary: "What a token can be issued for",
  answers: {
    200: z.strictObject({
      event_types: z.array(AnyText("ship.confirmed")).describe("All types of events."),
      endpoints: z.array(AnyText("events.poll")).describe("All endpoints that take tokens."),
      inbound_resources: z.array(AnyText("sales_orders")).describe("All that may be pushed."),
      source_systems: z.array(SourceSystem).describe("The systems that push records."),
    }),
  },
  run: async () => ({
    event_types: Object.keys(events).sort(),
    endpoints: endpointSlugs.toSorted(),
    inbound_resources: inboundResources.toSorted(),
    source_systems: await sourceSystems(),
  }),
});

export const createToken = route("post /api/admin/tokens", {
  for: page("api-tokens"),
  byPersonOnly: true,
  stepUp: true,
  summary: "Issues a token; this answer is the only one that shows it",
  body: NewToken,
  answers: { 201: IssuedToken },
  errors: [
    IncompleteInboundScope,
    ...unknownSelection,
    UnknownEndpointSlugs,
    UnknownConnectorId,
    UnknownSourceSystem,
    UnknownOverrideKeys,
    OverrideElsewhere,
    TokenExceedsIssuer,
  ],
  run: async ({ body, by, options }) =>
    withSecret(await activities.issueToken(body, newSecret(newToken(), options, by), by), options, by),
});

const editBy = (method: Method) =>
  route(`${method} /api/admin/tokens/:token_id`, {
    for: page("api-tokens"),
    byPersonOnly: true,
    stepUp: true,
    summary: "Changes what is sent of a token",
    params,
    body: TokenEdit,
    answers: { 200: TokenRecord },
    errors: [
      TokenNotFound,
      ...unknownSelection,
      UnknownEndpointSlugs,
      TokenWithoutScope,
      OverrideElsewhere,
      TokenExceedsIssuer,
    ],
    run: ({ params: { token_id }, body, by }) =>
      cachedTokens.invalidateAfter(activities.updateToken(token_id, body, by)),
  });
export const updateToken = editBy("patch");
export const replaceToken = editBy("put");

export const rotateToken = route("post /api/admin/tokens/:token_id/rotate", {
  for: page("api-tokens"),
  byPersonOnly: true,
  stepUp: true,
  summary: "Gives a token a new secret, which only this answer shows; the old one is no longer valid",
  params,
  answers: { 200: IssuedToken.omit({ created_at: true }) },
  errors: [TokenNotFound, TokenRevoked],
  run: async ({ params: { token_id }, by, options }) => {
    const rotated = activities.rotateToken(token_id, newSecret(newToken(), options, by), by);
    return withSecret(await cachedTokens.invalidateAfter(rotated), options, by);
  },
});

export const revokeToken = route("post /api/admin/tokens/:token_id/revoke", {
  for: page("api-tokens"),
  summary: "Revokes a token for good",
  params,
  answers: {
    200: z.strictObject({
      token_id: field.TokenId,
      status: z.literal("revoked").describe("Where the record stands in its life."),
      revoked_at: field.RevokedAt,
    }),
  },
  errors: [TokenNotFound],
  run: ({ params: { token_id }, by }) => cachedTokens.invalidateAfter(activities.revokeToken(token_id, by)),
});

export const deleteToken = route("delete /api/admin/tokens/:token_id", {
  for: page("api-tokens"),
  summary: "Deletes a token that has pushed nothing",
  params,
  answers: { 204: z.undefined() },
  errors: [TokenNotFound, ConstraintViolation],
  run: async ({ params: { token_id }, by }) => {
    await cachedTokens.invalidateAfter(activities.deleteToken(token_id, by));
    return undefined;
  },
});
