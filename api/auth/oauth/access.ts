import type { Request, Response } from "express";
import { giveCode } from "../../../activities/auth/oauth/codes.js";
import { isMetadataAddress } from "../../../src/auth/oauth/client-metadata.js";
import {
  AgentUnknown,
  AgentUnreadable,
  RedirectNotRegistered,
  ResourceNotOurs,
  ScopeUnknown,
} from "../../../src/auth/oauth/problems.js";
import { isLoopback, isRegistered, withAnswer } from "../../../src/auth/oauth/redirect-uri.js";
import { grantOf } from "../../../src/auth/oauth/scope.js";
import { AccessAnswer, AccessDecision, AccessQuery, AgentAccess } from "../../../src/auth/oauth/shapes.js";
import { KeysOff, TooManyKeys } from "../../../src/auth/problems.js";
import { unseal } from "../../../src/auth/sealed.js";
import { answerOwner, newToken } from "../../../src/auth/tokens/token.js";
import { db } from "../../../src/platform/db/db.js";
import { personalKeyDays } from "../../../src/system/settings/queries.js";
import type { AppOptions } from "../../http/options.js";
import { route, signedIn } from "../../http/route.js";
import { newSecret } from "../new-secret.js";
import { issuerOf, resourceOf } from "./addresses.js";
import { clientAsking } from "./client.js";

/** What a person is asked at the desk when a program wants to be let in: docs/agents.md. */

const DAY_MS = 86_400_000;
const errors = [AgentUnknown, AgentUnreadable, RedirectNotRegistered, ResourceNotOurs, ScopeUnknown];

/** The program and what it asks for. Whoever asks wrongly is not sent back: nobody knows who waits there. */
async function asked(query: AccessQuery, { req, res, options }: { req: Request; res: Response; options: AppOptions }) {
  const client = await clientAsking(query.client_id, res, options);
  if (!isRegistered(query.redirect_uri, client.redirect_uris)) throw RedirectNotRegistered();
  const resource = resourceOf(req, options);
  if (query.resource !== undefined && query.resource !== resource) throw ResourceNotOurs();
  const granted = grantOf(query.scope);
  if (!granted) throw ScopeUnknown({ scope: query.scope ?? "" });
  return { client, resource, granted };
}

export const getAgentAccess = route("get /api/auth/agent-access", {
  for: signedIn,
  summary: "What a program asks the caller for, by OAuth",
  query: AccessQuery,
  answers: { 200: AgentAccess },
  errors: [...errors, KeysOff],
  run: async ({ query, req, res, options }) => {
    const { client, granted } = await asked(query, { req, res, options });
    const days = await personalKeyDays(db);
    if (days === 0) throw KeysOff();
    const back = new URL(query.redirect_uri);
    return {
      client_name: client.client_name,
      client_site: isMetadataAddress(client.client_id) ? new URL(client.client_id).host : null,
      returns_to: back.origin,
      is_local: isLoopback(back),
      ...{ is_read_only: granted.is_read_only, functions: granted.functions },
      ends_at: new Date(Date.now() + days * DAY_MS).toISOString(),
    };
  },
});

export const decideAgentAccess = route("post /api/auth/agent-access", {
  for: signedIn,
  stepUp: ({ is_allowed }) => is_allowed,
  summary: "Lets a program in for the caller, or says no to it",
  body: AccessDecision,
  answers: { 200: AccessAnswer },
  errors: [...errors, KeysOff, TooManyKeys],
  run: async ({ body: { is_allowed, is_read_only, ...query }, by, req, res, options }) => {
    const { client, resource, granted } = await asked(query, { req, res, options });
    const { client_id, redirect_uri, code_challenge, state } = query;
    const told = { state, iss: issuerOf(req, options) };
    if (!is_allowed) return { redirect_to: withAnswer(redirect_uri, { error: "access_denied", ...told }) };
    const code = { client_id, redirect_uri, code_challenge, resource, ...granted };
    const { sealed } = await giveCode(
      { ...code, is_read_only: granted.is_read_only || is_read_only },
      isMetadataAddress(client_id) ? client : null,
      newSecret(newToken(), options, by),
      by,
    );
    const given = unseal(sealed, answerOwner(by.commandId), options);
    return { redirect_to: withAnswer(redirect_uri, { code: given, ...told }) };
  },
});
