import { scimError } from "./errors.js";
import type { ScimOperation } from "./shapes.js";

/** PATCH of SCIM (RFC 7644, 3.5.2), in the forms in which Entra ID and Okta send it. */

type Resource = Record<string, unknown>;

const isObject = (value: unknown): value is Resource =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A member that is named by its value: `members[value eq "…"]`. */
const ONE_MEMBER = /^members\[\s*value\s+eq\s+"([^"]+)"\s*\]$/i;

/** The resource after the operations; it is validated afterwards, as one that was sent whole. */
export function patched(resource: Resource, operations: readonly ScimOperation[]): Resource {
  return operations.reduce((so, { op, path, value }) => {
    const [, member] = ONE_MEMBER.exec(path ?? "") ?? [];
    if (member !== undefined) return changed(so, op, "members", [{ value: member }]);
    if (path !== undefined) return changed(so, op, path, value);
    if (op === "remove" || !isObject(value))
      throw scimError(400, "An operation without a path needs an object as value", "invalidSyntax");
    return Object.entries(value).reduce((now, [name, one]) => changed(now, op, name, one), so);
  }, resource);
}

function changed(resource: Resource, op: ScimOperation["op"], path: string, value: unknown): Resource {
  const [name = "", ...below] = nameIn(path).split(".");
  const key = Object.keys(resource).find((known) => known.toLowerCase() === name.toLowerCase()) ?? name;
  if (below.length > 0) {
    const inner = isObject(resource[key]) ? resource[key] : {};
    return { ...resource, [key]: changed(inner, op, below.join("."), value) };
  }
  if (key === "members") return { ...resource, members: membersAfter(resource.members, op, value) };
  if (op === "remove") return { ...resource, [key]: undefined };
  if (op === "add" && isObject(value) && isObject(resource[key]))
    return { ...resource, [key]: { ...resource[key], ...value } };
  return { ...resource, [key]: value };
}

/** The path without the schema that may stand before it. A filter in it is of attributes that mean nothing here. */
const nameIn = (path: string) => path.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(User|Group):/i, "");

interface Member {
  value: string;
}

function membersAfter(before: unknown, op: ScimOperation["op"], value: unknown): Member[] {
  const had = (before ?? []) as Member[];
  if (op === "remove" && (value === undefined || value === null)) return [];
  const named = [value ?? []].flat();
  if (!named.every((one): one is Member & Resource => isObject(one) && typeof one.value === "string"))
    throw scimError(400, "A member is an object with a value", "invalidValue");
  const ids = new Set(named.map((one) => one.value));
  const others = had.filter((member) => !ids.has(member.value));
  if (op === "remove") return others;
  return op === "replace" ? named : [...others, ...named];
}
