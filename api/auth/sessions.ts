import { z } from "zod";
import * as activities from "../../activities/auth/sessions.js";
import { SessionNotFound, UserNotFound } from "../../src/auth/problems.js";
import { sessionsOf } from "../../src/auth/sessions/queries.js";
import { UserSessions } from "../../src/auth/sessions/shapes.js";
import { user } from "../../src/auth/users/queries.js";
import { ExternalId, Message, QueryInt } from "../../src/platform/fields.js";
import { admin, route, signedIn } from "../http/route.js";
import { sessions } from "./caches.js";

/** The sessions that people have, to be seen and ended: docs/security.md, Sessions. */

const answers = { 200: UserSessions };

export const listOwnSessions = route("get /api/auth/sessions", {
  for: signedIn,
  summary: "The caller's own sessions that are open",
  answers,
  run: async ({ by, res }) => ({ sessions: await sessionsOf(by.userId, String(res.locals.sessionId)) }),
});

export const endOwnSession = route("delete /api/auth/sessions/:session_id", {
  for: signedIn,
  summary: "Ends a session of the caller, in all processes at once",
  params: z.strictObject({ session_id: ExternalId.describe("By what this service names the session.") }),
  answers: { 200: Message },
  errors: [SessionNotFound],
  run: ({ params: { session_id }, by }) => sessions.invalidateAfter(activities.endSession(session_id, by)),
});

export const endOtherSessions = route("post /api/auth/sessions/end-others", {
  for: signedIn,
  summary: "Ends all sessions of the caller but that of this request",
  answers: { 200: Message },
  run: ({ by, res }) => sessions.invalidateAfter(activities.endOtherSessions(String(res.locals.sessionId), by)),
});

const params = z.strictObject({ user_id: QueryInt.describe("Id of the user in this service.") });

export const listSessions = route("get /api/admin/users/:user_id/sessions", {
  for: admin,
  summary: "The sessions of a user that are open",
  params,
  answers,
  errors: [UserNotFound],
  run: async ({ params: { user_id }, res }) => {
    if (!(await user(user_id))) throw UserNotFound();
    return { sessions: await sessionsOf(user_id, String(res.locals.sessionId)) };
  },
});

export const endSessions = route("delete /api/admin/users/:user_id/sessions", {
  for: admin,
  byPersonOnly: true,
  summary: "Ends all sessions of a user, in all processes at once",
  params,
  answers: { 200: Message },
  errors: [UserNotFound],
  run: ({ params: { user_id }, by }) => sessions.invalidateAfter(activities.endSessionsOf(user_id, by)),
});
