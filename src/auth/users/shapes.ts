import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { Edit, ExternalId, Name, SearchText, Time } from "../../platform/fields.js";
import { list } from "../../platform/list.js";
import { faultOfUsername } from "../../platform/username.js";
import { grantableFunctions, overrideKeys, pageKeys } from "../rights.js";
import { FullName, FunctionNames, Role, Username } from "../shapes.js";

/** Users: docs/interface.md, Users. */

const GivenRole = Role.meta({ description: "ADMIN may do everything; USER what was granted.", examples: ["USER"] });
const GivenFunctions = z
  .array(z.enum(grantableFunctions))
  .meta({ description: "Scanner functions that the user may use.", examples: [["pick", "pack"]] });
const GivenPageKeys = z
  .array(z.enum([...pageKeys, ...overrideKeys]))
  .meta({ description: "Pages of the panel, and overrides, that were granted.", examples: [["receiving"]] });
const GivenPassword = z
  .string()
  .min(1)
  .max(256)
  .meta({ description: "Secret text to log in with; never shown again.", examples: ["correct horse 1"] });

/** Checked before it is trimmed, so that a line break at its end is refused rather than removed. */
const GivenUsername = z
  .string()
  .normalize("NFC")
  .superRefine((name, context) => {
    const fault = faultOfUsername(name);
    if (fault) context.addIssue(fault);
  })
  .pipe(Name(150, "ann"))
  .meta({ description: "Name to log in with.", examples: ["ann"] });

export const User = z
  .strictObject({
    user_id: field.UserId,
    external_id: ExternalId,
    username: Username.describe("Name to log in with."),
    full_name: FullName,
    role: GivenRole,
    warehouse_id: field.WarehouseId.nullable(),
    warehouse_ids: field.WarehouseIds,
    allowed_functions: FunctionNames,
    page_keys: z
      .array(z.string())
      .meta({ description: "Pages of the panel, and overrides, that were granted.", examples: [["receiving"]] }),
    is_active: field.IsActive,
    created_at: field.CreatedAt,
    last_login: Time.nullable().describe("When the user last logged in."),
  })
  .meta({ id: "User", description: "A user of the service." });
export type User = z.infer<typeof User>;

/** Who did something, by the name of the account, and what people call that person. */
export const UserName = User.pick({ username: true, full_name: true }).meta({
  id: "UserName",
  description: "What people call a user.",
});

export const NewlyMadeUser = User.extend({
  looks_like: z
    .array(Username)
    .meta({ description: "Other users whose names look like this one, which may not be meant.", examples: [["ann"]] }),
}).meta({ id: "NewlyMadeUser", description: "The user that was made." });
export type NewlyMadeUser = z.infer<typeof NewlyMadeUser>;

export const userList = list("user_id", "user_id", "username", "full_name", "role", "created_at", "last_login");

export const UserFilters = z.object({
  ...userList.parameters,
  q: SearchText("ann").optional().describe("Words to look for."),
});
export type UserFilters = z.infer<typeof UserFilters>;

export const NewUser = z
  .strictObject({
    username: GivenUsername,
    password: GivenPassword,
    full_name: field.FullName,
    role: GivenRole,
    warehouse_ids: field.WarehouseIds.default([]),
    warehouse_id: field.WarehouseId.nullish(),
    allowed_functions: GivenFunctions.default([]),
    page_keys: GivenPageKeys.default([]),
  })
  .meta({ id: "NewUser", description: "A user to create." });
export type NewUser = z.infer<typeof NewUser>;

export const UserEdit = Edit({
  full_name: field.FullName,
  role: GivenRole,
  warehouse_ids: field.WarehouseIds,
  warehouse_id: field.WarehouseId.nullable(),
  allowed_functions: GivenFunctions,
  page_keys: GivenPageKeys,
  is_active: field.IsActive,
  password: GivenPassword,
}).meta({ id: "UserEdit", description: "Changes of a user. A new password ends all sessions of the user." });
export type UserEdit = z.infer<typeof UserEdit>;
