import { z } from "zod";
import * as activities from "../../activities/auth/keys.js";
import { newKey } from "../../src/auth/keys/key.js";
import { keys, keysOf } from "../../src/auth/keys/queries.js";
import { KeyFilters, MadeKey, NewKey, PersonalKey } from "../../src/auth/keys/shapes.js";
import { KeyLastsTooLong, KeyNotFound, KeysOff, TooManyKeys } from "../../src/auth/problems.js";
import { unseal } from "../../src/auth/sealed.js";
import { answerOwner } from "../../src/auth/tokens/token.js";
import { Message, paged, QueryInt } from "../../src/platform/fields.js";
import { wholeList } from "../../src/platform/list.js";
import { admin, route, signedIn } from "../http/route.js";
import { sessions } from "./caches.js";
import { newSecret } from "./new-secret.js";

/** Personal API keys: docs/keys.md. */

const params = z.strictObject({ key_id: QueryInt.describe("Number of the personal key in this service.") });

export const listOwnKeys = route("get /api/auth/keys", {
  for: signedIn,
  summary: "The caller's own API keys, newest first, without the keys themselves",
  query: z.object(wholeList(PersonalKey)),
  answers: { 200: z.strictObject({ keys: z.array(PersonalKey).describe("Those of the caller, newest first.") }) },
  run: async ({ by }) => ({ keys: await keysOf(by.userId) }),
});

export const makeKey = route("post /api/auth/keys", {
  for: signedIn,
  stepUp: true,
  summary: "Makes an API key for the caller; this answer is the only one that shows it",
  body: NewKey,
  answers: { 201: MadeKey },
  errors: [KeysOff, KeyLastsTooLong, TooManyKeys],
  run: async ({ body, by, options }) => {
    const { sealed, ...made } = await activities.makeKey(body, newSecret(newKey(), options, by), by);
    return { ...made, key: unseal(sealed, answerOwner(by.commandId), options) };
  },
});

export const revokeOwnKey = route("delete /api/auth/keys/:key_id", {
  for: signedIn,
  summary: "Revokes an API key of the caller: it opens nothing any more",
  params,
  answers: { 200: Message },
  errors: [KeyNotFound],
  run: ({ params: { key_id }, by }) => sessions.invalidateAfter(activities.revokeKey(key_id, by.userId, by)),
});

export const listKeys = route("get /api/admin/keys", {
  for: admin,
  summary: "The API keys of all users, by id",
  query: KeyFilters,
  answers: { 200: paged("keys", PersonalKey, "The keys, without the keys themselves.") },
  run: ({ query }) => keys(query),
});

export const revokeKey = route("delete /api/admin/keys/:key_id", {
  for: admin,
  byPersonOnly: true,
  summary: "Revokes an API key of anybody: it opens nothing any more",
  params,
  answers: { 200: Message },
  errors: [KeyNotFound],
  run: ({ params: { key_id }, by }) => sessions.invalidateAfter(activities.revokeKey(key_id, null, by)),
});
