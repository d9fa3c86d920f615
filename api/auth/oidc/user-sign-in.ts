import { z } from "zod";
import { changeUserSignIn } from "../../../activities/auth/oidc/user-sign-in.js";
import { userSignIn } from "../../../src/auth/oidc/queries.js";
import { UserSignIn, UserSignInEdit } from "../../../src/auth/oidc/shapes.js";
import { BreakGlassUnfit, LastBreakGlass, UserNotFound } from "../../../src/auth/problems.js";
import { db } from "../../../src/platform/db/db.js";
import { QueryInt } from "../../../src/platform/fields.js";
import { admin, page, route } from "../../http/route.js";
import { sessions } from "../caches.js";

/** How users sign in: docs/sign-in.md. */

const params = z.strictObject({ user_id: QueryInt.describe("Id of the user in this service.") });

export const getUserSignIn = route("get /api/admin/users/:user_id/sign-in", {
  for: page("users"),
  summary: "How a user signs in",
  params,
  answers: { 200: UserSignIn },
  errors: [UserNotFound],
  run: async ({ params: { user_id } }) => {
    const found = await userSignIn(db, user_id);
    if (!found) throw UserNotFound();
    return found;
  },
});

export const updateUserSignIn = route("put /api/admin/users/:user_id/sign-in", {
  byPersonOnly: true,
  for: admin,
  stepUp: true,
  summary: "Changes how a user signs in",
  params,
  body: UserSignInEdit,
  answers: { 200: UserSignIn },
  errors: [UserNotFound, BreakGlassUnfit, LastBreakGlass],
  run: ({ params: { user_id }, body, by }) => sessions.invalidateAfter(changeUserSignIn(user_id, body, by)),
});
