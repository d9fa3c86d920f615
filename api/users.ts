import { z } from "zod";
import { createUser } from "../activities/users.js";
import { grantableFunctions } from "../src/auth/functions.js";
import { overrideKeys, pageKeys } from "../src/auth/pages.js";
import { WeakPassword } from "../src/auth/problems.js";
import {
  GrantsTooMuch,
  UnknownWarehouses,
  UsernameTaken,
} from "../src/users/problems.js";
import { users } from "../src/users/queries.js";
import { Id, Name, Paging, paged, Time } from "./fields.js";
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

export const addUser = route("post /api/admin/users", {
  for: page("users"),
  summary: "Makes a user",
  body: z.strictObject({
    username: Name(150, "ann"),
    password: z
      .string()
      .min(1)
      .max(256)
      .meta({ examples: ["correct horse 1"] }),
    full_name: Name(256, "Ann Packer"),
    role: Role,
    warehouse_ids: z.array(Id).default([]),
    warehouse_id: Id.nullish(),
    allowed_functions: Functions.default([]),
    page_keys: PageKeys.default([]),
  }),
  answers: { 201: User },
  errors: [WeakPassword, UsernameTaken, UnknownWarehouses, GrantsTooMuch],
  run: ({ body, by }) => createUser(body, by),
});
