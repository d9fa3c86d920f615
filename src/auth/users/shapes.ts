import { z } from "zod";
import { Edit, ExternalId, Id, Name, SearchText, Time } from "../../platform/fields.js";
import { list } from "../../platform/list.js";
import { faultOfUsername } from "../../platform/username.js";
import { grantableFunctions } from "../functions.js";
import { overrideKeys, pageKeys } from "../pages.js";
import { FullName, FunctionNames, Role, Username } from "../shapes.js";

/** Users: docs/interface.md, Users. */

const GivenRole = Role.meta({ examples: ["USER"] });
const GivenFunctions = z.array(z.enum(grantableFunctions)).meta({ examples: [["pick", "pack"]] });
const GivenPageKeys = z.array(z.enum([...pageKeys, ...overrideKeys])).meta({ examples: [["receiving"]] });
const GivenPassword = z
  .string()
  .min(1)
  .max(256)
  .meta({ examples: ["correct horse 1"] });

/** Checked before it is trimmed, so that a line break at its end is refused rather than removed. */
const GivenUsername = z
  .string()
  .normalize("NFC")
  .superRefine((name, context) => {
    const fault = faultOfUsername(name);
    if (fault) context.addIssue(fault);
  })
  .pipe(Name(150, "ann"))
  .meta({ examples: ["ann"] });

export const User = z
  .strictObject({
    user_id: Id,
    external_id: ExternalId,
    username: Username,
    full_name: FullName,
    role: GivenRole,
    warehouse_id: Id.nullable(),
    warehouse_ids: z.array(Id),
    allowed_functions: FunctionNames,
    page_keys: z.array(z.string()).meta({ examples: [["receiving"]] }),
    is_active: z.boolean(),
    created_at: Time,
    last_login: Time.nullable(),
  })
  .meta({ id: "User", description: "A user of the service." });
export type User = z.infer<typeof User>;

export const NewlyMadeUser = User.extend({
  looks_like: z
    .array(Username)
    .describe("Other users whose names look like this one, which may not be meant.")
    .meta({ examples: [["ann"]] }),
}).meta({ id: "NewlyMadeUser", description: "The user that was made." });
export type NewlyMadeUser = z.infer<typeof NewlyMadeUser>;

export const userList = list("user_id", "user_id", "username", "full_name", "role", "created_at", "last_login");

export const UserFilters = z.object({ ...userList.parameters, q: SearchText("ann").optional() });
export type UserFilters = z.infer<typeof UserFilters>;

export const NewUser = z
  .strictObject({
    username: GivenUsername,
    password: GivenPassword,
    full_name: Name(256, "Ann Packer"),
    role: GivenRole,
    warehouse_ids: z.array(Id).default([]),
    warehouse_id: Id.nullish(),
    allowed_functions: GivenFunctions.default([]),
    page_keys: GivenPageKeys.default([]),
  })
  .meta({ id: "NewUser", description: "A user to create." });
export type NewUser = z.infer<typeof NewUser>;

export const UserEdit = Edit({
  full_name: Name(256, "Ann Packer"),
  role: GivenRole,
  warehouse_ids: z.array(Id),
  warehouse_id: Id.nullable(),
  allowed_functions: GivenFunctions,
  page_keys: GivenPageKeys,
  is_active: z.boolean(),
  password: GivenPassword,
}).meta({ id: "UserEdit", description: "Changes of a user. A new password ends all sessions of the user." });
export type UserEdit = z.infer<typeof UserEdit>;
