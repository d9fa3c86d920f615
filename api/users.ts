import { z } from "zod";
import { deleteUser, updateUser } from "../activities/user-edits.js";
import { createUser } from "../activities/users.js";
import { grantableFunctions } from "../src/auth/functions.js";
import { overrideKeys, pageKeys } from "../src/auth/pages.js";
import { WeakPassword } from "../src/auth/problems.js";
import { WarehouseDenied } from "../src/problem.js";
import {
  CannotDeactivateSelf,
  CannotDeleteSelf,
  CannotDemoteSelf,
  GrantsTooMuch,
  LastAdmin,
  UnknownWarehouses,
  UserNotFound,
  UsernameTaken,
} from "../src/users/problems.js";
import { users } from "../src/users/queries.js";
import {
  Edit,
  Id,
  Message,
  Name,
  Paging,
  paged,
  QueryInt,
  Time,
} from "./fields.js";
import { page, route } from "./route.js";

/** Users, as an admin keeps them: spec 4.6, reference 03 §5. */

const Role = z.enum(["ADMIN", "USER"]).meta({ examples: ["USER"] });
const Functions = z
  .array(z.enum(grantableFunctions))
  .meta({ examples: [["pick", "pack"]] });
const PageKeys = z
  .array(z.enum([...pageKeys, ...overrideKeys]))
  .meta({ examples: [["receiving"]] });

const User = z.strictObject({
  user_id: Id,
  username: z.string().meta({ examples: ["ann"] }),
  full_name: z.string().meta({ examples: ["Ann Packer"] }),
  role: Role,
  warehouse_id: Id.nullable(),
  warehouse_ids: z.array(Id),
  allowed_functions: z.array(z.string()).meta({ examples: [["pick", "pack"]] }),
  page_keys: z.array(z.string()).meta({ examples: [["receiving"]] }),
  is_active: z.boolean(),
  created_at: Time,
  last_login: Time.nullable(),
});

export const listUsers = route("get /api/admin/users", {
  for: page("users"),
  summary: "Users, by id",
  query: z.object(Paging),
  answers: { 200: paged("users", User) },
  run: ({ query }) => users(query),
});

const Password = z
  .string()
  .min(1)
  .max(256)
  .meta({ examples: ["correct horse 1"] });

const params = z.strictObject({ user_id: QueryInt });

export const addUser = route("post /api/admin/users", {
  for: page("users"),
  summary: "Makes a user",
  body: z.strictObject({
    username: Name(150, "ann"),
    password: Password,
    full_name: Name(256, "Ann Packer"),
    role: Role,
    warehouse_ids: z.array(Id).default([]),
    warehouse_id: Id.nullish(),
    allowed_functions: Functions.default([]),
    page_keys: PageKeys.default([]),
  }),
  answers: { 201: User },
  errors: [
    WeakPassword,
    UsernameTaken,
    UnknownWarehouses,
    GrantsTooMuch,
    WarehouseDenied,
  ],
  run: ({ body, by }) => createUser(body, by),
});

export const editUser = route("put /api/admin/users/:user_id", {
  for: page("users"),
  summary: "Changes what is sent of a user",
  params,
  body: Edit({
    full_name: Name(256, "Ann Packer"),
    role: Role,
    warehouse_ids: z.array(Id),
    warehouse_id: Id.nullable(),
    allowed_functions: Functions,
    page_keys: PageKeys,
    is_active: z.boolean(),
    password: Password,
  }),
  answers: { 200: User },
  errors: [
    UserNotFound,
    WeakPassword,
    UnknownWarehouses,
    CannotDeactivateSelf,
    CannotDemoteSelf,
    LastAdmin,
    GrantsTooMuch,
    WarehouseDenied,
  ],
  run: ({ params, body, by }) => updateUser(params.user_id, body, by),
});

export const removeUser = route("delete /api/admin/users/:user_id", {
  for: page("users"),
  summary: "Deletes a user",
  params,
  answers: { 200: Message },
  errors: [
    UserNotFound,
    CannotDeleteSelf,
    LastAdmin,
    GrantsTooMuch,
    WarehouseDenied,
  ],
  run: ({ params, by }) => deleteUser(params.user_id, by),
});
