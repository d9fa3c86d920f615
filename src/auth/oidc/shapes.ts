import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { AnyText, Edit, Name, Time } from "../../platform/fields.js";
import { User, UserEdit } from "../users/shapes.js";

/** Sign-in at the company's identity provider: docs/sign-in.md. */

const { role, allowed_functions, page_keys } = UserEdit.shape;

/** What somebody may do who is in a group of the provider's. */
const MappedGroup = z
  .strictObject({
    group: Name(256, "warehouse-pickers").describe("The group, as the provider's claim names it."),
    role: role.unwrap().default("USER"),
    warehouse_ids: field.WarehouseIds.default([]),
    allowed_functions: allowed_functions.unwrap().default([]),
    page_keys: page_keys.unwrap().default([]),
  })
  .meta({ id: "MappedGroup", description: "A group of the identity provider, and what its people may do." });

const ClaimName = Name(128, "groups");

export const SignInMapping = z
  .strictObject({
    username_claim: ClaimName.describe("The claim that is the user name here."),
    groups_claim: ClaimName.describe("The claim with the groups; of one within another with dots between."),
    groups: z
      .array(MappedGroup)
      .max(200)
      .refine((groups) => new Set(groups.map(({ group }) => group)).size === groups.length, "A group is named twice")
      .describe("The groups whose people may sign in. Whoever is in several may do what each of them may."),
  })
  .meta({ id: "SignInMapping", description: "What groups of the identity provider may do here." });
export type SignInMapping = z.infer<typeof SignInMapping>;

/** What holds while nobody has set it: nobody is in a group that may sign in. */
export const NO_MAPPING: SignInMapping = { username_claim: "preferred_username", groups_claim: "groups", groups: [] };

/** What decides what a user may do. */
export const Rights = User.pick({ role: true, warehouse_ids: true, allowed_functions: true, page_keys: true });
export type Rights = z.infer<typeof Rights>;

const ProviderLink = z
  .strictObject({
    subject: AnyText("9d7c1b52")
      .nullable()
      .describe("What the provider calls the user; null until the user has signed in there."),
    is_made: z.boolean().describe("Whether the user was made at the first sign-in, and so has no password."),
    linked_by: AnyText("ann").describe("Who allowed it."),
    linked_at: Time.describe("When it was allowed, or done for the first time."),
  })
  .meta({ id: "ProviderLink", description: "That a user signs in at the identity provider." });

export const UserSignIn = z
  .strictObject({
    is_break_glass: z.boolean().describe("Whether the user signs in with a password where others must not."),
    provider: ProviderLink.nullable().describe("How the user signs in at the identity provider; null: not at all."),
  })
  .meta({ id: "UserSignIn", description: "How a user signs in." });
export type UserSignIn = z.infer<typeof UserSignIn>;

export const UserSignInEdit = Edit({
  is_break_glass: z.boolean().describe("Whether the user signs in with a password where others must not."),
  is_linked: z
    .boolean()
    .describe("Whether whoever the provider knows by this user name is this user; false: no longer."),
}).meta({ id: "UserSignInEdit", description: "Changes of how a user signs in." });
export type UserSignInEdit = z.infer<typeof UserSignInEdit>;
