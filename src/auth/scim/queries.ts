import { z } from "zod";
import { arrayOf, bool, int, text, time } from "../../platform/db/columns.js";
import type { Sql } from "../../platform/db/db.js";
import { scimError } from "./errors.js";

/** A user whom the provider provisions, or who signs in there. */
export const ProvisionedUser = z.strictObject({
  user_id: int,
  id: text,
  external_id: text.nullable(),
  username: text,
  full_name: text,
  is_active: bool,
  created_at: time,
  groups: arrayOf(z.strictObject({ value: text, display: text })),
});
export type ProvisionedUser = z.infer<typeof ProvisionedUser>;

const USERS = `
  select user_id, u.external_id::text as id, i.external_id, username, full_name, is_active, created_at,
         (select coalesce(json_agg(json_build_object('value', group_id, 'display', display_name) order by display_name),
                          '[]')
          from provisioned_group_members m join provisioned_groups using (group_id)
          where m.user_id = u.user_id) as groups
  from users u join user_identities i using (user_id)`;

export const ProvisionedGroup = z.strictObject({
  id: text,
  external_id: text.nullable(),
  display_name: text,
  made_at: time,
  changed_at: time,
  members: arrayOf(z.strictObject({ value: text, display: text })),
});
export type ProvisionedGroup = z.infer<typeof ProvisionedGroup>;

const GROUPS = `
  select group_id::text as id, external_id, display_name, made_at, changed_at,
         (select coalesce(json_agg(json_build_object('value', u.external_id, 'display', username) order by username),
                          '[]')
          from provisioned_group_members m join users u using (user_id) where m.group_id = g.group_id) as members
  from provisioned_groups g`;

/** What one may look for, and the column. */
export const userColumns = { userName: "username", externalId: "i.external_id", id: "u.external_id::text" } as const;
export const groupColumns = { displayName: "display_name", externalId: "external_id", id: "group_id::text" } as const;

interface Wanted<C extends object> {
  filter: { attribute: keyof C; value: string } | undefined;
  /** From 1. */
  startIndex: number;
  count: number;
}

export async function provisionedUsers(sql: Sql, wanted: Wanted<typeof userColumns>) {
  const { filter, startIndex, count } = wanted;
  const where = filter ? `where ${userColumns[filter.attribute]} = $1` : "where $1::text is null";
  const value = filter?.value.normalize("NFC") ?? null;
  const [total, resources] = await Promise.all([
    sql.row({ total: int }, `select count(*) as total from users u join user_identities i using (user_id) ${where}`, [
      value,
    ]),
    sql.rows(ProvisionedUser, `${USERS} ${where} order by user_id limit $2 offset $3`, [value, count, startIndex - 1]),
  ]);
  return { total: total?.total ?? 0, resources };
}

export async function provisionedGroups(sql: Sql, wanted: Wanted<typeof groupColumns>) {
  const { filter, startIndex, count } = wanted;
  const where = filter ? `where ${groupColumns[filter.attribute]} = $1` : "where $1::text is null";
  const value = filter?.value ?? null;
  const [total, resources] = await Promise.all([
    sql.row({ total: int }, `select count(*) as total from provisioned_groups ${where}`, [value]),
    sql.rows(ProvisionedGroup, `${GROUPS} ${where} order by made_at, group_id limit $2 offset $3`, [
      value,
      count,
      startIndex - 1,
    ]),
  ]);
  return { total: total?.total ?? 0, resources };
}

/** The user of this id; throws 404. */
export async function provisionedUser(sql: Sql, id: string): Promise<ProvisionedUser> {
  const user = await sql.row(ProvisionedUser, `${USERS} where u.external_id::text = $1`, [id]);
  if (!user) throw scimError(404, `There is no user ${id}`);
  return user;
}

/** The group of this id; throws 404. */
export async function provisionedGroup(sql: Sql, id: string): Promise<ProvisionedGroup> {
  const group = await sql.row(ProvisionedGroup, `${GROUPS} where group_id::text = $1`, [id]);
  if (!group) throw scimError(404, `There is no group ${id}`);
  return group;
}
