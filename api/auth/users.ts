import { z } from "zod";
import * as edits from "../../activities/auth/user-edits.js";
import * as activities from "../../activities/auth/users.js";
import {
  CannotDeactivateSelf,
  CannotDeleteSelf,
  CannotDemoteSelf,
  GrantsTooMuch,
  LastAdmin,
  LastBreakGlass,
  OwnRights,
  PasswordOfProvider,
  UnknownWarehouses,
  UserNotFound,
  UsernameTaken,
  WeakPassword,
} from "../../src/auth/problems.js";
import { user, userNames, users } from "../../src/auth/users/queries.js";
import { NewlyMadeUser, NewUser, User, UserEdit, UserFilters, UserName } from "../../src/auth/users/shapes.js";
import { visibleWarehouses } from "../../src/platform/actor.js";
import { Message, paged, QueryInt } from "../../src/platform/fields.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { page, route, signedIn } from "../http/route.js";
import { sessions } from "./caches.js";

/** Managing users: docs/interface.md, Users. */

export const listUsers = route("get /api/admin/users", {
  for: page("users"),
  summary: "Users, by id",
  query: UserFilters,
  answers: { 200: paged("users", User, "The users, without their passwords.") },
  run: ({ query }) => users(query),
});

export const listUserNames = route("get /api/users/names", {
  for: signedIn,
  summary: "Full names of those who work in a warehouse of the caller, by username",
  answers: { 200: z.strictObject({ names: z.array(UserName).describe("The users, by username.") }) },
  run: async ({ by }) => ({ names: await userNames(visibleWarehouses(by)) }),
});

const params = z.strictObject({ user_id: QueryInt.describe("Id of the user in this service.") });

export const getUser = route("get /api/admin/users/:user_id", {
  for: page("users"),
  summary: "A user",
  params,
  answers: { 200: User },
  errors: [UserNotFound],
  run: async ({ params: { user_id } }) => {
    const found = await user(user_id);
    if (!found) throw UserNotFound();
    return found;
  },
});

export const createUser = route("post /api/admin/users", {
  for: page("users"),
  byPersonOnly: true,
  stepUp: true,
  summary: "Creates a user",
  body: NewUser,
  answers: { 201: NewlyMadeUser },
  errors: [WeakPassword, UsernameTaken, UnknownWarehouses, GrantsTooMuch, WarehouseDenied],
  run: ({ body, by }) => activities.createUser(body, by),
});

export const updateUser = route("put /api/admin/users/:user_id", {
  for: page("users"),
  byPersonOnly: true,
  stepUp: true,
  summary: "Changes the sent fields of a user",
  params,
  body: UserEdit,
  answers: { 200: User },
  errors: [
    UserNotFound,
    WeakPassword,
    UnknownWarehouses,
    CannotDeactivateSelf,
    CannotDemoteSelf,
    LastAdmin,
    LastBreakGlass,
    PasswordOfProvider,
    GrantsTooMuch,
    OwnRights,
    WarehouseDenied,
  ],
  run: ({ params, body, by }) => sessions.invalidateAfter(edits.updateUser(params.user_id, body, by)),
});

export const deleteUser = route("delete /api/admin/users/:user_id", {
  for: page("users"),
  byPersonOnly: true,
  stepUp: true,
  summary: "Deletes a user",
  params,
  answers: { 200: Message },
  errors: [UserNotFound, CannotDeleteSelf, LastAdmin, LastBreakGlass, GrantsTooMuch, WarehouseDenied],
  run: ({ params, by }) => sessions.invalidateAfter(edits.deleteUser(params.user_id, by)),
});
