import type { ProvisionedGroup, ProvisionedUser } from "../../../src/auth/scim/queries.js";
import { GROUP_SCHEMA, USER_SCHEMA } from "../../../src/auth/scim/shapes.js";

/** What SCIM answers (RFC 7643). */

export const ROOT = "/scim/v2";

export const userResource = (user: ProvisionedUser, base: string) => ({
  schemas: [USER_SCHEMA],
  id: user.id,
  ...(user.external_id !== null && { externalId: user.external_id }),
  userName: user.username,
  displayName: user.full_name,
  name: { formatted: user.full_name },
  active: user.is_active,
  groups: user.groups,
  meta: { resourceType: "User", created: user.created_at, location: `${base}/Users/${user.id}` },
});

export const groupResource = (group: ProvisionedGroup, base: string) => ({
  schemas: [GROUP_SCHEMA],
  id: group.id,
  ...(group.external_id !== null && { externalId: group.external_id }),
  displayName: group.display_name,
  members: group.members,
  meta: {
    ...{ resourceType: "Group", created: group.made_at, lastModified: group.changed_at },
    location: `${base}/Groups/${group.id}`,
  },
});

export const MOST_RESOURCES = 200;

/** RFC 7643, 5. */
export const serviceProviderConfig = {
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MOST_RESOURCES },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    { type: "oauthbearertoken", name: "Bearer token", description: "One of SCIM_TOKENS, as a bearer token." },
  ],
  meta: { resourceType: "ServiceProviderConfig", location: `${ROOT}/ServiceProviderConfig` },
};

const attribute = (name: string, more: object = {}) => ({
  ...{ name, type: "string", multiValued: false, required: false, caseExact: true },
  ...{ mutability: "readWrite", returned: "default", uniqueness: "none" },
  ...more,
});
const references = (mutability: string) => ({
  ...{ type: "complex", multiValued: true, mutability },
  subAttributes: [attribute("value", { mutability: "immutable" }), attribute("display", { mutability: "readOnly" })],
});

export const resourceTypes = (["User", "Group"] as const).map((name) => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
  ...{ id: name, name, endpoint: `/${name}s`, schema: name === "User" ? USER_SCHEMA : GROUP_SCHEMA },
  meta: { resourceType: "ResourceType", location: `${ROOT}/ResourceTypes/${name}` },
}));

export const schemas = [
  {
    id: USER_SCHEMA,
    name: "User",
    attributes: [
      attribute("userName", { required: true, uniqueness: "server", mutability: "immutable" }),
      attribute("displayName"),
      attribute("name", {
        type: "complex",
        subAttributes: ["formatted", "givenName", "familyName"].map((name) => attribute(name)),
      }),
      attribute("active", { type: "boolean" }),
      attribute("groups", references("readOnly")),
    ],
  },
  {
    id: GROUP_SCHEMA,
    name: "Group",
    attributes: [
      attribute("displayName", { required: true, uniqueness: "server" }),
      attribute("members", references("readWrite")),
    ],
  },
].map((schema) => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
  ...schema,
  meta: { resourceType: "Schema", location: `${ROOT}/Schemas/${schema.id}` },
}));
