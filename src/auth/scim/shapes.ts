import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { NewUser } from "../users/shapes.js";

/** Resources of SCIM 2.0 (RFC 7643), as far as they mean something here: other attributes are ignored. */

export const USER_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:User";
export const GROUP_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Group";
export const LIST_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
const PATCH_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

/** Entra ID sends texts. */
const Bool = z.union([z.boolean(), z.stringbool({ truthy: ["true"], falsy: ["false"] })]);
const ExternalId = z.string().min(1).max(256).nullish();
const Part = z.string().max(256).nullish();

export const ScimUserInput = z.looseObject({
  userName: NewUser.shape.username,
  externalId: ExternalId,
  displayName: Part,
  name: z.looseObject({ formatted: Part, givenName: Part, familyName: Part }).nullish(),
  active: Bool.default(true),
});
export type ScimUserInput = z.infer<typeof ScimUserInput>;

const Member = z.looseObject({ value: z.guid() });
export const ScimGroupInput = z.looseObject({
  displayName: z.string().trim().min(1).max(256),
  externalId: ExternalId,
  members: z.array(Member).max(10_000).nullish(),
});
export type ScimGroupInput = z.infer<typeof ScimGroupInput>;

export const ScimPatch = z.looseObject({
  schemas: z.array(z.string()).refine((schemas) => schemas.includes(PATCH_SCHEMA), `Expected ${PATCH_SCHEMA}`),
  Operations: z
    .array(
      z.looseObject({
        op: z
          .string()
          .toLowerCase()
          .pipe(z.enum(["add", "replace", "remove"])),
        path: z.string().max(512).optional(),
        value: z.unknown().optional(),
      }),
    )
    .min(1)
    .max(1_000),
});
export type ScimOperation = z.infer<typeof ScimPatch>["Operations"][number];

/** The full name that the resource tells. */
export function fullNameOf({ displayName, name, userName }: ScimUserInput): string {
  const parts = [name?.givenName, name?.familyName].filter(Boolean).join(" ");
  const { data } = field.FullName.safeParse(displayName || name?.formatted || parts);
  return data ?? userName;
}
